"""A table of word vectors learns what a teacher makes of texts."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest

from finrag_pipeline.models.embedding import unit
from training.activation_outliers import divisors
from training.distillation import centred, distil, feature_counts, fit, sample

FEATURES = [*"光伏银行白酒存款组件渠道", "zzz"]
CHANCE = np.random.default_rng(5)


def texts(count: int) -> list[str]:
    return ["".join(CHANCE.choice(FEATURES[:12], 6)) for _ in range(count)]


def test_texts_never_seen_get_nearly_the_teachers_vectors() -> None:
    meanings = CHANCE.normal(size=(len(FEATURES), 24)).astype(np.float32)
    common = 3 * CHANCE.normal(size=24).astype(np.float32)
    seen, held = feature_counts(texts(400), FEATURES), feature_counts(texts(40), FEATURES)

    def teacher(counts: object) -> np.ndarray:
        return unit(counts @ meanings / 6 + common)  # type: ignore[operator]

    # the last features have no vector of their own to begin with
    words = centred(unit(meanings[:8] + common), FEATURES[:8])
    paragraphs = centred(teacher(seen), ["中"] * 400)
    table = distil(seen, paragraphs, words, dimension=12)
    assert table.shape == (13, 12) and not table[12].any()
    wanted = teacher(held) - teacher(seen).mean(axis=0)
    made = unit(held @ table)
    first, second = made @ made.T, unit(wanted) @ unit(wanted).T
    assert np.corrcoef(first.ravel(), second.ravel())[0, 1] > 0.9


def test_what_a_language_has_in_common_is_gone() -> None:
    vectors = CHANCE.normal(size=(6, 4)).astype(np.float32)
    found = centred(vectors, ["公司", "银行", "白酒", "bank", "wine", "a"])
    assert np.allclose(found[:3].mean(axis=0), 0, atol=1e-6)
    assert np.allclose(found[3:].mean(axis=0), 0, atol=1e-6)
    assert np.allclose(centred(vectors[:1], ["公司"]), 0)


def test_what_no_text_holds_stays_where_it_was() -> None:
    counts = feature_counts(["光伏光伏", "银行"], FEATURES)
    first = CHANCE.normal(size=(len(FEATURES), 4)).astype(np.float32)
    taught = unit(CHANCE.normal(size=(2, 4)))
    moved = fit(counts, taught, first)
    assert np.array_equal(moved[4:], first[4:]) and not np.allclose(moved[:4], first[:4])
    assert (unit(counts @ moved) * taught).sum(axis=1).min() > 0.9


def test_the_same_seed_reads_the_same_beginnings(tmp_path: Path) -> None:
    path = tmp_path / "text.gz"
    lines = ["短", "公司" * 200, "a company of that kind " * 40]
    path.write_bytes(gzip.compress("\n".join(lines).encode()))
    assert sorted(map(len, sample([path], 1))) == [160, 400]
    assert sample([path], 1) == sample([path], 1)


@pytest.mark.parametrize("times", [1, 2.9, 40])
def test_only_columns_far_above_the_median_are_divided(times: float) -> None:
    highest = np.full((2, 9), 2.0, dtype=np.float32)
    highest[1, 3] *= times
    found = divisors(highest)
    assert found[1, 3] == pytest.approx(max(1, times / 3), rel=1e-3)
    assert (np.delete(found.ravel(), 12) == 1).all()
