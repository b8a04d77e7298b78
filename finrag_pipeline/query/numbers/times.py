"""The parts of fiscal years that a question for figures asks for: lists, spans, the latest.

How times are written is `grammar.periods`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date

from finrag_pipeline.grammar.numerals import chinese_number
from finrag_pipeline.grammar.periods import ReportingPeriod
from finrag_pipeline.query.numbers.marking import COMPANY, PERIOD, Marked
from finrag_pipeline.query.numbers.records import AskedPeriod
from finrag_pipeline.query.numbers.wording import find
from finrag_pipeline.query.question.reading import read_periods
from finrag_pipeline.records.facts import KINDS, PeriodKind

#: What the sums up to the ends of quarters are called.
_SUMS: dict[PeriodKind, PeriodKind] = {"Q2": "H1", "Q3": "9M", "Q4": "FY"}
#: The quarters that a part of a year is the sum of, as a table of quarters prints them.
QUARTERS: dict[PeriodKind, tuple[PeriodKind, ...]] = {
    "H1": ("Q1", "Q2"),
    "H2": ("Q3", "Q4"),
    "9M": ("Q1", "Q2", "Q3"),
}
_REPORTED: tuple[PeriodKind, ...] = ("Q1", "H1", "9M", "FY")
_QUARTERS: tuple[PeriodKind, ...] = ("Q1", "Q2", "Q3", "Q4")
_NUMBERS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "ten": 10}
#: What makes a month the day that it ends on.
_MONTH_END = re.compile(r"份?[末底](?:的?时点)?")
_YEAR_END = re.compile(r"[末底]|12\s*月(?!份?(?:累计|止))|\b(?:december|dec)\b", re.IGNORECASE)
_END_OF = re.compile(r"\bend of (?:the )?$", re.IGNORECASE)
#: Years of which only the last says that it is one: 25/26/27年, 25-27年的EPS, 2025、26E.
_YEARS = re.compile(
    r"(?<![\d.])(?P<years>(?:20)?\d\d(?:\s*(?:年|E)?\s*(?:[/、,，和及与]|[-–—~～至到])\s*(?:20)?\d\d)+)"
    r"\s*(?:年(?![月\d]|[期前来间内以多后])|E\b|(?=\s?(?:EPS|PE)))"
)
_HAS_YEAR = re.compile(r"\d\d|[〇零一二]{2}|[今去本前上]年|year", re.IGNORECASE)
_SPAN_OF = re.compile(r"[-–—~～至到]")
_TWO_DIGITS = re.compile(r"(?:20)?(\d\d)")
#: Years that are told from the day of the question, where they stand alone.
_RELATIVE = re.compile(
    r"(?<![较比同与跟和])(?:今年|本年度?|去年|上一?年度?|前一?年度?)(?!同期)|"
    r"\b(?:this year|last year|the (?:prior|previous) year|current year)\b",
    re.IGNORECASE,
)
#: Years without a mark, where nothing else says when: 伊利24营收, 23/24/25 净利, 23-25.
_BARE = re.compile(
    r"(?<![\d.,%A-Za-z前第近过超于足达到<>=≥≤-])(?<!top )"
    r"(?P<years>(?:1[5-9]|2\d|3[0-5])(?:(?:\s*[/、,，和及与\-–—~～至到]\s*|\s+)(?:1[5-9]|2\d|3[0-5]))*)"
    r"(?![\d.,%％]\d|\s*(?:[\d%％年月日号家个位名天周倍元万亿股人岁只支台寸]|pct|bps?|pp|[xX]\b|"
    r"million|billion|mn|bn|companies|nm))",
    re.IGNORECASE,
)
#: What may stand between times that share the part of the year behind the last of them.
_JOINED = re.compile(r"\s*(?:[和与及、,，/至到-]|以及|and|vs\.?)\s*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Times:
    """What a question says of when.

    Attributes:
        periods: in the order of the question.
        recent: so many years up to the latest; 0 where it says none.
        estimate: whether one is marked as expected.
        base: the one that others are compared with, where it is named as such.
        unread: times that are no part of a fiscal year.
    """

    periods: tuple[AskedPeriod, ...] = ()
    recent: int = 0
    estimate: bool = False
    base: AskedPeriod | None = None
    unread: tuple[str, ...] = ()


def read_times(marked: Marked, day: date | None) -> Times:
    """Read and mark the times of a question.

    Args:
        marked: companies are marked already, so that no name is read as a year.
        day: from which 今年 is counted.
    """
    # what 同比 compares with stands at the same place, and growths go back by themselves
    once: dict[tuple[int, int, date], ReportingPeriod] = {}
    written = marked.text
    read = read_periods(written, day)
    listed = list(_listed(marked.text, read, _YEARS))
    if not (read or listed) and COMPANY in marked.text:
        listed = list(_listed(marked.text, read, _BARE))
    for each in (*(each for each in read if not _within(each, listed)), *listed):
        once.setdefault((each.start, each.end, date.min if each.end else each.first_on), each)
    if any(not each.end for each in once.values()):
        for match in _RELATIVE.finditer(marked.text):
            marked.mark(*match.span(), PERIOD)
    named = sorted(
        (_closing(marked.text, each) for each in once.values()), key=lambda each: each.start
    )
    for each in named:
        if each.end:
            marked.mark(each.start, each.end, PERIOD)
    for text in {each.text for each in named if each.end and not _HAS_YEAR.search(each.text)}:
        # 前三季度扣非、前三季度现金流 name one time
        for match in re.finditer(re.escape(text), marked.text):
            marked.mark(*match.span(), PERIOD)
    recent = marked.take("recent")
    cumulative = bool(marked.take("cumulative")) or any(_reports_sum(each.text) for each in named)
    single = bool(marked.take("single"))
    of_each = _every(marked)
    estimate = any(each.estimate for each in named)
    unread = tuple(each.text for each in named if not _parts(each))
    if recent and not any(_is_span(each) for each in named):
        return Times((), number_of_words(recent[0][1]), estimate, None, unread)
    bases = _bases(marked)
    opening = bool(named) and marked.has("opening")
    found: list[AskedPeriod] = []
    compared: list[AskedPeriod] = []
    closing = False
    for at, each in enumerate(named):
        parts = _parts(each)
        following = named[at + 1] if at + 1 < len(named) else None
        if following and all(part.kind == "FY" for part in parts):
            between = marked.text[each.end : following.start]
            kinds: set[PeriodKind] = {part.kind for part in _parts(following)}
            if kinds and "FY" not in kinds and (not between or _JOINED.fullmatch(between)):
                # 2023年和2024年第三季度, 2022-2025年第三季度
                kind = kinds.pop()
                parts = [AskedPeriod(part.fiscal_year, kind) for part in parts]
        if each.end and each.start in bases:
            compared.extend(parts)
            closing = bool(_YEAR_END.search(written[each.start : each.end + 1]))
        else:
            found.extend(parts)
    found = _of_parts(found, named)
    if of_each and all(each.kind == "FY" for each in found):
        found = [AskedPeriod(each.fiscal_year, kind) for each in found for kind in of_each]
    elif of_each == _QUARTERS and all(each.kind in QUARTERS for each in found):
        found = [
            AskedPeriod(each.fiscal_year, kind) for each in found for kind in QUARTERS[each.kind]
        ]
    if cumulative and not single:
        found = [AskedPeriod(each.fiscal_year, _SUMS.get(each.kind, each.kind)) for each in found]
        compared = [AskedPeriod(e.fiscal_year, _SUMS.get(e.kind, e.kind)) for e in compared]
    if len(compared) != 1 or not found:
        found, compared = [*found, *compared], []
    if opening:
        found = [AskedPeriod(each.fiscal_year - 1, "FY") for each in found]
    base = compared[0] if compared else None
    if base and base.kind == "FY" and not closing and len({each.kind for each in found}) == 1:
        # 2025年前三季度比2024年 means the same part of both years, 比2024年末 the year's end
        base = AskedPeriod(base.fiscal_year, found[0].kind)
    return Times(tuple(dict.fromkeys(found)), 0, estimate, base, unread)


def _of_parts(found: list[AskedPeriod], named: Sequence[ReportingPeriod]) -> list[AskedPeriod]:
    """Years with the part that stands beside them alone: 前三季度营收，2025年对2024年."""
    alone = [each for each in named if each.end and each.text and not _HAS_YEAR.search(each.text)]
    years = [each for each in found if each.kind == "FY"]
    if len(alone) != 1 or not years or len(found) != len(years) + 1:
        return found
    kinds: list[PeriodKind] = [part.kind for part in _parts(alone[0])]
    return [AskedPeriod(each.fiscal_year, kind) for each in years for kind in kinds] or found


def _listed(
    text: str, read: Sequence[ReportingPeriod], form: re.Pattern[str]
) -> Iterator[ReportingPeriod]:
    """The years of lists that say only behind the last, or nowhere, that they are years.

    Args:
        read: the times that are written whole; what one of them covers is no list.
        form: of such lists.
    """
    for match in form.finditer(text):
        written = list(_TWO_DIGITS.finditer(match["years"]))
        years = [2000 + int(each[1]) for each in written]
        whole = any(each.start <= match.start() and match.end("years") <= each.end for each in read)
        if years != sorted(set(years)) or whole:
            continue
        at = match.start()
        for n, year in enumerate(years):
            start, end = at + written[n].start(), at + written[n].end()
            between = match["years"][written[n - 1].end() : written[n].start()] if n else ""
            first = years[n - 1] + 1 if _SPAN_OF.search(between) else year
            for every in range(first, year + 1):
                yield ReportingPeriod(
                    date(every, 1, 1), date(every, 12, 31), text=match[0], start=start, end=end
                )
                start = min(start + 1, end)
        end, last = match.start() + written[-1].end(), match.end()
        if end == last:
            continue
        yield ReportingPeriod(
            date(years[-1], 1, 1), date(years[-1], 12, 31), text="", start=end, end=last
        )


def _within(period: ReportingPeriod, others: Sequence[ReportingPeriod]) -> bool:
    return bool(period.end) and any(
        period.start < each.end and each.start < period.end for each in others
    )


def year_before(period: AskedPeriod) -> AskedPeriod:
    """The same part of the year before."""
    return AskedPeriod(period.fiscal_year - 1, period.kind)


def quarter_before(period: AskedPeriod) -> AskedPeriod | None:
    """The quarter before, or the half; None for what has none.

    >>> str(quarter_before(AskedPeriod(2025, "Q1"))), quarter_before(AskedPeriod(2025, "9M"))
    ('2024Q4', None)
    """
    if period.kind in ("H1", "H2"):
        second = period.kind == "H2"
        return AskedPeriod(period.fiscal_year - (not second), "H1" if second else "H2")
    if period.kind not in _QUARTERS:
        return None
    at = _QUARTERS.index(period.kind)
    return AskedPeriod(period.fiscal_year - (at == 0), _QUARTERS[at - 1])


def number_of_words(match: re.Match[str]) -> int:
    """The number that one of the `count` or `digits` groups of a match writes; 0 for none."""
    written = next((each for each in match.groupdict().values() if each), "")
    if written.isdigit():
        return int(written)
    return _NUMBERS.get(written.lower()) or chinese_number(written) or 0


def _bases(marked: Marked) -> set[int]:
    """Where the times stand that others are compared with."""
    starts: set[int] = set()
    for _, match in find("base", marked.text):
        at = marked.text.index(PERIOD, match.start())
        starts.add(at)
        for place in range(*match.span()):
            if marked.text[place] != PERIOD:
                marked.mark(place, place + 1)
    return starts


def _every(marked: Marked) -> tuple[PeriodKind, ...]:
    """The parts of each year that are asked for one by one."""
    if marked.has("every_quarter"):
        return _QUARTERS
    marked.has("every_year")
    return _REPORTED if marked.has("every_report") else ()


def _closing(text: str, period: ReportingPeriod) -> ReportingPeriod:
    """A month that is only named for its end as the day that it ends on: 2024年9月末."""
    if period.kind != "month":
        return period
    if behind := _MONTH_END.match(text, period.end):
        return replace(period, first_on=period.last_on, end=behind.end())
    if _END_OF.search(text, 0, period.start):
        return replace(period, first_on=period.last_on)
    return period


def _reports_sum(text: str) -> bool:
    return "季报" in text or "季度报告" in text


def _is_span(period: ReportingPeriod) -> bool:
    return period.first_on.year != period.last_on.year


def _parts(period: ReportingPeriod) -> list[AskedPeriod]:
    """The parts of fiscal years that a time is; a day is what a balance of that day closes."""
    first, last = period.first_on, period.last_on
    if first == last:
        kind = KINDS.get((1, last.month))
        return [AskedPeriod(last.year, kind)] if kind else []
    if _is_span(period):
        if (first.month, first.day, last.month, last.day) == (1, 1, 12, 31):
            return [AskedPeriod(year, "FY") for year in range(first.year, last.year + 1)]
        # a year of weeks that ends in January is called after the year before
        return [AskedPeriod(last.year - (last.month == 1), "FY")]
    kind = KINDS.get((first.month, last.month))
    return [AskedPeriod(last.year, kind)] if kind else []
