"""The offline embedder: the same everywhere, of unit length, and nearer where words are shared."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finrag_pipeline.models.offline import OfflineEmbedder
from finrag_pipeline.models.word_weights import TABLE_PATH, WordWeights
from finrag_pipeline.words import search_words, words

EMBEDDER = OfflineEmbedder()


@settings(max_examples=50)
@given(st.lists(st.text(max_size=80), max_size=4))
def test_rows_have_length_one_or_zero_and_do_not_depend_on_company(texts: list[str]) -> None:
    vectors = EMBEDDER.embed_passages(texts)
    assert vectors.shape == (len(texts), EMBEDDER.space.dimension) and vectors.dtype == np.float32
    lengths = np.linalg.norm(vectors, axis=1)
    assert np.all((np.abs(lengths - 1) < 1e-5) | (lengths == 0))
    for text, vector in zip(texts, vectors, strict=True):
        assert np.array_equal(EMBEDDER.embed_passages([text])[0], vector)


def test_another_process_makes_the_same_vectors() -> None:
    code = (
        "from finrag_pipeline.models.offline import OfflineEmbedder as E; "
        "print(E().space.fingerprint)"
    )
    for seed in ("1", "2"):
        made = subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
        )
        assert made.stdout.strip() == EMBEDDER.space.fingerprint, made.stderr


def test_what_shares_rare_words_is_nearer() -> None:
    question = EMBEDDER.embed_questions(["星河智造的毛利率为什么下降？"])[0]
    about, other, filler = EMBEDDER.embed_passages(
        [
            "星河智造毛利率下降，主要因原材料涨价。",
            "远山生物新药获批上市。",
            "公司的情况如何，是什么，为什么？",
        ]
    )
    assert question @ about > 0.4 > 0.2 > max(question @ other, question @ filler)


def test_words_that_share_no_character_are_near_by_their_meaning() -> None:
    question = EMBEDDER.embed_questions(["工厂建设进度"])[0]
    near, far = EMBEDDER.embed_passages(["新产线预计年底竣工投用。", "董事会提名张三为独立董事。"])
    assert question @ near > question @ far + 0.05


def test_weights_are_small_and_order_words_by_rarity() -> None:
    assert TABLE_PATH.stat().st_size <= 128 * 1024
    weights = WordWeights.packaged()
    assert weights.weight("的") < weights.weight("公司") + 1 < weights.weight("毛利率")
    assert weights.weight("the") < weights.weight("margin") < weights.weight("zyntrex")


def test_coverage_is_the_share_of_weight_found() -> None:
    weights = WordWeights.packaged()
    question = words("星河智造毛利率")
    assert weights.covered(question, search_words("星河智造的毛利率下降")) == pytest.approx(1.0)
    assert 0 < weights.covered(question, search_words("毛利率下降")) < 0.5
    assert weights.covered([], ["a"]) == 0.0
