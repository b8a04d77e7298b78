"""What says more of what is asked than all others beside it, and the times that are asked for."""

from __future__ import annotations

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

#: How much less another figure has to say and lie near than the nearest one, both together.
_APART = 0.05

_Told = TypeVar("_Told", Mention, Quantity)


def clearest(judged: Sequence[tuple[float, _Told]]) -> _Told | None:
    """What says more of what is asked than all others; None where several say as much."""
    ranked = sorted(judged, key=lambda each: -each[0])
    clear = len(ranked) == 1 or (ranked and ranked[0][0] >= ranked[1][0] + _CLEAR)
    return ranked[0][1] if clear else None


def nearest(
    judged: Sequence[tuple[float, float, object]], least_near: float, least: float
) -> int | None:
    """Which of several figures says most of a question and lies nearest to it; None where that is
    not near enough, or another figure is as near.

    Args:
        judged: of each the share that it says, how near it lies, see `VectorSpace.nearness`, and
            the figure itself.
        least_near: how near it has to lie.
        least: what it has to say and lie near, both together.

    >>> nearest([(0.6, 0.5, 46), (0.9, 0.5, 12)], 0.4, 1), nearest([(0.6, 0.3, 46)], 0.4, 0.8)
    (1, None)
    >>> alike = [(0.6, 0.5, 46), (0.58, 0.5, 12)]
    >>> nearest(alike, 0.4, 1), nearest([*alike[:1], (0.58, 0.5, 46)], 0.4, 1)
    (None, 0)
    """
    if not judged:
        return None
    scores = [said + near for said, near, _ in judged]
    first = scores.index(max(scores))
    _, near, figure = judged[first]
    if near < least_near or scores[first] < least:
        return None
    others = (score for score, each in zip(scores, judged, strict=True) if each[2] != figure)
    return None if any(scores[first] - each < _APART for each in others) else first


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
