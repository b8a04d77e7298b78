"""Figures that are worked out and not printed: arithmetic of cited figures, recomputed here, and
what a `NumberResult` makes of its rows. Which of them an answer states is `checking`'s.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal
from statistics import median

from finrag_pipeline.query.grounding.formulas import CONSTANTS, Calculation, evaluate
from finrag_pipeline.query.grounding.held import Ground
from finrag_pipeline.query.grounding.holding import Held
from finrag_pipeline.query.grounding.spans import Span, calendar_span, is_part, spans_of
from finrag_pipeline.query.numbers.records import HeldFact, NumberResult, NumberRow

#: Digits to which a calculation that is handed over and one that is made here are the same.
_SAME = Decimal("1e-12")


def of_calculation(found: Calculation, operands: Sequence[Held]) -> Held:
    """The result of a shown calculation whose operands are held, as a figure of its own."""
    result = found.result
    exact = found.value * (100 if result.unit in ("%", "pp") else 1)
    if abs(exact - result.value) > result.half:
        exact = found.value
    return made(exact, result.unit, operands)


def of_numbers(result: NumberResult) -> Iterator[Held]:
    """The figures of a result that its facts give when they are worked out anew."""
    told = (*result.rows, *(row.otherwise for row in result.rows if row.otherwise))
    rows = [row for row in told if row.value is not None]
    for row in (*rows, *([result.summary] if result.summary else [])):
        if row.value is None:
            continue
        facts = [_fact(each) for each in row.facts]
        if _recomputed(row) or (row is result.summary and _of_rows(row, rows)):
            whole = facts or [_fact(each) for other in rows for each in other.facts]
            yield _of_period(row, made(row.value, row.unit, whole))
        for step in row.steps:
            if _step_holds(step.shown, step.value, _known(row)):
                yield made(step.value, step.unit, facts)


def counts_of(result: NumberResult) -> frozenset[Decimal]:
    """How many there are of what a result lists: rows, companies, those left out."""
    rows = result.rows
    counts = {
        len(rows),
        len(result.without),
        len({row.company_key for row in rows}),
        len({row.period for row in rows}),
        *range(1, max(0, len(rows) - 10) + 1),
    }
    return frozenset(Decimal(count) for count in counts if count)


def growths(grounds: Iterable[Ground]) -> Iterator[Held]:
    """Growths between cited facts of one metric, company and scope that are a year apart, or of
    which one opened the year of the other."""
    facts = [held for ground in grounds for held in ground.figures if held.metric and held.spans]
    for one in facts:
        for other in facts:
            alike = (one.metric, one.companies, one.scope, one.unit) == (
                other.metric,
                other.companies,
                other.scope,
                other.unit,
            )
            if alike and other.value and (_year_apart(one, other) or _opened(one, other)):
                grown = (one.value - other.value) / abs(other.value) * 100
                yield made(grown, "%", [one])
                yield made(one.value - other.value, one.unit, [one])


def made(value: Decimal, unit: str, operands: Sequence[Held]) -> Held:
    """A figure of the times, companies and scope of what it is made of."""
    scopes = {each.scope for each in operands if each.scope}
    companies = frozenset(key for each in operands for key in each.companies)
    return Held(
        value,
        unit,
        None,
        _spans(operands),
        companies,
        "parent" if scopes == {"parent"} else "consolidated" if scopes else None,
        "derived",
        exact=True,
    )


def _of_period(row: NumberRow, held: Held) -> Held:
    """A figure of the part of a year that its row tells, where that is one of a calendar's."""
    asked = row.period and calendar_span(row.period.fiscal_year, row.period.kind)
    told = {each for each in held.spans if asked and (each.instant or each == asked)}
    return replace(held, spans=frozenset(told)) if told else held


def _spans(operands: Sequence[Held]) -> frozenset[Span]:
    """Times of what is made of figures: the latest of theirs, what is left of one without another,
    all of them together."""
    spans = {span for each in operands for span in each.spans}
    if not spans:
        return frozenset()
    last = max(each.last_on for each in spans)
    found = {each for each in spans if each.last_on == last}
    for one in tuple(found):
        for other in spans:
            if other.first_on == one.first_on and other.last_on < last and not one.instant:
                found.add(Span(other.last_on + timedelta(days=1), last))
    if len(operands) == 2 and operands[0].metric == operands[1].metric:
        found |= {each for each in spans if any(is_part(each, other) for other in spans)}
    found.add(Span(min(each.first_on for each in spans), last))
    return frozenset(found)


def _year_apart(one: Held, other: Held) -> bool:
    return any(
        first.last_on.year == second.last_on.year + 1
        and abs((first.last_on - second.last_on).days - 365) <= 7
        and abs((first.first_on - second.first_on).days - 365) <= 7
        for first in one.spans
        for second in other.spans
    )


def _opened(one: Held, other: Held) -> bool:
    """Whether a figure is of a day of a calendar year, and another of the day before that."""
    return any(
        first.instant and second.instant and second.last_on == date(first.last_on.year - 1, 12, 31)
        for first in one.spans
        for second in other.spans
    )


def _fact(fact: HeldFact) -> Held:
    return Held(
        fact.value,
        fact.unit,
        None,
        spans_of(fact.fiscal_year, fact.period, fact.first_on, fact.last_on),
        frozenset([fact.company_key]),
        fact.scope,
        fact.metric,
        exact=True,
    )


def _known(row: NumberRow) -> set[Decimal]:
    return {
        *(abs(each.value) for each in row.facts),
        *(abs(each.value) for each in row.steps),
        *CONSTANTS,
    }


def _recomputed(row: NumberRow) -> bool:
    """Whether a row is one of its facts, or what its steps make of them."""
    if not row.steps:
        return any(each.value == row.value for each in row.facts)
    known = _known(row)
    if not all(_step_holds(each.shown, each.value, known) for each in row.steps):
        return False
    return row.value in (row.steps[-1].value, row.steps[-1].value * 100)


def _step_holds(shown: str, value: Decimal, known: set[Decimal]) -> bool:
    found = evaluate(shown)
    if found is None:
        return False
    worked_out, numbers = found
    least = abs(value) * _SAME
    return all(abs(each) in known for each in numbers) and any(
        abs(worked_out * share - value) <= least for share in (1, 100)
    )


def _of_rows(summary: NumberRow, rows: Sequence[NumberRow]) -> bool:
    """Whether a summary is the sum, mean, middle, greatest, least or number of rows that hold."""
    values = [row.value for row in rows if row.value is not None and _recomputed(row)]
    if not values or len(values) < len(rows) or summary.value is None:
        return False
    total = sum(values, Decimal(0))
    made_of = (
        total,
        total / len(values),
        median(values),
        max(values),
        min(values),
        max(values) - min(values),
        Decimal(len(values)),
    )
    return any(abs(each - summary.value) <= abs(each) * _SAME for each in made_of)
