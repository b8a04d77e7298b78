"""Whose profit 净利润 is in a broker's table: many houses print the parent's share under that name.

What the label says of it is `report_labels`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Decimal

from finrag_pipeline.records.facts import FinancialFact

_ALL, _PARENTS = "net_profit", "net_profit_attributable"
#: Two prints of one figure differ by no more than their rounding.
_ROUNDING = Decimal("0.006")

_Values = Mapping[tuple[int, str], Decimal]


def with_parent_profit(facts: Sequence[FinancialFact]) -> list[FinancialFact]:
    """Facts, with a table's 净利润 as the parent's where its figures are those.

    They are where they equal what another table calls the parent's share in all years, and minority
    interests or another table show that the whole profit is another.
    """
    tables: dict[tuple[str, int | None], dict[str, dict[tuple[int, str], Decimal]]] = defaultdict(
        lambda: defaultdict(dict)
    )
    for each in facts:
        held = tables[each.company_key, each.table][each.metric]
        held[each.period.fiscal_year, each.unit] = each.value
    named = {key for key in tables if _is_parents(key, tables)}
    return [
        replace(each, metric=_PARENTS)
        if each.metric == _ALL and (each.company_key, each.table) in named
        else each
        for each in facts
    ]


def with_profit_after_minorities(facts: Sequence[FinancialFact]) -> list[FinancialFact]:
    """Facts of one table, of two rows of profit the second as the parent's.

    It is where minority interests between them are what parts the two in every year: 税后利润,
    少数股东权益, 净利润.
    """
    rows: dict[str, dict[int, dict[tuple[int, str], Decimal]]] = defaultdict(
        lambda: defaultdict(dict)
    )
    for each in facts:
        held = rows[_ALL if each.metric == _ALL else each.metric.partition("_")[0]]
        held[each.row or 0][each.period.fiscal_year, each.unit] = each.value
    profits, minorities = sorted(rows[_ALL]), sorted(rows["minority"])
    if len(profits) != 2 or _PARENTS in {each.metric for each in facts}:
        return list(facts)
    first, second = profits
    between = [row for row in minorities if first < row < second]
    if len(between) != 1 or not _parted(*(rows[name][row] for name, row in (
        (_ALL, first), ("minority", between[0]), (_ALL, second)))):  # fmt: skip
        return list(facts)
    return [
        replace(each, metric=_PARENTS) if each.metric == _ALL and each.row == second else each
        for each in facts
    ]


def _parted(whole: _Values, minority: _Values, parents: _Values) -> bool:
    shared = whole.keys() & minority.keys() & parents.keys()
    return bool(shared) and all(
        abs(abs(whole[year] - parents[year]) - abs(minority[year]))
        <= _ROUNDING * max(abs(whole[year]), abs(parents[year]))
        for year in shared
    )


def _is_parents(
    key: tuple[str, int | None], tables: Mapping[tuple[str, int | None], Mapping[str, _Values]]
) -> bool:
    profit = tables[key].get(_ALL)
    if not profit or _PARENTS in tables[key]:
        return False
    others = [held for other, held in tables.items() if other[0] == key[0] and other != key]
    if not any(_equal(profit, held.get(_PARENTS, {})) for held in others):
        return False
    if any(any(held.get("minority_profit", {}).values()) for held in others):
        return True
    wholes = [held[_ALL] for held in others if _ALL in held and _PARENTS in held]
    return any(not _equal(profit, whole) for whole in wholes)


def _equal(some: _Values, others: _Values) -> bool:
    shared = some.keys() & others.keys()
    return bool(shared) and all(
        abs(some[year] - others[year]) <= _ROUNDING * max(abs(some[year]), abs(others[year]))
        for year in shared
    )
