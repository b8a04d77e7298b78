"""The table of word vectors that ships."""

from __future__ import annotations

import numpy as np
import pytest

from finrag_pipeline.models.semantic import TABLE_PATH, SemanticTable


def cosine(table: SemanticTable, one: str, other: str) -> float:
    first, second = table.embed([{one: 1}, {other: 1}])
    return float(first @ second)


def test_the_packaged_table_is_small_and_knows_what_belongs_together() -> None:
    assert TABLE_PATH.stat().st_size <= 20 * 1024 * 1024
    table = SemanticTable.packaged()
    for one, near, far in (
        ("光伏", "太阳能", "存款"),
        ("存款", "贷款", "股东大会"),
        ("毛利率", "成本", "监事"),
        ("revenu", "margin", "lawsuit"),
    ):
        assert cosine(table, one, near) > cosine(table, one, far), (one, near, far)


def test_unknown_words_have_no_direction() -> None:
    vectors = SemanticTable.packaged().embed([{"zzyzx": 3}, {}, {"毛利率": 2}])
    assert not vectors[:2].any() and np.linalg.norm(vectors[2]) == pytest.approx(1, abs=1e-5)
