"""Days as they are written: 2025年9月30日, 2025-09-30, 30 Sep 2025, 二〇二五年九月三十日.

Longer times are `periods`; whose day it is belongs to the rooms that ask.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

from finrag_pipeline.grammar.numerals import chinese_number, narrow

#: A month's name in English; its first three letters tell which.
MONTH = (
    r"\b(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|"
    r"sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)(?![a-z])\.?"
)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
#: A year of four digits that is no part of a longer number; in 2.2026年 the 2 counts a heading.
YEAR = r"(?<!\d)(?:(?<!\d\.)|(?=\d{4}\s*年))(?P<year>(?:19|20)\d\d)"
_ORDINAL = r"(?:st|nd|rd|th)?"
# a circle of the year is often typed as the letter
_NUMERAL = "〇○O零一二三四五六七八九"
#: What says more comes first.
FORMS = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        rf"(?P<numerals>[一二][{_NUMERAL}]{{3}})\s*年\s*(?P<month>[一二三四五六七八九十]{{1,2}})"
        r"\s*月\s*(?P<day>[一二三四五六七八九十]{1,3})\s*日",
        rf"{YEAR}\s*年\s*(?P<month>\d{{1,2}})\s*月\s*(?P<day>\d{{1,2}})\s*日",
        rf"{YEAR}\s?(?P<by>[-./])\s?(?P<month>\d{{1,2}})\s?(?P=by)\s?(?P<day>\d{{1,2}})(?![\d%])",
        r"(?<![\d/])(?P<month>\d{1,2})/(?P<day>\d{1,2})/(?P<year>(?:19|20)\d\d)(?!\d)",
        rf"(?<!\d)(?P<day>\d{{1,2}}){_ORDINAL}[\s-]*(?P<name>{MONTH}),?[\s-]*(?P<year>(?:19|20)\d\d)",
        rf"(?P<name>{MONTH})\s*(?P<day>\d{{1,2}}){_ORDINAL}\s*,?\s*(?P<year>(?:19|20)\d\d)(?!\d)",
    )
)
_COMPACT = re.compile(
    r"(?<!\d)(?P<year>20[0-4]\d)(?P<month>0[1-9]|1[0-2])(?P<day>0[1-9]|[12]\d|3[01])(?!\d)"
)


def month_number(name: str) -> int:
    """1 to 12 of an English name, long or short."""
    return _MONTHS.index(name[:3].lower()) + 1


def day_of(match: re.Match[str]) -> date | None:
    """The day that one of `FORMS` has matched; None where the calendar has none."""
    found = match.groupdict()
    name, numerals = found.get("name"), found.get("numerals")
    year = (
        numerals.upper().replace("O", "〇") if numerals else found["year"] or "20" + found["short"]
    )
    month = month_number(name) if name else _number(found["month"])
    try:
        return date(_number(year), month, _number(found["day"]))
    except ValueError:
        return None


def _number(text: str) -> int:
    return int(text) if text.isdecimal() else chinese_number(text) or 0


def days_in(text: str) -> Iterator[tuple[date, int, int]]:
    """Days of this century in a text with where each begins and ends, in order of form.

    >>> [str(day) for day, _, _ in days_in("二〇二五年十月三十一日 20251030 Oct 29, 2025")]
    ['2025-10-31', '2025-10-29', '2025-10-30']
    """
    folded = narrow(text)
    taken: list[tuple[int, int]] = []
    for form in (*FORMS, _COMPACT):
        for match in form.finditer(folded):
            if any(start < match.end() and match.start() < end for start, end in taken):
                continue
            day = day_of(match)
            if day and day.year >= 2000:
                taken.append(match.span())
                yield day, match.start(), match.end()
