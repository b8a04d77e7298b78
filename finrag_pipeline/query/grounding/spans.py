"""Times as answers and evidence write them, made comparable: first and last day, whoever wrote it.

How a time is written is `grammar.periods`; which figure it is of `statements`.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from finrag_pipeline.grammar.days import months_in
from finrag_pipeline.grammar.numerals import DIGITS, narrow
from finrag_pipeline.grammar.periods import periods_in
from finrag_pipeline.records.facts import MONTHS

#: A year written out, as periods are read from digits alone.
_WRITTEN_YEAR = re.compile(r"[一二][〇○零一二三四五六七八九]{3}(?=\s*年)")
#: A time has digits enough for a year.
_DIGITS = re.compile(r"\d\d")
_YEAR = re.compile(r"(?<![\d.,])(?:19|20)\d\d(?![\d]|[.,]\d)")
#: What follows a time that another is compared with: 较2023年增长, up from 2023.
_COMPARED = re.compile(
    r"(?:较|比|相当于|相比|对比|高于|低于|自|从|(?P<by>由)|than|from|versus|vs\.?|over|to|against|times|"
    r"(?P<share>% of)|compared (?:to|with)|"
    r"(?:from|versus|vs\.?|against|than|compared (?:to|with)) [$€£]?[\d.,]+\s?(?:%|[a-z]+)? "
    r"(?:at|in|for|on|during|as of)(?: the end of)?)"
    r"(?:\s|the|year|上年|上年同期|去年)*$",
    re.IGNORECASE,
)


#: What a share is of, behind its time: 8.7% of 2024 net sales.
_WHOLE = re.compile(
    r"\s+(?:(?:total|net|consolidated|our|group|segment)\s+)*"
    r"(?:sales|revenues?|income|assets|expenses?|costs?|spending|orders|volume)\b",
    re.IGNORECASE,
)
#: What follows a time of which a figure is: 由2022年的41%升至.
_OF = re.compile(r"[末底初]?的")
#: What follows a time that is looked at: 从2025H1数据来看.
_LOOKED_AT = re.compile(r"[^，,。；;]{0,8}(?:来看|来说|看[，,])")


@dataclass(frozen=True, slots=True)
class Span:
    """From a first to a last day; `instant` where a figure stands at the end of it."""

    first_on: date
    last_on: date
    instant: bool = False

    def agrees(self, other: Span) -> bool:
        """Whether two mean the same time: both days, or the last one of what stands at a day."""
        if self.last_on != other.last_on:
            return False
        if self.first_on == other.first_on or self.instant or other.instant:
            return True
        # a day names what is closed on it
        return other.first_on == other.last_on or self.first_on == self.last_on


@dataclass(frozen=True, slots=True)
class Said:
    """A time where a text names it; `compared` where figures are only compared with its own."""

    span: Span
    start: int
    end: int
    compared: bool = False


@lru_cache(maxsize=4_096)
def spans_in(text: str) -> tuple[Said, ...]:
    """The times that a text names, in order.

    >>> said = spans_in("自供率由2022年的41%升至2024年的68%，占2024年收入的三成")
    >>> [each.compared for each in said]
    [True, False, False]
    >>> [each.compared for each in spans_in("由2024年12月延期至2025年12月")]
    [False, False]
    >>> [each.compared for each in spans_in("71% of the backlog, up from 46% at the end of 2022")]
    [True]
    >>> [each.compared for each in spans_in("8.7% of 2024 net sales and 105% of 2023")]
    [False, True]
    """
    shown = _WRITTEN_YEAR.sub(_digits, narrow(text))
    found: list[Said] = []
    rest = shown
    for style in ("question", "heading"):
        for each in periods_in(rest, style):
            found.append(Said(Span(each.first_on, each.last_on), each.start, each.end))
            rest = rest[: each.start] + " " * (each.end - each.start) + rest[each.end :]
        if not _DIGITS.search(rest):
            break
    for day, start, end in months_in(shown):
        if not any(start < other.end and other.start < end for other in found):
            found.append(Said(Span(day.replace(day=1), day), start, end))
    for match in _YEAR.finditer(shown):
        if not any(match.start() < other.end and other.start < match.end() for other in found):
            year = int(match[0])
            span = Span(date(year, 1, 1), date(year, 12, 31))
            found.append(Said(span, *match.span()))
    found.sort(key=lambda each: each.start)
    return tuple(
        Said(each.span, each.start, each.end, _is_compared(text, each.start, each.end))
        for each in found
    )


def _is_compared(text: str, start: int, end: int) -> bool:
    """Whether figures are only compared with those of a time of a text."""
    compared = _COMPARED.search(text[:start])
    if compared is None or _LOOKED_AT.match(text, end):
        return False
    if compared["by"] and not _OF.match(text, end):
        return False  # 由2024年12月延期至2025年12月
    return not (compared["share"] and _WHOLE.match(text, end))


def is_part(one: Span, other: Span) -> bool:
    """Whether a time is a part of another, as a quarter of its year."""
    return one != other and other.first_on <= one.first_on and one.last_on <= other.last_on


def spans_of(fiscal_year: int, kind: str, first_on: date | None, last_on: date) -> frozenset[Span]:
    """How a figure's period may be named: by its days, and by its fiscal year as a calendar's."""
    instant = first_on is None
    found = {Span(first_on or last_on, last_on, instant)}
    if whole := calendar_span(fiscal_year, kind):
        found.add(Span(whole.first_on, whole.last_on, instant))
    return frozenset(found)


def calendar_span(year: int, kind: str) -> Span | None:
    """A part of a calendar's year; None for what is none."""
    months = next((each for name, each in MONTHS.items() if name == kind), None)
    if months is None:
        return None
    first, last = months
    return Span(date(year, first, 1), date(year, last, monthrange(year, last)[1]))


def agree(said: Iterable[Span], held: Iterable[Span]) -> bool:
    """Whether one of some times is one of others."""
    others = tuple(held)
    return any(each.agrees(other) for each in said for other in others)


def _digits(match: re.Match[str]) -> str:
    return "".join(str(DIGITS[character]) for character in match[0])
