"""What a filing says of itself that its figures need: whose it is, which sort, which days.

How its columns name their periods is `columns`.
"""

from __future__ import annotations

import re
from calendar import monthrange
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal

from finrag_pipeline.grammar.periods import months_before
from finrag_pipeline.records import Metadata
from finrag_pipeline.records.facts import KINDS, FactPeriod
from finrag_pipeline.stages.identity.company_keys import company_key, name_of_file

Report = Literal[
    "annual", "annual_summary", "half", "half_summary", "quarter", "express", "prospectus"
]
_PERIODIC = re.compile(
    r"(?:年度?|半年度?|季度?|中期)(?:财务)?报告?|[年季中]报|审计报告|财务报[表告]|业绩(?:公告|公布)|全年业[绩績]|年度?業績"
)
_GUIDANCE = re.compile(r"业绩预告|盈利预告|盈利警告|预[增减亏]公告")
_SUMMARY = re.compile(r"摘要")
_EXPRESS = re.compile(r"业绩快报|快报")
_PROSPECTUS = re.compile(r"招股|募集说明书|上市公告书")


@dataclass(frozen=True, slots=True)
class Filing:
    """A company's own report.

    Attributes:
        company_key: see `company_keys`.
        report: which sort it is; ranks what it says.
        last_on: the last day that it reports on; None where it names none, then only columns that
            print their days have a period.
    """

    company_key: str
    company_code: str | None
    company_name: str | None
    report: Report
    last_on: date | None

    @property
    def year_to_date(self) -> FactPeriod | None:
        """From the first day of its year to its last day."""
        return self.last_on and span(date(self.last_on.year, 1, 1), self.last_on)

    @property
    def quarter(self) -> FactPeriod | None:
        """The three months that its last day closes."""
        return self.last_on and span(months_before(self.last_on, 3), self.last_on)


def filing_of(metadata: Metadata, source_name: str) -> Filing | None:
    """The report of its own figures that a Chinese filing is; None for any other document."""
    if metadata.kind != "filing" or metadata.language != "zh":
        return None
    name = metadata.company_name or name_of_file(source_name, metadata.kind)
    key = company_key(name, metadata.company_code)
    if not key:
        return None
    report = _report(f"{metadata.title or ''} {source_name}", metadata)
    if report is None:
        return None
    return Filing(key, metadata.company_code, name, report, metadata.period_last_on)


def _report(named: str, metadata: Metadata) -> Report | None:
    """Which sort of report of its own figures a filing is; None for other announcements.

    They print figures of others, such as a company that is bought, or ranges that are expected.
    """
    if _GUIDANCE.search(named):
        return None
    if _EXPRESS.search(named):
        return "express"
    if _PROSPECTUS.search(named):
        return "prospectus"
    if metadata.period_last_on is None or not _PERIODIC.search(named):
        return None
    summary = bool(_SUMMARY.search(named))
    month = metadata.period_last_on.month
    first = metadata.period_first_on
    if month == 12 and (first is None or first.month == 1):
        return "annual_summary" if summary else "annual"
    if month == 6 and (first is None or first.month == 1):
        return "half_summary" if summary else "half"
    return "quarter"


def span(first: date, last: date) -> FactPeriod:
    """The part of a calendar year between two days.

    >>> span(date(2024, 1, 1), date(2024, 9, 30)).kind
    '9M'
    """
    whole = first.day == 1 and last.day == monthrange(last.year, last.month)[1]
    months = (first.month, last.month) if whole and first.year == last.year else (0, 0)
    return FactPeriod(last.year, KINDS.get(months, "other"), last, first)


def instant(last: date) -> FactPeriod:
    """A point in time, by the part of its year that it closes: the first of a year is the last's.

    >>> instant(date(2024, 6, 30)).kind, instant(date(2024, 1, 1)).fiscal_year
    ('H1', 2023)
    """
    if (last.month, last.day) == (1, 1):
        last -= timedelta(days=1)
    kind = span(date(last.year, 1, 1), last).kind
    return FactPeriod(last.year, kind, last)


def year_before(period: FactPeriod | None) -> FactPeriod | None:
    """The same part of the year before."""
    if period is None:
        return None
    last, first = period.last_on, period.first_on
    before = _same_day(last)
    return instant(before) if first is None else span(_same_day(first), before)


def _same_day(day: date) -> date:
    year = day.year - 1
    end = day.day == monthrange(day.year, day.month)[1]
    return date(year, day.month, monthrange(year, day.month)[1] if end else day.day)
