"""The period that a document speaks of, as its title names it: a fiscal year, half or quarter.

Days of publication are metadata; periods of table columns belong to `tables.periods`.
"""

from __future__ import annotations

import re
from datetime import date

_CHINESE = re.compile(
    r"(?P<year>20\d\d)\s*年?\s*(?:度\s*)?"
    r"(?:(?P<annual>年度报告|年度业绩|年报)|(?P<half>半年度?报告?|中期报告|中报|上半年)"
    r"|(?P<first>第?一季度?报告?|一季)|(?P<second>第?二季度?报告?|二季)"
    r"|(?P<third>第?三季度?报告?|三季|前三季度)|(?P<fourth>第?四季度?报告?|四季))"
)
_SHORT = re.compile(
    r"(?<![A-Za-z0-9])(?:(?:20)?(?P<year>\d\d)\s?(?P<kind>[QH])(?P<part>[1-4])"
    r"|(?P<part2>[1-4])(?P<kind2>[QH])\s?(?:20)?(?P<year2>\d\d)"
    r"|(?P<kind3>[QH])(?P<part3>[1-4])\s(?:20)(?P<year3>\d\d)"
    r"|FY\s?(?:20)?(?P<fiscal>\d\d))(?![A-Za-z0-9])"
)
_ENGLISH = re.compile(
    r"(?:for the )?(?P<span>fiscal year|year|quarterly period|quarter|(?:six|nine|three) months)"
    r" ended\s+(?P<month>[A-Z][a-z]{2})[a-z]*\.? \d{1,2}, (?P<year>20\d\d)",
    re.IGNORECASE,
)
_ANNUAL = re.compile(
    r"(?P<year>20\d\d) annual report|annual report (?:for )?(?P<year2>20\d\d)", re.I
)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_REPORTS = {
    "annual": "年报",
    "half": "半年报",
    "first": "一季报",
    "second": "二季度",
    "third": "三季报",
    "fourth": "四季度",
}


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
    if match := _CHINESE.search(text):
        named = next(name for name in _REPORTS if match[name])
        return f"{match['year']}{_REPORTS[named]}"
    if match := _ENGLISH.search(text):
        if match["span"].casefold().endswith("year"):
            return f"FY{match['year']}"
        month = _MONTHS.index(match["month"].casefold()) + 1
        return f"quarter to {match['year']}-{month:02}"
    if match := _ANNUAL.search(text):
        return f"FY{match['year'] or match['year2']}"
    if match := _SHORT.search(text):
        if match["fiscal"]:
            return f"FY20{match['fiscal']}"
        kind = match["kind"] or match["kind2"] or match["kind3"]
        year = match["year"] or match["year2"] or match["year3"]
        return f"20{year}{kind}{match['part'] or match['part2'] or match['part3']}"
    return f"{published_on:%Y-%m}" if published_on else ""
