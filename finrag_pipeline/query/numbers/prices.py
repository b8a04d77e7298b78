"""Prices that houses expect: they stand at the day of their report, and not in a fiscal year."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date

from finrag_pipeline.grammar.fact_metrics import fact_metrics
from finrag_pipeline.query.numbers.arithmetic import Worked
from finrag_pipeline.query.numbers.making import empty_row, told_row
from finrag_pipeline.query.numbers.operands import Held, Point
from finrag_pipeline.query.numbers.records import (
    AskedHouse,
    AskedPeriod,
    HeldFact,
    Measure,
    NumberQuestion,
    NumberRow,
)


def is_price(measure: Measure) -> bool:
    """Whether it is one."""
    metric = fact_metrics().get(measure.name)
    return metric is not None and metric.kind == "price"


def prices(
    measure: Measure, company: str, held: Held, question: NumberQuestion
) -> Iterator[NumberRow]:
    """Prices stand at the day of their report: the newest of each broker, newest first."""
    named = {each.fiscal_year for each in question.periods}
    newest: dict[str | None, HeldFact] = {}
    for fact in held.facts:
        if fact.company_key != company or fact.metric != measure.name:
            continue
        if named and not {fact.fiscal_year, (fact.published_on or fact.last_on).year} & named:
            continue
        if question.houses and not any(_is_of(fact, each) for each in question.houses):
            continue
        old = newest.get(fact.broker)
        if old is None or _day(fact) > _day(old):
            newest[fact.broker] = fact
    if not newest:
        period = question.periods[0] if question.periods else None
        row = empty_row(measure, Point(company, period or AskedPeriod(0, "FY")), held)
        yield replace(row, period=period, status="missing", reason=f"no {measure.name} is held")
    for fact in sorted(newest.values(), key=_day, reverse=True):
        point = Point(company, AskedPeriod(fact.fiscal_year, fact.period), fact.nature, fact.broker)
        worked = Worked(fact.value, fact.unit, "", (fact,))
        yield told_row(measure, point, held, worked, ())


def _is_of(fact: HeldFact, house: AskedHouse) -> bool:
    """Whether a figure is a house's, of the document that is meant."""
    if fact.broker != house.name or house.published is None:
        return fact.broker == house.name
    first, last = house.published
    return first <= _day(fact) <= last


def _day(fact: HeldFact) -> date:
    return fact.published_on or fact.last_on
