"""Times of reports as they are written: 2024年前三季度, 3Q24, 2025E, 2025年1-9月, Sep 2025.

How they are written in running text, headings of columns, titles and questions is `period_forms`;
which of the periods in a text a statement or a document speaks of is decided in its room.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Literal

from finrag_pipeline.grammar import days
from finrag_pipeline.grammar.days import month_number
from finrag_pipeline.grammar.numerals import chinese_number, narrow
from finrag_pipeline.grammar.period_forms import Style, forms

Kind = Literal["day", "month", "quarter", "half", "year", "span", "years"]

#: What says that a year's figures are expected, and that they are not.
ESTIMATE_MARKS = ("E", "F", "预测", "预计")


@dataclass(frozen=True, slots=True)
class ReportingPeriod:
    """A time that figures are reported for.

    `estimate` is whether it is marked as one, None where nothing is marked. A `fiscal` year may
    begin on another day than the calendar's: its company decides. `text` is what is written,
    `start` and `end` where.
    """

    first_on: date
    last_on: date
    estimate: bool | None = None
    fiscal: bool = False
    text: str = ""
    start: int = 0
    end: int = 0

    @property
    def kind(self) -> Kind:
        """The longest unit of the calendar that it fills."""
        first, last = self.first_on, self.last_on
        if first == last:
            return "day"
        if first.year != last.year:
            return "years"
        whole = first.day == 1 and last.day == monthrange(last.year, last.month)[1]
        months = (first.month, last.month)
        if not whole:
            return "span"
        if months in ((1, 6), (7, 12)):
            return "half"
        if months == (1, 12):
            return "year"
        if months[0] == months[1]:
            return "month"
        return "quarter" if months[0] % 3 == 1 and months[1] == months[0] + 2 else "span"

    def __str__(self) -> str:
        """One spelling for all: 2024, 2025E, 2025Q1, 2025H1, 2025-09, 2025-09-30, day/day."""
        year = f"{self.first_on:%Y}"
        part = {
            "day": f"{self.first_on}",
            "month": f"{self.first_on:%Y-%m}",
            "quarter": f"{year}Q{self.last_on.month // 3}",
            "half": f"{year}H{self.last_on.month // 6}",
            "year": year,
        }.get(self.kind, f"{self.first_on}/{self.last_on}")
        return f"{part}E" if self.estimate else part


def periods_in(text: str, style: Style = "text") -> Iterator[ReportingPeriod]:
    """Every time that a text names, in order of print; none lies in another.

    Args:
        style: what the text is. A year alone is a time in a heading or a question, not in a
            sentence, where it may be a number; titles name reports and quarters, and years that
            they look forward to. Whoever asks also writes 25年, Q2 of FY2023, year ended Jan 28.

    >>> [str(each) for each in periods_in("2024年前三季度增长, 3Q25, 2025-2027年")]
    ['2024-01-01/2024-09-30', '2025Q3', '2025-01-01/2027-12-31']
    >>> [str(each) for each in periods_in("1H25 9M24 2025E", "heading")]
    ['2025H1', '2024-01-01/2024-09-30', '2025E']
    >>> [str(each) for each in periods_in("25年一季度, Q2 of FY2023, 2018, 二〇二二年", "question")]
    ['2025Q1', '2023Q2', '2018', '2022']
    """
    folded = narrow(text)
    if style == "question":
        folded = _YEAR_IN_WORDS.sub(lambda match: str(chinese_number(match[0])), folded)
    if not _DIGIT.search(folded):
        return
    found: list[ReportingPeriod] = []
    taken: set[int] = set()
    for form in forms(style):
        for match in form.finditer(folded):
            place = range(*match.span())
            if taken.isdisjoint(place) and (period := _read(match)):
                taken.update(place)
                written = text[match.start() : match.end()]
                lead = len(written) - len(_LEAD.sub("", written))
                found.append(
                    replace(
                        period,
                        text=written[lead:].strip(),
                        start=match.start(),
                        end=match.end(),
                    )
                )
    yield from sorted(found, key=lambda each: each.start)


def years_in(text: str) -> set[str]:
    """Every number of four digits in a text that may be a year.

    >>> sorted(years_in("2024年与2025E"))
    ['2024', '2025']
    """
    return set(_ANY_YEAR.findall(text))


_DIGIT = re.compile(r"[\d〇○零]")
#: 二〇二二年: as long in digits as in words.
_YEAR_IN_WORDS = re.compile(
    r"(?:(?:二[〇○零]|一九)[〇○零一二三四五六七八九]{2}|"
    # 二四年 is a year, 近二三年 and 十二三年 count them
    r"(?<![〇○零一二三四五六七八九十百近第这去前后])二[〇○零一二三四五六七八九])(?=\s*(?:年|财年))"
)
_ANY_YEAR = re.compile(r"(?:19|20)\d\d")
_LEAD = re.compile(r"^\s*(?:(?:in|for|of|during|the) (?:the )?)?", re.IGNORECASE)
_ORDER = {
    **{"一": 1, "首": 1, "二": 2, "三": 3, "四": 4},
    **{"first": 1, "second": 2, "third": 3, "fourth": 4, "1st": 1, "2nd": 2, "3rd": 3, "4th": 4},
}
#: Months of what a sentence says has ended on a day.
_ENDED = {
    **dict.fromkeys(("three", "3", "13", "thirteen", "quarter", "quarterly", "三"), 3),
    **dict.fromkeys(("six", "6", "26", "twenty-six", "half", "六"), 6),
    **dict.fromkeys(("nine", "9", "39", "thirty-nine", "九"), 9),
    **dict.fromkeys(("twelve", "12", "52", "53", "year", "annual", "十二", "年度"), 12),
    **dict.fromkeys(("fifty-two", "fifty-three"), 12),
}
_FISCAL = re.compile(r"FY|fiscal|财年", re.IGNORECASE)


def months_before(last: date, months: int) -> date:
    """The first day of so many months that end on a day, or on the last days of its month.

    >>> str(months_before(date(2017, 1, 28), 12)), str(months_before(date(2023, 6, 30), 3))
    ('2016-01-29', '2023-04-01')
    """
    year, month = divmod(12 * last.year + last.month - 1 - months, 12)
    end = monthrange(year, month + 1)[1]
    whole = last.day == monthrange(last.year, last.month)[1]
    return date(year, month + 1, end if whole else min(last.day, end)) + timedelta(days=1)


def _year(text: str) -> int:
    value = int(text)
    return value if value > 99 else 2000 + value if value < 80 else 1900 + value


def _read(match: re.Match[str]) -> ReportingPeriod | None:
    found = match.groupdict()
    if found.get("day"):
        day = days.day_of(match)
        ended = found.get("ended")
        first = months_before(day, _ENDED[ended.lower()]) if day and ended else day
        return ReportingPeriod(first, day) if day and first else None
    year = _year(found.get("year") or found.get("short") or found["year2"])
    mark = found.get("mark") or found.get("noted")
    estimate = mark.upper() in ESTIMATE_MARKS if mark else None
    fiscal = bool(_FISCAL.search(match.group()))
    if until := found.get("until"):
        last_year = year // 100 * 100 + int(until) % 100
        if match.group().startswith(("between", "Between")):
            year, last_year = sorted((year, last_year))
        if year >= last_year:
            return None
        return ReportingPeriod(date(year, 1, 1), date(last_year, 12, 31), estimate, fiscal)
    first, last = _months(found)
    if not 1 <= first <= last <= 12:
        return None
    end = date(year, last, monthrange(year, last)[1])
    # what is asked at the end of a month is of its last day
    begin = end if found.get("ends") else date(year, first, 1)
    return ReportingPeriod(begin, end, estimate, fiscal)


def _months(found: dict[str, str | None]) -> tuple[int, int]:
    """First and last month of what a form has matched."""
    if (first := found.get("from")) and (last := found.get("to")):
        return int(first), int(last)
    if found.get("nine"):
        return 1, 9
    if half := found.get("half") or found.get("side") or found.get("side2"):
        return (7, 12) if half.lower().startswith(("下", "2", "second")) else (1, 6)
    if quarter := found.get("quarter"):
        last = 3 * (_ORDER.get(quarter.lower()) or int(quarter))
        return last - 2, last
    if name := found.get("name"):
        return month_number(name), month_number(name)
    if month := found.get("month"):
        number = chinese_number(month) or int(month)
        return number, number
    return 1, 12
