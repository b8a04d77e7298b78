"""Growths as sentences print them right behind a figure, where what they are counted from is not
held: reports say that revenue grew by a fifth and seldom how much it was the year before.

How that is written is `grammar.growths`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from finrag_pipeline.grammar.growths import growth_behind
from finrag_pipeline.query.numbers.records import HeldFact, NumberRow

#: Facts whose sentences are looked at for one growth.
_MOST = 12
#: Of a fact by its id: its sentence or row, and the figure as printed.
Quotes = Callable[[Sequence[str]], Mapping[str, tuple[str, str]]]


def with_printed(
    rows: Iterable[NumberRow], facts: Sequence[HeldFact], quotes: Quotes
) -> tuple[NumberRow, ...]:
    """Rows of which those without a value are told as a sentence has them, if one does."""
    return tuple(
        (_printed(row, facts, quotes) or row) if row.value is None else row for row in rows
    )


def _printed(row: NumberRow, facts: Sequence[HeldFact], quotes: Quotes) -> NumberRow | None:
    measure = row.measure
    if not measure.change or row.period is None or row.nature != "actual":
        return None
    since = "quarter" if measure.change == "quarter_on_quarter" else "year"
    of_same = [
        each
        for each in facts
        if each.metric in measure.grown
        and each.company_key == row.company_key
        and (each.fiscal_year, each.period) == (row.period.fiscal_year, row.period.kind)
        and each.nature == "actual"
        and each.segment == row.segment
    ][:_MOST]
    held = quotes([each.fact_id for each in of_same]) if of_same else {}
    for fact in of_same:
        text, figure = held.get(fact.fact_id, ("", ""))
        growth = growth_behind(text, figure) if figure else None
        # of a share of a hundred the growth is in points
        if growth is None or growth.since != since or (growth.unit == "pp") != (fact.unit == "%"):
            continue
        return replace(
            row,
            value=growth.value,
            unit=growth.unit,
            facts=(fact,),
            status="found",
            reason="",
            notes=("as_printed",),
        )
    return None
