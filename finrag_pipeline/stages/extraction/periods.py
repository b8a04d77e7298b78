"""Which of the periods in a sentence a statement speaks of, with their first and last days.

How periods are written is `grammar.periods`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from finrag_pipeline.grammar import periods
from finrag_pipeline.records.graph import Period

#: Before a period: figures are compared with it.
_COMPARED = re.compile(r"(?:同比|环比|较|相比|对比|比|compared (?:to|with)|from)\s*$")
_JOINED = re.compile(
    r"\s*(?:全年|年度|年|单季度?|度)?\s*(?:、|和|与|及|以及|/| and )\s*(?:截至)?\s*"
)


def periods_in(text: str) -> Iterator[tuple[int, int, Period]]:
    """Start, end and period of every time that a text names, in order.

    A fiscal year has no days: when it begins the company decides.

    >>> [(p.text, str(p.first_on), str(p.last_on)) for _, _, p in periods_in("2024年前三季度增长")]
    [('2024年前三季度', '2024-01-01', '2024-09-30')]
    """
    for each in periods.periods_in(text):
        known = () if each.fiscal else (each.first_on, each.last_on)
        yield each.start, each.end, Period(each.text, *known)


def period_before(text: str, start: int, end: int) -> Period | None:
    """The period that a statement speaks of: the last one printed from `start` to `end`.

    Those that figures are compared with, 同比2023年, do not count.
    """
    said = text[start:end]
    named = [period for at, _, period in periods_in(said) if not _COMPARED.search(said, 0, at)]
    return named[-1] if named else None


def listed_periods(text: str, end: int) -> list[Period]:
    """The periods of the last list of several printed before `end`: 2023年和2024年; else none."""
    groups: list[list[Period]] = []
    last = 0
    for start, stop, period in periods_in(text[:end]):
        if groups and _JOINED.fullmatch(text, last, start):
            groups[-1].append(period)
        else:
            groups.append([period])
        last = stop
    return groups[-1] if groups and len(groups[-1]) > 1 else []
