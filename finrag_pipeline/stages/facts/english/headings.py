"""Which period each column of an English table is of: Years ended December 31 over 2022, 2021.

What a day or a length is in the filer's years is `fiscal_years`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date

from finrag_pipeline.grammar.days import MONTH, days_in, month_number
from finrag_pipeline.grammar.numerals import narrow
from finrag_pipeline.records.facts import FactPeriod, PeriodKind
from finrag_pipeline.stages.facts.english.fiscal_years import FiscalYears, moved

#: Columns that compare, divide, explain, adjust or expect.
_NO_FIGURES = re.compile(
    r"%|percent|\bchange|increase|decrease|\bvs\.?\b|variance|impact|effects?\b|growth|margin|"
    r"adoption|\badjusted\b|adjustments?\b|reclass|eliminat|pro[ -]forma|non-gaap|\breported\b|"
    r"\bnotes?\b|currency|guidance|outlook|forecast|estimate|budget|target|\blevel \d|"
    r"cumulative|average|remaining|thereafter|standards?\b",
    re.IGNORECASE,
)
_RESTATED = re.compile(
    r"\bas (?:re)?(?:adjusted|stated|cast|vised)\b|\brestated\b|\brecast\b|\brevised\b",
    re.IGNORECASE,
)
_ALL = re.compile(r"\btotal\b|consolidated|\bgroup\b", re.IGNORECASE)
#: Marks of notes and remarks: (1), (a), (Unaudited); a bracketed year stays.
_MARKS = re.compile(r"[(\[](?:[a-z]{1,2}|\d{1,2}|un-?audited|audited|note \d+\w?)[)\]]", re.I)
_YEAR = re.compile(r"(?<![\d.,$€£])(?:FY\s?|')?((?:19|20)\d\d)(?![\d,.]\d|\d)")
_SHORT_YEAR = re.compile(r"(?<![\d.,])(?:FY\s?'?|[1-4]Q\s?'?|[1-4]H\s?'?)(\d\d)(?!\d)", re.I)
#: A year over two of the calendar's: 2022/23, 2022-2023.
_SPLIT_YEAR = re.compile(r"((?:19|20)\d\d)\s?[/–-]\s?(?:(?:19|20)?(\d\d))(?!\d)")
_DAY = re.compile(
    rf"(?P<name>{MONTH})\s*(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?![\d,]*\d{{3}})|"
    rf"(?<!\d)(?P<day2>\d{{1,2}})(?:st|nd|rd|th)?\s+(?P<name2>{MONTH})",
    re.IGNORECASE,
)
_MONTHS = (
    (12, r"(?:twelve|12)[\s-]months?|(?:5[0-4]|fifty-(?:two|three))[\s-]weeks?"),
    (9, r"(?:nine|9)[\s-]months?|(?:3[6-9]|4[01]|thirty-nine|forty)[\s-]weeks?"),
    (6, r"(?:six|6)[\s-]months?|(?:2[4-9]|twenty-(?:six|seven|eight))[\s-]weeks?"),
    (3, r"(?:three|3)[\s-]months?|(?:1[1-7]|twelve|thirteen|fourteen|sixteen)[\s-]weeks?"),
    (6, r"half[\s-]years?|first half|\b1H|\bH1\b|interim"),
    (3, r"quarters?(?:ly)?(?: period)?s? (?:ended|ending|to)"),
    (12, r"\byears?\b|\bfiscal\b|\bFY|annual"),
)
_LENGTHS = tuple((months, re.compile(pattern, re.IGNORECASE)) for months, pattern in _MONTHS)
_QUARTER = re.compile(
    r"\bQ([1-4])\b|\b([1-4])Q|\b(first|second|third|fourth|1st|2nd|3rd|4th)\b"
    r"(?!\s*(?:half|six|nine))",
    re.IGNORECASE,
)
_SECOND_HALF = re.compile(r"second half|\bH2\b|\b2H", re.IGNORECASE)
_ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4}


@dataclass(frozen=True, slots=True)
class Heading:
    """What figures of a column are for.

    Attributes:
        flow: the span of what happens in one; None where nothing tells it.
        instant: the point in time of what stands at one.
        restated: whether they are printed as adjusted afterwards.
        text: as printed, from the top.
    """

    flow: FactPeriod | None
    instant: FactPeriod | None
    restated: bool
    text: str


def headings(
    paths: Mapping[int, tuple[str, ...]], context: str, years: FiscalYears
) -> dict[int, Heading]:
    """The columns whose headings name a period, by their place in the grid.

    Args:
        paths: header cells over each column of figures, from the top.
        context: what stands over all of them: heading of the labels, title, headings that say when.
    """
    found: dict[int, Heading] = {}
    around = _Said.of(context)
    said: dict[int, _Said] = {}
    for column, path in sorted(paths.items()):
        text = _MARKS.sub(" ", _RESTATED.sub(" ", narrow(" ".join(path))))
        if not _NO_FIGURES.search(text):
            said[column] = _Said.of(text)
    for column, own in _with_years(said).items():
        printed = " ".join(paths[column])
        if periods := _periods(own, around, years):
            found[column] = Heading(*periods, bool(_RESTATED.search(narrow(printed))), printed)
    return _without_parts(found, said)


def times_in(text: str, count: int) -> tuple[str, ...]:
    """So many days or years as a text lists them from the left; empty where it lists other ones.

    >>> times_in("May 29, 2022 May 30, 2021", 2), times_in("June 30, June 30, 2024 2023", 2)
    (('May 29, 2022', 'May 30, 2021'), ('June 30, 2024', 'June 30, 2023'))
    """
    shown = narrow(text)
    days = sorted((start, shown[start:end]) for _, start, end in days_in(shown))
    if len(days) == count:
        return tuple(day for _, day in days)
    years = [match[1] for match in _YEAR.finditer(shown)]
    named = [match[0] for match in _DAY.finditer(shown)]
    if len(years) != count or len(named) not in (0, 1, count):
        return ()
    over = named * count if len(named) == 1 else named or [""] * count
    return tuple(f"{day}, {year}" if day else year for day, year in zip(over, years, strict=True))


def _without_parts(found: Mapping[int, Heading], said: Mapping[int, _Said]) -> dict[int, Heading]:
    """Of columns for one time that which is all of it, or names the time itself; else none."""
    times: dict[tuple[FactPeriod | None, FactPeriod | None, bool], list[int]] = {}
    for column, heading in found.items():
        times.setdefault((heading.flow, heading.instant, heading.restated), []).append(column)
    kept: set[int] = set()
    for columns in times.values():
        for choice in (
            columns,
            [each for each in columns if _ALL.search(found[each].text)],
            [each for each in columns if said[each].year or said[each].day],
        ):
            if len(choice) == 1:
                kept.update(choice)
                break
    return {column: heading for column, heading in found.items() if column in kept}


@dataclass(frozen=True, slots=True)
class _Said:
    """What a text says of a period, each None where it does not."""

    day: date | None = None
    month_day: tuple[int, int] | None = None
    year: int | None = None
    split: bool = False
    months: int | None = None
    quarter: int | None = None
    late: bool = False
    many: bool = False

    @staticmethod
    def of(text: str) -> _Said:
        shown = _MARKS.sub(" ", narrow(text))
        days = {day for day, _, _ in days_in(shown)}
        named = [int(year) for year in _YEAR.findall(shown)]
        named += [2000 + int(year) for year in _SHORT_YEAR.findall(shown)]
        split = _SPLIT_YEAR.search(shown)
        if split and int(split[1]) % 100 + 1 == int(split[2]):
            named = [int(split[1]) + 1]
        else:
            split = None
        match = _DAY.search(shown)
        month_day = None
        if match:
            month_day = (
                month_number(match["name"] or match["name2"]),
                int(match["day"] or match["day2"]),
            )
        quarter = _QUARTER.search(shown)
        return _Said(
            days.pop() if len(days) == 1 else None,
            month_day,
            named[0] if len(set(named)) == 1 else None,
            split is not None,
            next((months for months, form in _LENGTHS if form.search(shown)), None),
            _number(quarter) if quarter else None,
            bool(_SECOND_HALF.search(shown)),
            len(set(named)) > 1 or len(days) > 1,
        )


def _with_years(said: Mapping[int, _Said]) -> dict[int, _Said]:
    """Quarters side by side with the year that is printed once over or behind them.

    A run of quarters ends where one comes again, or a whole year stands.
    """
    found = dict(said)
    run: list[int] = []
    for column, own in [*said.items(), (-1, _Said())]:
        if own.quarter in {said[each].quarter for each in run} or not own.quarter:
            named = {said[each].year for each in run} - {None} or {own.year} - {None}
            if len(named) == 1 and len(run) > 1:
                for each in run:
                    found[each] = replace(said[each], year=next(iter(named)))
            run = []
        if own.quarter:
            run.append(column)
    return found


def _number(quarter: re.Match[str]) -> int:
    word = next(group for group in quarter.groups() if group).lower()
    return _ORDINALS.get(word) or int(word[0])


_Periods = tuple[FactPeriod | None, FactPeriod | None]


def _periods(own: _Said, around: _Said, years: FiscalYears) -> _Periods | None:
    """Span and point in time of a column; None where it names neither day nor year."""
    if own.many:
        return None
    year = own.year or (None if own.day else around.year)
    quarter = own.quarter or (None if own.months or own.day else around.quarter)
    months = own.months or (None if quarter else around.months)
    day = own.day or _joined(own, around, year)
    if day is None and year is None:
        day = around.day
    if quarter and (year or day):
        return _of_quarter(quarter, year, day, years)
    if day:
        return _of_day(day, months, own.late, years)
    if year is None:
        return None
    if years.annual or months == 12:
        end = years.end_of(year)
        if months in (None, 12):
            return years.span(end, 12), years.instant(end)
        if months == 6 and not own.late:
            half = moved(end, -6)
            return years.span(half, 6), years.instant(half)
        return years.span(end, months or 12), years.instant(end)
    last = moved(years.last_on, 12 * (year - years.fiscal_year))
    return (years.span(last, months) if months else None), years.instant(last)


def _of_quarter(quarter: int, year: int | None, day: date | None, years: FiscalYears) -> _Periods:
    """A quarter by its number, in a named year or in that which a day closes; its own last day."""
    if day and years.instant(day).kind == "FY":
        year = years.instant(day).fiscal_year
    elif day:
        return years.span(day, 3), years.instant(day)
    period = years.quarter(year or years.fiscal_year, quarter)
    return period, replace(years.instant(period.last_on), kind=_closing(quarter))


def _closing(quarter: int) -> PeriodKind:
    return ("Q1", "H1", "9M", "FY")[quarter - 1]


def _of_day(day: date, months: int | None, late: bool, years: FiscalYears) -> _Periods:
    instant = years.instant(day)
    if months is None and instant.kind == "FY" and years.annual:
        months = 12
    # Year ended over the days of interim balances only heads one of them
    if months == 12 and instant.kind != "FY" and not late:
        return years.span(day, 12), instant
    return (years.span(day, months) if months else None), instant


def _joined(own: _Said, around: _Said, year: int | None) -> date | None:
    """The day that a heading's month and another's year make."""
    month_day = own.month_day or (around.month_day if not own.day else None)
    if month_day is None or year is None:
        return None
    return _day(year, *month_day)


def _day(year: int, month: int, number: int) -> date | None:
    try:
        return date(year, month, number)
    except ValueError:
        # February 29 over years that have none
        return date(year, month, 28) if month == 2 and number == 29 else None
