"""Rows of a table that open others: a block whose labels stood before, the parts of revenue."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from finrag_pipeline.query.answers.passages.saying import metrics_named
from finrag_pipeline.stages.tables.body import BodyRow

#: What rows below these are parts of.
_REVENUE = frozenset(("revenue", "total_revenue"))


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


def parts_of_revenue(rows: Iterable[BodyRow]) -> frozenset[int]:
    """The rows that stand under revenue and name no metric of their own."""
    found: list[int] = []
    inside = False
    for row in rows:
        named = metrics_named(row.label)
        inside = bool(named & _REVENUE) if named else inside
        found += [row.row] if inside and not named else []
    return frozenset(found)
