"""Which fiscal year a heading names, and whether its figures are expected: 2025E, FY25, 12/2025A.

Periods shorter than a year are not a report's forecasts.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache

from finrag_pipeline.grammar.numerals import narrow
from finrag_pipeline.grammar.periods import periods_in
from finrag_pipeline.records.facts import FactPeriod

#: What may stand beside a year in its heading: that it ends, in what it counts.
_BESIDE = re.compile(
    r"截[至止]|止|会计|财政|年度?|年结|12月31日|FYE?|YE|Dec(?:ember)?\.?|ended|ending|[\W\d_]|"
    r"(?:人民币|美元|港元|港币|RMB|USD|HKD|CNY|元)?(?:百万|亿|万|千|mn|m|bn)?(?:人民币|美元|港元|港币|元|RMB)?",
    re.IGNORECASE,
)
#: Rarer spellings of a year and its marks, and the usual ones.
_SPELLED = tuple(
    (re.compile(pattern, re.IGNORECASE), usual)
    for pattern, usual in (
        (r"^(?:FY\s?)?12/(?=\d\d(?:\D|$))", "FY"),
        (r"^CY\s?(?=\d\d)", "FY"),
        (r"\s*[(（]?(?:actual|audited|reported|经审计|重述|经重述)[)）]?$", "A"),
        (r"\s*[(（]?(?:forecasts?|est(?:\.|imates?)?|projected|预估|估计?|(?<=\d)P)[)）]?$", "E"),
        (r"AA$", "A"),
    )
)
_ENDS = re.compile(
    r"(?:截[至止]|年[度结]?|财年|止|FYE?|end(?:s|ed|ing)?|YE)\D{0,8}?(\d{1,2})\s*月(?:\s*(\d{1,2})\s*日)?|"
    r"(\d{1,2})月\d{1,2}日(?:止|年结)",
    re.IGNORECASE,
)
_ENGLISH_END = re.compile(
    r"(?:FYE?|year[ -]?end(?:s|ed|ing)?|YE)\s*(?:on )?\s*(?:\d{1,2}(?:st|th)?\s*)?"
    r"(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)",
    re.IGNORECASE,
)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
#: Characters from which a text is no heading of a year.
_LONG = 24


@dataclass(frozen=True, slots=True)
class NamedYear:
    """A fiscal year in a heading; `estimate` is None where nothing marks it."""

    year: int
    estimate: bool | None


@lru_cache(maxsize=10_000)
def year_in(text: str) -> NamedYear | None:
    """The one year that a heading is; None where it names more, or anything else.

    >>> [year_in(text) for text in ("2025年（预测）", "FY24A", "2025Q3", "2025E 增速")]
    [NamedYear(year=2025, estimate=True), NamedYear(year=2024, estimate=False), None, None]
    """
    shown = narrow(" ".join(text.split()))
    for pattern, usual in _SPELLED:
        shown = pattern.sub(usual, shown)
    if len(shown) > _LONG:
        return None
    named = list(periods_in(shown, "heading"))
    if len(named) != 1:
        return None
    period = named[0]
    rest = shown[: period.start] + shown[period.end :]
    december = period.kind in ("month", "day") and period.last_on.month == 12
    if period.kind != "year" and not (
        december and (period.kind == "month" or period.last_on.day == 31)
    ):
        return None
    mark = re.match(r"\s*[(（]?([AEF])[)）]?$", rest, re.IGNORECASE)
    if mark and period.estimate is None:
        return NamedYear(period.last_on.year, mark[1].upper() != "A")
    return None if _BESIDE.sub("", rest) else NamedYear(period.last_on.year, period.estimate)


def ends_in(texts: Iterable[str]) -> int:
    """The month in which fiscal years end, by headings and titles; December where none tells.

    >>> ends_in(["年结31/3", "截至3月31日止年度"]), ends_in(["年度截止12 月31 日"])
    (3, 12)
    """
    for text in texts:
        shown = re.sub(r"\s+", "", narrow(text))
        if len(shown) <= 2 * _LONG:
            if (match := _ENDS.search(shown)) and 1 <= int(match[1] or match[3]) <= 12:
                return int(match[1] or match[3])
            if english := _ENGLISH_END.search(narrow(text)):
                return _MONTHS.index(english[1].lower()) + 1
    return 12


def fiscal_year(year: int, month: int, *, instant: bool) -> FactPeriod:
    """A whole fiscal year, or the day that closes it.

    >>> fiscal_year(2025, 3, instant=False).first_on
    datetime.date(2024, 4, 1)
    """
    last = date(year, month, monthrange(year, month)[1])
    before = date(year - 1, month, monthrange(year - 1, month)[1])
    return FactPeriod(year, "FY", last, None if instant else before + timedelta(days=1))
