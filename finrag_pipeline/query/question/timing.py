"""How far a document speaks of the times that a question names, by its filer's own calendar.

How periods are written is `grammar.periods`, what a document reports on `stages.metadata`.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta

from finrag_pipeline.grammar.periods import ReportingPeriod
from finrag_pipeline.query.question.catalogue import DocumentFacts
from finrag_pipeline.query.weights import PERIOD_SHARES, PeriodShares

#: What is planned for a time: the report on the time before tells it.
PLANNED = re.compile(
    r"目标(?!价|客户|市场|人群|公司)|计划(?!生育)|规划|预算|指引|"
    r"\b(?:targets?|guidance|budget|plan(?:s|ned)?)\b(?! price)",
    re.IGNORECASE,
)
#: A period of weeks ends some days beside the month's end.
_ENDS_APART_DAYS = 20
_YEAR_DAYS = 365


@dataclass(frozen=True, slots=True)
class YearEnd:
    """The last day of one of a filer's fiscal years, and what it calls that year."""

    last_on: date
    fiscal_year: int


def period_agreement(
    asked: Sequence[ReportingPeriod],
    document: DocumentFacts,
    year_end: YearEnd | None,
    shares: PeriodShares = PERIOD_SHARES,
    *,
    planned: bool = False,
) -> float:
    """0 to 1: how far a document tells of some periods, of which the latest counts most.

    What a report tells of one year, the reports of the next two tell again beside their own.

    Args:
        asked: one at least.
        year_end: of its company; None where no annual report tells it.
        planned: whether what was planned for them is asked for, which the report on the year
            before tells as well.
    """
    latest = max(period.last_on for period in asked)
    before = [year_before(each) for each in asked if each.last_on == latest] if planned else []
    return max(
        _agreement(period, document, year_end, shares)
        * (1.0 if period.last_on == latest or period in before else shares.compared)
        for period in (*asked, *before)
    )


def year_before(period: ReportingPeriod) -> ReportingPeriod:
    """The same part of the year before."""
    return replace(period, first_on=_back(period.first_on), last_on=_back(period.last_on))


def _back(day: date) -> date:
    """The same day a year earlier; the last of February stays that."""
    month_end = day.day == monthrange(day.year, day.month)[1]
    last = monthrange(day.year - 1, day.month)[1]
    return date(day.year - 1, day.month, last if month_end else min(day.day, last))


def fiscal_last_day(period: ReportingPeriod, year_end: YearEnd) -> date:
    """The last day of a part of a fiscal year by its filer's calendar.

    >>> from finrag_pipeline.grammar.periods import periods_in
    >>> (quarter,) = periods_in("second quarter of fiscal 2024", "question")
    >>> str(fiscal_last_day(quarter, YearEnd(date(2019, 5, 31), 2019)))
    '2023-11-30'
    """
    # a year of weeks that ends on the first days of a month is that of the month before
    end = year_end.last_on - timedelta(days=_ENDS_APART_DAYS // 2)
    beyond = year_end.last_on.year - year_end.fiscal_year
    months = 12 * (period.last_on.year + beyond) + end.month - 1 - (12 - period.last_on.month)
    year, month = divmod(months, 12)
    return date(year, month + 1, monthrange(year, month + 1)[1])


def _agreement(
    period: ReportingPeriod, document: DocumentFacts, year_end: YearEnd | None, shares: PeriodShares
) -> float:
    row = document.row
    filed = row.kind == "filing"
    if row.period_last_on is None or row.fiscal_year is None:
        near = 0 <= row.published_on.year - period.last_on.year <= 1
        known = row.published_on_printed
        return shares.undated if near or not known else shares.before if filed else shares.research
    if _whole_years(period):
        share = shares.later(row.fiscal_year - period.last_on.year)
        if row.period_last_on.year == period.last_on.year:
            # not every question calls a year as its filer does
            share = max(share, shares.later(1))
        if filed and document.form != "annual":
            share *= shares.part
    else:
        ends = [period.last_on, *([fiscal_last_day(period, year_end)] if year_end else [])]
        share = max(
            _within_year(end, row.period_first_on, row.period_last_on, shares) for end in ends
        )
    # research looks forward and back: its period is where it was written
    return share if filed else max(share, shares.research)


def _within_year(end: date, first: date | None, last: date, shares: PeriodShares) -> float:
    """How far a report tells of a day or a part of a year by where that ends."""
    apart = (last - end).days
    if abs(apart) <= _ENDS_APART_DAYS:
        return 1.0
    if apart < 0:
        return shares.before
    again = abs(apart - _YEAR_DAYS) <= _ENDS_APART_DAYS
    held = first is not None and first <= end
    return shares.later(1) if again or held else shares.later(3)


def _whole_years(period: ReportingPeriod) -> bool:
    first, last = period.first_on, period.last_on
    return (first.month, first.day, last.month, last.day) == (1, 1, 12, 31)
