"""Of when a quote speaks: the times that it names, else those named last before it, else those of
its document, each as its filer's calendar and as everybody's has it.

How times are written is `grammar.periods` and `grounding.spans`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import timedelta
from enum import IntEnum

from finrag_pipeline.grammar.periods import ReportingPeriod, months_before, periods_in
from finrag_pipeline.query.evidence.clauses import CLAUSE_END
from finrag_pipeline.query.grounding.spans import Said, Span, spans_in
from finrag_pipeline.query.question.catalogue import DocumentFacts
from finrag_pipeline.query.question.timing import YearEnd, fiscal_last_day

#: A part of a year whose year its document tells.
_PART = re.compile(
    r"(?<![年度\d\-—/.'])(?:公司)?(?:单)?(?P<part>第?[一二三四]季度?|[上下]半年|前三季度|[一三]季报|中报|"
    r"Q[1-4]|[1-4]Q|H[12]|(?:first|second|third|fourth) (?:fiscal )?quarter|(?:first|second) half)"
    r"(?!\s*(?:of|in|for)?\s*(?:fiscal )?(?:FY)?\s?'?\d)",
    re.IGNORECASE,
)
#: A month that stands alone: it tells something only where a month is asked for.
_MONTH = re.compile(r"(?<![年度\d\-—/.])(?P<part>(?P<month>1[0-2]|0?[1-9])月)(?![内均])")
#: The time on which a document reports, or its end.
_REPORTED = re.compile(r"(?<!上年同)(?:本?报告期|本期)(?!初|后|前)(?P<end>期?末)?")
#: What leads to parts of a figure.
_AMONG = re.compile(r"其中|of which|including", re.IGNORECASE)
#: What leads to the time up to which something is told.
_UP_TO = re.compile(r"截[至止][至到]?\s*$")
#: What stands before a time in brackets, and what behind it, that another is compared with:
#: 5,826 people (2023: 5,617; 2022: 5,480).
_BRACKET, _COLON = re.compile(r"[（(][^（）()]{0,80}$"), re.compile(r"\s*[:：]")
#: Days of a month.
_MONTH_DAYS = 31
#: Weeks end some days beside the end of their month.
_BESIDE = timedelta(days=10)
#: What a clause opens with that only looks forward.
_AHEAD = re.compile(r"如果|若|倘|预计|预期|有望|展望|\b(?:if|expect|should|may)", re.IGNORECASE)
#: What was published so much later than a time speaks of it only where it names it.
_LATER = timedelta(days=500)


class Time(IntEnum):
    """How far what a quote speaks of is the time asked for."""

    OTHER = 0  # it names others alone
    BEFORE = 1  # its document cannot know, or is of a much later time
    OPEN = 2  # nothing tells
    PART = 3  # a part of it, or more than it
    DOCUMENT = 4  # it names none; its document is of that time
    AROUND = 5  # it names none; what stands before it does
    NAMED = 6


class Times:
    """The times that a question asks for.

    Args:
        periods: as the question was read; empty: it asks for none.
        year_end: how the company that it names counts its years.
    """

    def __init__(self, periods: Sequence[ReportingPeriod], year_end: YearEnd | None) -> None:
        self._year_end = year_end
        self.asked = tuple(span for each in periods for span in _readings(each, year_end))

    def of(self, text: str, before: str, document: DocumentFacts | None) -> Time:
        """How far a quote is of the time asked for.

        Args:
            before: what stands before it in its passage, headings first.
            document: where it stands.
        """
        if not self.asked:
            return Time.NAMED
        if said := self._said(text, document):
            found = self.agreement(said, Time.NAMED)
            # 减值共2.15亿元，其中Q1、Q2分别…: those are parts of what is said ahead of them
            whole = _AMONG.split(text)[0]
            parts = found == Time.PART and len(whole) < len(text) and any(map(str.isdigit, whole))
            return max(found, self.of(whole, before, document)) if parts else found
        if said := self._said(_last(before), document):
            return self.agreement(said, Time.AROUND)
        return self._of_document(document)

    def _said(self, text: str, document: DocumentFacts | None) -> list[Span]:
        named = [*spans_in(text)]
        own = [each for each in named if not (each.compared or self._looks_ahead(text, each))]
        own = [each for each in own if not _is_beside(text, each) or self._is_asked(each.span)]
        own += _parts(text, named, document)
        if not own:
            own += _reported(text, document)
        if any((each.last_on - each.first_on).days < _MONTH_DAYS for each in self.asked):
            own += _parts(text, named, document, _MONTH)
        spans = [_at_its_end(text, each) for each in own]
        return [*spans, *self._by_calendar(text)]

    def _looks_ahead(self, text: str, said: Said) -> bool:
        """Whether a time is one that is only looked forward to from those asked for: what happened
        stands beside it, 增长乏力，如果2026年市场企稳."""
        later = all(each.last_on < said.span.first_on for each in self.asked)
        return later and bool(_AHEAD.search(CLAUSE_END.split(text[: said.start])[-1]))

    def _is_asked(self, span: Span) -> bool:
        return any(_same(span, each) for each in self.asked)

    def _by_calendar(self, text: str) -> list[Span]:
        """Fiscal times of a text by their days."""
        if self._year_end is None:
            return []
        fiscal = (each for each in periods_in(text, "question") if each.fiscal)
        return [span for each in fiscal for span in _readings(each, self._year_end)]

    def agreement(self, said: Iterable[Span], fully: Time) -> Time:
        """How far times are those asked for; `fully` where one of them is."""
        found = Time.OTHER
        for span in said:
            for asked in self.asked:
                if _same(span, asked):
                    return fully
                if _within(span, asked) or _within(asked, span):
                    found = Time.PART
        return found

    def _of_document(self, document: DocumentFacts | None) -> Time:
        if document is None:
            return Time.OPEN
        row = document.row
        first, last = row.period_first_on, row.period_last_on
        latest = max(each.last_on for each in self.asked)
        earliest = min(each.first_on for each in self.asked)
        if last is not None:
            own = Span(first or last, last)
            if any(_same(own, each) for each in self.asked):
                return Time.DOCUMENT
            if any(_within(each, own) or _within(own, each) for each in self.asked):
                return Time.PART
            if row.kind == "filing":
                return Time.BEFORE
        if not row.published_on_printed:
            return Time.OPEN
        if row.published_on < earliest or row.published_on > latest + _LATER:
            return Time.BEFORE
        return Time.OPEN


def _reported(text: str, document: DocumentFacts | None) -> Iterator[Said]:
    """The time on which a document reports, where a text calls it so."""
    last = document.row.period_last_on if document else None
    if document is None or last is None:
        return
    for match in _REPORTED.finditer(text):
        first = last if match["end"] else document.row.period_first_on or last
        yield Said(Span(first, last), *match.span())


def _is_beside(text: str, said: Said) -> bool:
    """Whether a time stands in brackets before its own figure: what stands before the bracket is
    compared with that."""
    return bool(_BRACKET.search(text[: said.start]) and _COLON.match(text, said.end))


def _at_its_end(text: str, said: Said) -> Span:
    """The time of a text; of a month up to which something is told its last day: 截至2025年6月."""
    up_to = _UP_TO.search(text, 0, said.start)
    return replace(said.span, first_on=said.span.last_on) if up_to else said.span


def _readings(period: ReportingPeriod, year_end: YearEnd | None) -> list[Span]:
    """A period by the calendar, and by the filer's where both differ."""
    found = [Span(period.first_on, period.last_on)]
    if year_end and period.kind in ("quarter", "half", "year", "span"):
        last = fiscal_last_day(period, year_end)
        months = 12 * (period.last_on.year - period.first_on.year)
        months += period.last_on.month - period.first_on.month + 1
        found.append(Span(months_before(last, months), last))
    return found


def _same(one: Span, other: Span) -> bool:
    ends = abs(one.last_on - other.last_on) <= _BESIDE
    if one.first_on == one.last_on or other.first_on == other.last_on:
        return ends
    return ends and abs(one.first_on - other.first_on) <= _BESIDE


def _within(inner: Span, outer: Span) -> bool:
    # the last day of a quarter is none of the next one
    begins = timedelta() if inner.first_on == inner.last_on else _BESIDE
    return outer.first_on - begins <= inner.first_on and inner.last_on <= outer.last_on + _BESIDE


def _parts(
    text: str,
    named: Iterable[Said],
    document: DocumentFacts | None,
    pattern: re.Pattern[str] = _PART,
) -> list[Said]:
    """Parts of a year that stand alone, of the year of their document."""
    if document is None:
        return []
    taken = [(each.start, each.end) for each in named]
    found: list[Said] = []
    for match in pattern.finditer(text):
        if any(start < match.end() and match.start() < end for start, end in taken):
            continue
        part = match["part"]
        for each in periods_in(f"{_year(document, part)}年{part}", "question"):
            found.append(Said(Span(each.first_on, each.last_on), *match.span()))
            break
        else:
            for each in periods_in(f"{part} of {_year(document, part)}", "question"):
                found.append(Said(Span(each.first_on, each.last_on), *match.span()))
                break
    return found


def _year(document: DocumentFacts, part: str) -> int:
    """The year that a document means by a part of one: its own, the last one early in a year."""
    row = document.row
    if row.period_last_on is not None:
        return row.fiscal_year or row.period_last_on.year
    if month := _MONTH.fullmatch(part):
        return row.published_on.year - (int(month["month"]) > row.published_on.month)
    late = any(each in part.casefold() for each in ("四", "下", "4", "fourth", "三", "3", "third"))
    return row.published_on.year - (late and row.published_on.month <= 4)


def _last(before: str) -> str:
    """The last sentence of a text that names a time, else its headings."""
    for sentence in reversed(re.split(r"[。；;\n]|\. ", before)):
        own = (not (each.compared or _is_beside(sentence, each)) for each in spans_in(sentence))
        if any(own) or _PART.search(sentence):
            return sentence
    return ""
