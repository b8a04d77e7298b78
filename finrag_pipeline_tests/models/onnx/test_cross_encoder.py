"""Pairs scored by real graphs: a score for each character, added up."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from finrag_pipeline.errors import ConfigurationError
from finrag_pipeline.models.onnx.cross_encoder import OnnxCrossEncoder
from finrag_pipeline_tests.models.onnx.graphs import ids, make_folder, table

TEXTS = ["营收增长", "毛利率下降的问题", "", "gross margin"]


def pair(question: str, text: str) -> list[int]:
    return [*ids(question), *ids(text)[1:]]


@pytest.mark.parametrize("labels", [1, 2])
def test_a_score_is_the_logit_of_yes(tmp_path: Path, labels: int) -> None:
    scores = table(labels)
    made = OnnxCrossEncoder(make_folder(tmp_path, scores, output="logits", summed=True))
    sums = np.stack([scores[pair("营收", text)].sum(axis=0) for text in TEXTS])
    expected = sums[:, -1] - (sums[:, 0] if labels == 2 else 0)
    assert np.allclose(made.score("营收", TEXTS), expected, atol=1e-4)
    assert made.score("营收", []).shape == (0,)


def test_only_the_beginning_of_a_long_text_is_read(tmp_path: Path) -> None:
    limit = {"max_seq_length": 12}
    folder = make_folder(
        tmp_path, table(1), output="logits", summed=True, sentence_bert_config=limit
    )
    first, second = OnnxCrossEncoder(folder).score("营收", ["abcdefghij", "abcdefgxyz" * 50])
    assert first == second


def test_an_embedder_is_no_cross_encoder(tmp_path: Path) -> None:
    folder = make_folder(tmp_path, table(16))
    with pytest.raises(ConfigurationError, match=f"FINRAG_RERANKER: onnx:{folder}: is no cross-"):
        OnnxCrossEncoder(folder)
