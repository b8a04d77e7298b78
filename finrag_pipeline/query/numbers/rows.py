"""The rows of a measure: whose figure, of which period, worked out or why not.

What is made of many rows is `aggregates`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from finrag_pipeline.query.numbers.arithmetic import (
    Unavailable,
    measured,
    work_out,
    yearly_growth,
)
from finrag_pipeline.query.numbers.expressions import Combined, Figure, Nature, figures_of
from finrag_pipeline.query.numbers.making import empty_row, told_row
from finrag_pipeline.query.numbers.operands import Held, Point
from finrag_pipeline.query.numbers.prices import is_price, prices
from finrag_pipeline.query.numbers.records import (
    AskedPeriod,
    Measure,
    NumberQuestion,
    NumberRow,
)
from finrag_pipeline.query.numbers.segments import segments_meant
from finrag_pipeline.records.facts import PeriodKind

#: The longest part of a year that is told where only sums are held.
_SUMS: dict[PeriodKind, PeriodKind] = {"Q2": "H1", "Q3": "9M"}
_LENGTH: tuple[PeriodKind, ...] = ("Q1", "Q2", "Q3", "Q4", "H2", "H1", "9M", "FY")


def rows_of(question: NumberQuestion, measure: Measure, held: Held) -> Iterator[NumberRow]:
    """A measure of each company and period that is asked for, in the order of the question."""
    priced = is_price(measure)
    companies = held.companies() if question.everyone else _keys(question)
    for company in companies:
        if priced:
            yield from prices(measure, company, held, question)
            continue
        for segment in segments_meant(question.segments, company, measure, held):
            periods = question.periods or _latest(question, measure, company, segment, held)
            if question.yearly:
                yield _yearly(measure, company, segment, periods, held)
                continue
            for period in periods:
                yield from _at(question, measure, company, segment, period, held)


def _at(
    question: NumberQuestion,
    measure: Measure,
    company: str,
    segment: str,
    period: AskedPeriod,
    held: Held,
) -> Iterator[NumberRow]:
    point = Point(company, period, segment=segment, base=question.base)
    for nature in question.natures:
        if nature == "actual":
            row = _row(measure, point, held)
            expected = [
                each
                for each in _of_houses(question, measure, point, held, "forecast")
                if row.value is None and each.value is not None
            ]
            if expected and question.natures == ("actual",):
                # whoever asks a house asks for what it expects
                note = () if question.houses else ("only_forecast_held",)
                yield from (replace(each, notes=(*each.notes, *note)) for each in expected)
                continue
            sums = _SUMS.get(period.kind)
            if row.value is None and sums and question.operation == "value":
                other = _row(
                    measure, replace(point, period=AskedPeriod(period.fiscal_year, sums)), held
                )
                if other.value is not None:
                    row = replace(other, notes=(*other.notes, "only_cumulative_held"))
            yield row
            continue
        expected = list(_of_houses(question, measure, point, held, nature))
        yield from expected
        if "actual" in question.natures:
            for each in expected:
                if each.value is not None:
                    yield _row(_apart(measure, nature), replace(point, broker=each.broker), held)


def _of_houses(
    question: NumberQuestion, measure: Measure, point: Point, held: Held, nature: Nature
) -> Iterator[NumberRow]:
    """What each house that is asked for expects, also where it says nothing; else what all do."""
    point = replace(point, nature=nature)
    if nature != "forecast" or not question.houses:
        found = list(_expected(measure, point, held, nature))
        yield from found or [_row(measure, point, held)]
        return
    for house in question.houses:
        at = replace(point, broker=house.name, published=house.published)
        yield _row(measure, at, held)


def _expected(measure: Measure, point: Point, held: Held, nature: Nature) -> Iterator[NumberRow]:
    """What is expected, broker by broker."""
    metrics = {each.metric for each in figures_of(measure.expression)} | set(measure.printed)
    brokers = {
        each.broker
        for each in held.facts
        if each.nature == nature
        and each.metric in metrics
        and each.company_key == point.company
        and each.fiscal_year == point.period.fiscal_year
    }
    for broker in sorted(brokers, key=lambda each: each or ""):
        row = _row(measure, replace(point, nature=nature, broker=broker), held)
        if row.value is not None:
            yield row


def _apart(measure: Measure, nature: Nature) -> Measure:
    """How far what was expected lies from what was."""
    (figure,) = [*figures_of(measure.expression)][:1]
    expression = Combined("-", replace(figure, nature=nature), replace(figure, nature="actual"))
    return replace(
        measure,
        name=f"{measure.name}_{nature}_difference",
        expression=expression,
        alternatives=(),
        printed=(),
        change="difference",
        name_zh=f"{measure.name_zh}预测与实际之差",
        name_en=f"{nature} less actual {measure.name_en}",
    )


def _row(measure: Measure, point: Point, held: Held) -> NumberRow:
    """A measure at a point; of a growth also as it is with the other reading of its base.

    Of years that are both named each is as its own report tells it; else the year before is as the
    newer report adjusts it.
    """
    if not measure.change:
        return _read(measure, point, held)
    point = replace(point, adjusted=point.base is None)
    row = _read(measure, point, held)
    other = _read(measure, replace(point, adjusted=not point.adjusted), held)
    if row.value is None or other.value is None or other.value == row.value:
        return row
    return replace(row, otherwise=other, notes=(*row.notes, "base_adjusted"))


def _read(measure: Measure, point: Point, held: Held) -> NumberRow:
    """A measure at a point: worked out, as printed, or why not."""
    expected = point.nature != "actual"
    ways = [(each, False) for each in (measure.expression, *measure.alternatives)]
    prints = [(Figure(each), True) for each in measure.printed]
    ordered = [*prints, *ways] if measure.prefers_printed or expected else [*ways, *prints]
    failed: Unavailable | None = None
    for expression, printed in ordered:
        own = expression is measure.expression
        told = measure if own else replace(measure, expression=expression)
        try:
            if measure.kind == "days" and point.period.kind != "FY":
                raise Unavailable("not_derivable", f"{measure.name} is of full years")
            worked = work_out(expression, lambda figure: held.work_out(figure, point))
            worked = worked if printed else measured(told, worked)
        except Unavailable as unavailable:
            failed = failed or unavailable
            continue
        notes = (*worked.notes, "as_printed") if printed else worked.notes
        return told_row(told, point, held, worked, notes)
    assert failed is not None
    return replace(empty_row(measure, point, held), status=failed.status, reason=failed.reason)


def _yearly(
    measure: Measure, company: str, segment: str, periods: Sequence[AskedPeriod], held: Held
) -> NumberRow:
    """The yearly growth of a measure from the first of its periods to the last."""
    ordered = sorted(periods, key=lambda each: each.fiscal_year)
    named = replace(
        measure,
        name=f"{measure.name}_cagr",
        kind="percent",
        name_zh=f"{measure.name_zh}复合增长率",
        name_en=f"compound annual growth rate of {measure.name_en}",
    )
    if not ordered:
        row = empty_row(named, Point(company, AskedPeriod(0, "FY")), held)
        return replace(row, period=None, status="missing", reason=f"no {measure.name} is held")
    first, last = (Point(company, each, segment=segment) for each in (ordered[0], ordered[-1]))
    try:
        if first.period.kind != last.period.kind:
            raise Unavailable("not_derivable", "the periods are of different lengths")
        ends = [
            work_out(measure.expression, lambda figure, at=at: held.work_out(figure, at))
            for at in (first, last)
        ]
        years = last.period.fiscal_year - first.period.fiscal_year
        worked = yearly_growth(ends[0], ends[1], years)
    except Unavailable as unavailable:
        row = empty_row(named, last, held)
        return replace(row, status=unavailable.status, reason=unavailable.reason)
    return told_row(named, last, held, worked, worked.notes)


def _latest(
    question: NumberQuestion, measure: Measure, company: str, segment: str, held: Held
) -> tuple[AskedPeriod, ...]:
    """The newest periods that a measure is held of: full years first, unless the newest is asked.

    Where nothing is held the newest year of any figure is told as missing.
    """
    metrics = {each.metric for each in figures_of(measure.expression)} | set(measure.printed)
    natures = set(question.natures)
    own = [each for each in held.facts if each.company_key == company and each.nature in natures]
    facts = [each for each in own if each.metric in metrics] or own
    there = {
        (each.last_on, _LENGTH.index(each.period), AskedPeriod(each.fiscal_year, each.period))
        for each in facts
        if each.period != "other"
    }
    newest_first = sorted(there, key=lambda each: each[:2], reverse=True)
    periods = list(dict.fromkeys(each[2] for each in newest_first))
    named = any(
        word in question.text.lower() for word in ("最新", "最近一期", "latest", "most recent")
    )
    if not named or question.recent:
        periods = [each for each in periods if each.kind == "FY"] or periods
    found = [
        each
        for each in periods[:12]
        if any(
            _row(measure, Point(company, each, nature, segment=segment), held).value is not None
            for nature in question.natures
        )
    ]
    return tuple(reversed((found or periods)[: max(question.recent, 1)]))


def _keys(question: NumberQuestion) -> tuple[str, ...]:
    return tuple(dict.fromkeys(key for each in question.companies for key in each.keys))
