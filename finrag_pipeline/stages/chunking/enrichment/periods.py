"""The period that a document speaks of, as its title names it: a fiscal year, half or quarter.

How periods are written is `grammar.periods`; days of publication are metadata.
"""

from __future__ import annotations

import re
from datetime import date

from finrag_pipeline.grammar.days import month_number
from finrag_pipeline.grammar.periods import ReportingPeriod, periods_in

_ENGLISH = re.compile(
    r"(?:for the )?(?P<span>fiscal year|year|quarterly period|quarter|(?:six|nine|three) months)"
    r" ended\s+(?P<month>[A-Z][a-z]{2})[a-z]*\.? \d{1,2}, (?P<year>20\d\d)",
    re.IGNORECASE,
)
#: A report is named, not only a quarter: 2025年第三季度报告, 2025 年半年报.
_REPORT = re.compile("季|半|中期|报|业绩")
_QUARTERS = {3: "一季报", 6: "二季度", 9: "三季报", 12: "四季度"}


def period_of(title: str | None, published_on: date | None) -> str:
    """The fiscal period in a title, else the month of publication, else nothing.

    A year alone is no period: titles also name the year that they look forward to.

    >>> period_of("星河新材料股份有限公司2024 年年度报告", date(2025, 4, 18))
    '2024年报'
    >>> period_of("3Q25业绩超预期", None), period_of("毛利率回升", date(2025, 4, 18))
    ('2025Q3', '2025-04')
    >>> period_of("Galaxy Inc. Form 10-K for the fiscal year ended November 27, 2015", None)
    'FY2015'
    """
    text = title or ""
    named = list(periods_in(text, "title"))
    for each in named:
        if _REPORT.search(each.text):
            return _chinese(each)
    if match := _ENGLISH.search(text):
        if match["span"].casefold().endswith("year"):
            return f"FY{match['year']}"
        return f"quarter to {match['year']}-{month_number(match['month']):02}"
    if named:
        return _short(named[0])
    return f"{published_on:%Y-%m}" if published_on else ""


def _chinese(period: ReportingPeriod) -> str:
    year, month = f"{period.first_on:%Y}", period.last_on.month
    if period.kind == "year":
        return f"{year}年报"
    if period.kind == "half":
        return f"{year}半年报" if month == 6 else f"{year}下半年"
    return f"{year}{_QUARTERS[month]}"


def _short(period: ReportingPeriod) -> str:
    if period.kind == "year":
        return f"FY{period.first_on:%Y}"
    return f"9M{period.first_on:%Y}" if period.kind == "span" else str(period)
