"""Figures over time: a metric or formula by period, and forecasts beside what came true.

Single figures are `figures`; how one is worked out of others is `query.numbers`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import cast, get_args

from finrag_pipeline.errors import InvalidQuestion, NotFound
from finrag_pipeline.grammar.fact_metrics import fact_metrics, metric_of_label
from finrag_pipeline.grammar.publishers import canonical
from finrag_pipeline.query.browsing.figures import Figure, keys_of, read_figures
from finrag_pipeline.query.browsing.frames import Tabular
from finrag_pipeline.query.browsing.viewpoint import MOST, Value, Viewpoint
from finrag_pipeline.query.numbers.execute import answer_numbers
from finrag_pipeline.query.numbers.expressions import figures_of
from finrag_pipeline.query.numbers.formulas import formulas, formulas_in, metric_measure
from finrag_pipeline.query.numbers.records import (
    AskedCompany,
    AskedPeriod,
    Measure,
    NumberQuestion,
    NumberRow,
)
from finrag_pipeline.records.facts import PeriodKind
from finrag_pipeline.store.facts import fact_lists
from finrag_pipeline.store.facts.report_views import FORECASTS

PERIODS: tuple[PeriodKind, ...] = get_args(PeriodKind)


@dataclass(frozen=True, slots=True)
class Working:
    """One line of how a value was worked out.

    Attributes:
        shown: the calculation with its figures: `(100 - 80) / 80`.
        fact_ids: of the figures that stand in it.
    """

    name: str
    shown: str
    value: Value
    unit: str
    fact_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Point:
    """A value at one period.

    Attributes:
        value: as printed or worked out, in `unit`.
        nature: actual, or forecast where nothing is reported yet.
        notes: what must be said beside it: `restated`, `as_printed`, `only_cumulative_held` …
        workings: how it was worked out, in order; empty for a figure as held.
        figures: the cells that it stands on.
    """

    fiscal_year: int
    period: str
    value: Value
    unit: str
    nature: str
    broker: str | None
    notes: tuple[str, ...]
    workings: tuple[Working, ...]
    figures: tuple[Figure, ...]


@dataclass(frozen=True, slots=True)
class Series(Tabular):
    """A metric or formula of a company over periods, the oldest first."""

    company_key: str
    metric: str
    metric_zh: str
    metric_en: str
    points: tuple[Point, ...]

    @property
    def rows(self) -> tuple[Point, ...]:
        """Its points."""
        return self.points


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a house last expected of a year before it was reported, and what came true.

    Attributes:
        off_pct: how far the forecast lay over (or, below zero, under) what came true, in percent;
            None where that is nothing.
    """

    broker: str
    forecast: Figure
    actual: Figure
    off_pct: float | None


@dataclass(frozen=True, slots=True)
class HouseRecord:
    """How near a house's forecasts came to what was reported.

    Attributes:
        mean_off_pct: mean of how far they lay off, signs aside.
        over: how many were too high, by more than rounding.
    """

    broker: str
    metric: str
    forecasts: int
    mean_off_pct: float
    over: int
    under: int


@dataclass(frozen=True, slots=True)
class Outcomes(Tabular):
    """Forecasts beside what came true, and each house's record over them, the nearest first."""

    outcomes: tuple[Outcome, ...]
    houses: tuple[HouseRecord, ...]

    @property
    def rows(self) -> tuple[Outcome, ...]:
        """Forecasts with what came true."""
        return self.outcomes


#: Percent by which a forecast may lie off and count as met: figures are rounded in reports.
_MET_PCT = 0.5


def series(
    view: Viewpoint, company: str, metric: str, *, period: str | None = "FY", last: int = 12
) -> Series:
    """A metric or a formula (`gross_margin`, `roe` …) of a company over time.

    A single quarter is worked out of the sums up to its end and its start where it is not printed.

    Args:
        metric: its name, or as documents print it.
        period: part of a fiscal year; None: every part that is reported or expected.
        last: how many of the newest periods.

    Raises:
        InvalidQuestion: there is no such part of a year, or `last` is out of range.
        NotFound: there is no such metric or company, or there are several companies.
    """
    measure = _measure(metric)
    if period not in (None, *PERIODS):
        raise InvalidQuestion(f"{period!r} is no part of a year: name one of {', '.join(PERIODS)}")
    if not 1 <= last <= MOST:
        raise InvalidQuestion(f"last is 1 to {MOST}, not {last}")
    keys = keys_of(view, company)
    used = {each.metric for each in figures_of(measure.expression)} | set(measure.printed)
    held = fact_lists.periods_of(view.connection, keys, used)
    if period:
        held = [(year, period) for year in dict.fromkeys(year for year, _ in held)]
    asked = tuple(AskedPeriod(year, cast(PeriodKind, part)) for year, part in held[-last:])
    rows: Sequence[NumberRow] = ()
    if asked:
        whom = AskedCompany(keys[:1], company, also=keys[1:])
        question = NumberQuestion("", "value", (whom,), (measure,), asked)
        rows = answer_numbers(question, view.connection).rows
    found = read_figures(view, (fact_id for row in rows for fact_id in row.fact_ids))
    points = tuple(_point(row, found) for row in rows if row.value is not None and row.period)
    return Series(keys[0], measure.name, measure.name_zh, measure.name_en, points)


def outcomes(
    view: Viewpoint, *, company: str | None = None, broker: str | None = None, limit: int = MOST
) -> Outcomes:
    """Forecasts of profit, revenue and earnings per share beside what was reported since.

    Args:
        company: of it alone; by a name or a code.
        broker: of this house alone.
        limit: how many, those of the newest years first.

    Raises:
        InvalidQuestion: `limit` is out of range.
        NotFound: there is no such company, or there are several.
    """
    if not 1 <= limit <= MOST:
        raise InvalidQuestion(f"limit is 1 to {MOST}, not {limit}")
    keys = keys_of(view, company) if company else None
    house = canonical(broker) if broker else None
    held = fact_lists.outcomes(view.connection, FORECASTS, keys, house, limit)
    found = read_figures(view, (each for one in held for each in (one.forecast_id, one.actual_id)))
    told: list[Outcome] = []
    for each in held:
        forecast, actual = found[each.forecast_id], found[each.actual_id]
        off = (forecast.value - actual.value) / abs(actual.value) * 100 if actual.value else None
        told.append(
            Outcome(forecast.broker or "", forecast, actual, None if off is None else float(off))
        )
    return Outcomes(tuple(told), _records(told))


def _records(told: Sequence[Outcome]) -> tuple[HouseRecord, ...]:
    by_house: defaultdict[tuple[str, str], list[float]] = defaultdict(list)
    for each in told:
        if each.off_pct is not None:
            by_house[each.broker, each.actual.metric].append(each.off_pct)
    records = [
        HouseRecord(
            broker,
            metric,
            len(off),
            sum(map(abs, off)) / len(off),
            sum(each > _MET_PCT for each in off),
            sum(each < -_MET_PCT for each in off),
        )
        for (broker, metric), off in by_house.items()
    ]
    return tuple(sorted(records, key=lambda each: (each.metric, each.mean_off_pct, each.broker)))


def metric_named(text: str) -> str:
    """The name of the metric or formula that a text is: its name, or how it is called or printed.

    Raises:
        NotFound: it is none; the line names those near.

    >>> metric_named("gross_margin"), metric_named("营业收入"), metric_named("毛利率")
    ('gross_margin', 'revenue', 'gross_margin')
    """
    names = [*fact_metrics(), *formulas()]
    if text in names:
        return text
    for measure, start, end in formulas_in(text):
        if (start, end) == (0, len(text)):
            return measure.name
    if metric := metric_of_label(text):
        return metric.name
    near = get_close_matches(text, names, 3)
    offered = f"; near to it: {', '.join(near)}" if near else ""
    raise NotFound(f"there is no metric or formula {text!r}{offered}")


def _measure(metric: str) -> Measure:
    name = metric_named(metric)
    return formulas()[name].measure if name in formulas() else metric_measure(name)


def _point(row: NumberRow, found: dict[str, Figure]) -> Point:
    assert row.period is not None and row.value is not None  # others are left out
    workings = tuple(
        Working(each.name, each.shown, each.value, each.unit, each.fact_ids) for each in row.steps
    )
    return Point(
        row.period.fiscal_year,
        row.period.kind,
        row.value,
        row.unit,
        row.nature,
        row.broker,
        row.notes,
        workings,
        tuple(found[each] for each in row.fact_ids if each in found),
    )
