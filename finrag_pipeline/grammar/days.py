"""Days as they are written: 2025年9月30日, 2025-09-30, 30 Sep 2025; and months.

Longer times are `periods`; whose day it is belongs to the rooms that ask.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterator, Mapping
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
#: A year of the republic, 民國114年: it counts from 1912.
_REPUBLIC = r"(?:中[華华])?民[國国]\s*(?P<republic>\d{2,3}|[一二三四五六七八九十百零〇○]{2,5})\s*年"
_BEFORE_REPUBLIC = 1911
#: What says more comes first.
FORMS = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        rf"(?P<numerals>[一二][{_NUMERAL}]{{3}})\s*年\s*(?P<month>[一二三四五六七八九十]{{1,2}})"
        r"\s*月\s*(?P<day>[一二三四五六七八九十]{1,3})\s*日",
        rf"{YEAR}\s*年\s*(?P<month>\d{{1,2}})\s*月\s*(?P<day>\d{{1,2}})\s*日",
        rf"{_REPUBLIC}\s*(?P<month>\d{{1,2}}|[一二三四五六七八九十]{{1,2}})\s*月"
        r"\s*(?P<day>\d{1,2}|[一二三四五六七八九十]{1,3})\s*日",
        rf"{YEAR}\s?(?P<by>[-./])\s?(?P<month>\d{{1,2}})\s?(?P=by)\s?(?P<day>\d{{1,2}})(?![\d%])",
        r"(?<![\d/])(?P<month>\d{1,2})/(?P<day>\d{1,2})/(?P<year>(?:19|20)\d\d)(?!\d)",
        rf"(?<!\d)(?P<day>\d{{1,2}}){_ORDINAL}[\s-]*(?P<name>{MONTH}),?[\s-]*(?P<year>(?:19|20)\d\d)",
        rf"(?P<name>{MONTH})\s*(?P<day>\d{{1,2}}){_ORDINAL}\s*,?\s*(?P<year>(?:19|20)\d\d)(?!\d)",
        # 30-Sep-25, 30 Sep '25: without a mark before it a number of two digits is no year
        rf"(?<![\d\-/])(?P<day>\d{{1,2}})(?P<by>[-/]| ?(?=[A-Za-z]+\.? ?['’]))(?P<name>{MONTH})"
        r"(?:(?P=by)|\s?['’])(?P<short>[0-4]\d)(?![\d\-/%])",
    )
)
#: What is earlier is named by laws and histories: the Securities Act of May 27, 1933.
_FIRST_YEAR = 1990
_COMPACT = re.compile(
    r"(?<!\d)(?P<year>20[0-4]\d)(?P<month>0[1-9]|1[0-2])(?P<day>0[1-9]|[12]\d|3[01])(?!\d)"
)


#: Months of a calendar without a day. Two numbers with a point between them are a month only by
#: the zero or the second digit of it: 2025.1 is as often a figure.
_MONTHS_ALONE = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        rf"(?P<numerals>[一二][{_NUMERAL}]{{3}})\s*年\s*(?P<month>[一二三四五六七八九十]{{1,2}})"
        r"\s*月(?:\s*份)?",
        rf"{YEAR}\s*年\s*(?P<month>\d{{1,2}})\s*月(?:\s*份)?",
        rf"{_REPUBLIC}\s*(?P<month>\d{{1,2}}|[一二三四五六七八九十]{{1,2}})\s*月(?:\s*份)?",
        rf"(?<![\d.,]){YEAR}\s?[-./]\s?(?P<month>0[1-9]|1[0-2])(?![\d%亿万AEFaef]|\s?[-./]\s?\d|,\d)",
        r"(?<![\d.,/\-])(?P<month>0[1-9]|1[0-2])\s?[-./]\s?(?P<year>20[0-4]\d)(?![\d%])",
        rf"(?P<name>{MONTH})\s*,?\s*(?P<year>(?:19|20)\d\d)(?!\d)",
    )
)


def month_number(name: str) -> int:
    """1 to 12 of an English name, long or short."""
    return _MONTHS.index(name[:3].lower()) + 1


def day_of(match: re.Match[str]) -> date | None:
    """The day that one of `FORMS` has matched; None where the calendar has none."""
    year, month = _month_of(match)
    try:
        return date(year, month, _number(match["day"]))
    except ValueError:
        return None


def _month_of(match: re.Match[str]) -> tuple[int, int]:
    found = match.groupdict()
    name = found.get("name")
    return _year_of(found), month_number(name) if name else _number(found["month"])


def _year_of(found: Mapping[str, str | None]) -> int:
    if republic := found.get("republic"):
        return _BEFORE_REPUBLIC + _number(republic)
    if short := found.get("short"):
        return 2000 + int(short)
    return _number((found.get("numerals") or found.get("year") or "").upper().replace("O", "〇"))


def _number(text: str) -> int:
    return int(text) if text.isdecimal() else chinese_number(text) or 0


def days_in(text: str) -> Iterator[tuple[date, int, int]]:
    """Days since 1990 in a text with where each begins and ends, in order of form.

    >>> [str(day) for day, _, _ in days_in("二〇二五年十月三十一日 20251030 Oct 29, 2025")]
    ['2025-10-31', '2025-10-29', '2025-10-30']
    >>> [str(day) for day, _, _ in days_in("30-Sep-25; 中華民國114年11月7日")]
    ['2025-11-07', '2025-09-30']
    """
    folded = narrow(text)
    taken: list[tuple[int, int]] = []
    for form in (*FORMS, _COMPACT):
        for match in form.finditer(folded):
            if any(start < match.end() and match.start() < end for start, end in taken):
                continue
            day = day_of(match)
            if day and day.year >= _FIRST_YEAR:
                taken.append(match.span())
                yield day, match.start(), match.end()


def months_in(text: str) -> Iterator[tuple[date, int, int]]:
    """Months since 1990 that a text names without a day, as their last day, with where each
    begins and ends, in order of form.

    >>> [str(day) for day, _, _ in months_in("2025年11月, 2025/08, 2025.02, Nov 2025, 2025-09-30")]
    ['2025-11-30', '2025-08-31', '2025-02-28', '2025-11-30']
    """
    folded = narrow(text)
    taken = [(start, end) for _, start, end in days_in(text)]
    for form in _MONTHS_ALONE:
        for match in form.finditer(folded):
            if any(start < match.end() and match.start() < end for start, end in taken):
                continue
            year, month = _month_of(match)
            if year >= _FIRST_YEAR and 1 <= month <= 12:
                taken.append(match.span())
                yield date(year, month, monthrange(year, month)[1]), match.start(), match.end()
