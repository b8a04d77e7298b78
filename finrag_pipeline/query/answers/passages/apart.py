"""What says more of what is asked than all others beside it, and the times that are asked for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import date
from typing import TypeVar

from finrag_pipeline.grammar.periods import ReportingPeriod
from finrag_pipeline.grammar.quantities import Quantity
from finrag_pipeline.query.answers.passages.mentions import Mention
from finrag_pipeline.query.answers.passages.wanted import Wanted

#: The share of the words of a question from which a line is about what is asked, and by which one
#: figure has to say more of it than any other of its line.
MOST, _CLEAR = 0.5, 0.1
#: The share from which a sentence says all of them.
ALL = 0.95

#: What stands between a figure and its time in English.
_IN = re.compile(r"\W*(?:in|for|by|at|during|as of)\W+(?:the )?", re.IGNORECASE)
_IN_YEAR = re.compile(r"\s(?:in|for|by|at the end of) (20\d\d)(?!\d)", re.IGNORECASE)

_Told = TypeVar("_Told", Mention, Quantity)


def clearest(judged: Sequence[tuple[float, _Told]]) -> _Told | None:
    """What says more of what is asked than all others; None where several say as much."""
    ranked = sorted(judged, key=lambda each: -each[0])
    clear = len(ranked) == 1 or (ranked and ranked[0][0] >= ranked[1][0] + _CLEAR)
    return ranked[0][1] if clear else None


def spans_of(times: Iterable[ReportingPeriod]) -> set[tuple[date, date]]:
    """The first and last days of some times."""
    return {(each.first_on, each.last_on) for each in times}


def asked_spans(wanted: Wanted) -> set[tuple[date, date]]:
    """The first and last days of the times that a question asks for."""
    return {(each.first_on, each.last_on) for each in wanted.times.asked}


def is_then(times: Sequence[ReportingPeriod], asked: set[tuple[date, date]]) -> bool:
    """Whether a time is asked for, or is a day of one that is: of an announcement, a plan."""
    return all(
        spans_of([each]) <= asked
        or (each.kind == "day" and any(one <= each.first_on <= last for one, last in asked))
        for each in times
    )


def leading_times(
    text: str, quantity: Quantity, times: Sequence[ReportingPeriod]
) -> list[ReportingPeriod]:
    """The times that lead to a figure, the last of which it is of; in English one that follows it:
    $6.9 billion in 2025."""
    behind = [each for each in times if each.start >= quantity.end]
    if behind and _IN.fullmatch(text, quantity.end, behind[0].start):
        return behind[:1]
    return [each for each in times if each.start < quantity.end]


def is_of_another_year(text: str, quantity: Quantity, asked: set[tuple[date, date]]) -> bool:
    """Whether a year that is not asked for follows a figure: $6.9 billion in 2025."""
    year = _IN_YEAR.match(text, quantity.end)
    return bool(asked and year) and all(last.year != int(year[1]) for _, last in asked if year)
