"""Rows of a table that open a block of others, whose labels stood before."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from finrag_pipeline.stages.tables.body import BodyRow


def openers(rows: Sequence[BodyRow]) -> dict[int, BodyRow]:
    """By row whose label stood before, the row since then whose label stands once: 板块毛利率 over
    the segments that 板块收入 listed above."""
    often = Counter(each.label for each in rows)
    seen: set[str] = set()
    found: dict[int, BodyRow] = {}
    opener: BodyRow | None = None
    for each in rows:
        if often[each.label] == 1:
            opener = each
        elif each.label not in seen:
            seen.add(each.label)
            opener = None
        elif opener is not None:
            found[each.row] = opener
    return found
