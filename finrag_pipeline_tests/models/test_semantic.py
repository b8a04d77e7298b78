"""The tables of word vectors that ship."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from finrag_pipeline.models.semantic import SEARCH_PATH, SEGMENTATION_PATH, SemanticTable


def cosine(table: SemanticTable, one: str, other: str) -> float:
    first, second = table.embed([{one: 1}, {other: 1}])
    return float(first @ second)


@pytest.mark.parametrize("path", [SEARCH_PATH, SEGMENTATION_PATH])
def test_a_packaged_table_is_small_and_knows_what_belongs_together(path: Path) -> None:
    assert path.stat().st_size <= 12 * 1024 * 1024
    table = SemanticTable.packaged(path)
    for one, near, far in (
        ("光伏", "太阳能", "存款"),
        ("存款", "贷款", "股东大会"),
        ("毛利率", "成本", "监事"),
        ("court", "lawsuit", "margin"),
    ):
        assert cosine(table, one, near) > cosine(table, one, far), (one, near, far)


def test_unknown_words_have_no_direction() -> None:
    vectors = SemanticTable.packaged(SEARCH_PATH).embed([{"zzyzx": 3}, {}, {"毛利率": 2}])
    assert not vectors[:2].any() and np.linalg.norm(vectors[2]) == pytest.approx(1, abs=1e-5)
