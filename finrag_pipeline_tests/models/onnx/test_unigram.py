"""The cut of greatest score, against `tokenizers`, which has the same model."""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer, models, pre_tokenizers

from finrag_pipeline.models.onnx.unigram import Unigram, write

SPACE = "\u2581"
WORDS = ["a", "b", "c", "毛", "利", "率", SPACE, f"{SPACE}a", f"{SPACE}毛利", "毛利率", "ab", "bca"]
PIECES = ["<s>", "</s>", "<unk>", *WORDS, "利率", "cab", "aa"]
SCORES = np.array([0, 0, 0, *(-1 - n * 0.37 for n in range(len(PIECES) - 3))], dtype=np.float32)


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("unigram") / "unigram.npz"
    write(path, PIECES, SCORES, (0, 1, 2), {ord("A"): "a", ord("　"): " ", ord("㍿"): "ab c"})
    return path


@pytest.fixture(scope="module")
def reference() -> Any:
    model = models.Unigram(list(zip(PIECES, SCORES.tolist(), strict=True)), 2, False)
    tokenizer: Any = Tokenizer(model)
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="always", split=False)
    return tokenizer


@given(st.text("abc毛利率 ", max_size=24))
def test_no_cut_has_a_greater_score(path: Path, reference: Any, text: str) -> None:
    folded = " ".join(part for part in text.split(" ") if part)
    found, expected = Unigram(path).ids(folded), reference.encode(folded).ids
    if folded:  # of nothing, tokenizers makes no piece
        assert math.isclose(SCORES[found].sum(), SCORES[expected].sum(), rel_tol=1e-5)
        written = SPACE + folded.replace(" ", SPACE)
        assert "".join(PIECES[number] for number in found) == written


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("毛利率", [f"{SPACE}毛利", "率"]),
        ("A　　b", [f"{SPACE}a", SPACE, "b"]),
        ("㍿", [f"{SPACE}a", "b", SPACE, "c"]),
        ("x西", [SPACE, "<unk>", "<unk>"]),
        ("", [SPACE]),
    ],
)
def test_characters_are_replaced_spaces_folded_and_strangers_counted(
    path: Path, text: str, pieces: list[str]
) -> None:
    assert [PIECES[number] for number in Unigram(path).ids(text)] == pieces


def test_threads_that_meet_the_same_beginnings_cut_alike(path: Path) -> None:
    text = "毛利率 abca 率利 cab aa bca " * 20
    expected = Unigram(path).ids(text)
    for _ in range(20):
        fresh = Unigram(path)
        with ThreadPoolExecutor(8) as threads:
            assert all(found == expected for found in threads.map(fresh.ids, [text] * 8))


def test_pieces_beyond_a_word_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="beyond words"):
        write(tmp_path / "x.npz", ["<s>", "</s>", "?", f"a{SPACE}b"], SCORES[:4], (0, 1, 2), {})
