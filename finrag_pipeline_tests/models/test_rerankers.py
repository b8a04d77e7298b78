"""Cross-encoders of `sentence-transformers`, made here; without the package one clear line."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from finrag_pipeline.errors import ConfigurationError
from finrag_pipeline.models.reranking.cross_encoders import SentenceTransformersReranker

TEXTS = ["gross margin fell", "the canteen", "gross margin"]


def make_model(path: Path, labels: int = 1) -> Path:
    """A small BERT with a head for pairs, its weights left to chance."""
    package: Any = pytest.importorskip("sentence_transformers")
    transformers: Any = pytest.importorskip("transformers")
    path.mkdir()
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *map(chr, range(97, 123))]
    words += [f"##{chr(code)}" for code in range(97, 123)]
    (path / "vocab.txt").write_text("\n".join(words))
    transformers.set_seed(7)
    config = transformers.BertConfig(
        vocab_size=len(words),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=16,
        num_labels=labels,
        initializer_range=0.5,
    )
    transformers.BertForSequenceClassification(config).save_pretrained(path)
    transformers.BertTokenizer(str(path / "vocab.txt")).save_pretrained(path)
    package.CrossEncoder(str(path)).save_pretrained(str(path))
    return path


@pytest.mark.models
def test_pairs_are_scored_as_shares_in_their_order(tmp_path: Path) -> None:
    model = SentenceTransformersReranker(str(make_model(tmp_path / "tiny")))
    scores = model.score("margin", TEXTS)
    assert scores.shape == (3,) and scores.dtype == np.float64
    assert ((scores > 0) & (scores < 1)).all() and len(set(scores.tolist())) == 3
    one_by_one = [model.score("margin", [text])[0] for text in TEXTS]
    assert np.allclose(scores, one_by_one, atol=1e-5)
    assert model.score("margin", []).shape == (0,)


@pytest.mark.models
def test_a_classifier_of_pairs_and_a_broken_folder_are_one_line(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="has 3 labels, a reranker has one"):
        SentenceTransformersReranker(str(make_model(tmp_path / "classes", labels=3)))
    (tmp_path / "empty").mkdir()
    with pytest.raises(ConfigurationError, match="not a complete model directory"):
        SentenceTransformersReranker(str(tmp_path / "empty"))


def test_without_the_package_one_line_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(ConfigurationError, match=r"FINRAG_RERANKER.*pip install") as raised:
        SentenceTransformersReranker("cross-encoder/any")
    assert "\n" not in str(raised.value)
