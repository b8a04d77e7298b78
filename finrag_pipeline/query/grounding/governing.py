"""Which time governs a figure of a text: the one named last before it, or right behind it.

How times are written is `spans`, what figures are `figures`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from finrag_pipeline.query.grounding.spans import Said, Span

#: What parts the figures, or the times, of a list.
LISTED = re.compile(r"\s*(?:/|、|,|，|和|及|与|;|；|and|&)\s*")
_BETWEEN = re.compile(r"[\s、，,和及与/&至到\-–—~～年度]*(?:and|to)?\s*", re.IGNORECASE)

#: Where a figure begins and ends.
Place = tuple[int, int]


def governing(text: str, places: Sequence[Place], said: Sequence[Said]) -> list[tuple[Span, ...]]:
    """The times that may govern each figure of a text; empty where it names none.

    Args:
        places: of the figures, in order.
        said: the times that the text names.
    """
    named = [each for each in said if not each.compared]
    found: list[tuple[Span, ...]] = []
    for n, (start, end) in enumerate(places):
        before = [each for each in named if each.end <= start]
        spans: tuple[Span, ...] = ()
        if before:
            group = _group(before, text)
            each_of = _each_of(group, places, n, text)
            spans = (each_of,) if each_of else tuple(each.span for each in group)
        elif named and not _parted(text[end : named[0].start]):
            spans = (named[0].span,)  # revenue of 5 million in 2024
        behind = [each for each in named if each.start >= end and _close(text, end, each)]
        found.append((behind[0].span,) if behind else spans)
    return found


def _close(text: str, end: int, after: Said) -> bool:
    """Whether a time stands right behind a figure: $5 million in 2024, 5.2 (2024)."""
    between = text[end : after.start]
    return bool(
        re.fullmatch(
            r"\s*(?:in|for|during|as of|at|\(|（)\s*(?:the\s|fiscal\s|year\s)*", between, re.I
        )
    )


def _parted(text: str) -> bool:
    return bool(re.search(r"[。；;\n]|\.\s", text))


def _group(before: Sequence[Said], text: str) -> list[Said]:
    """The last time and those that are listed with it: 2023年和2024年."""
    group = [before[-1]]
    for each in reversed(before[:-1]):
        if not _BETWEEN.fullmatch(text[each.end : group[0].start]):
            break
        group.insert(0, each)
    return group


def _each_of(group: Sequence[Said], places: Sequence[Place], n: int, text: str) -> Span | None:
    """The time of the n-th figure where times and figures are listed side by side."""
    times = [each.span for each in group]
    if len(times) == 1 and times[0].first_on.year < times[0].last_on.year:
        years = range(times[0].first_on.year, times[0].last_on.year + 1)
        first, last = times[0].first_on, times[0].last_on
        times = [Span(first.replace(year=year), last.replace(year=year)) for year in years]
    if len(times) < 2:
        return None
    run = _run(places, n, text)
    return times[run.index(n)] if len(run) == len(times) else None


def _run(places: Sequence[Place], n: int, text: str) -> list[int]:
    """The figures that one is listed with, by nothing but separators: 1.2、1.5和1.8亿元."""

    def listed(one: int) -> bool:
        return bool(LISTED.fullmatch(text[places[one][1] : places[one + 1][0]]))

    first = last = n
    while first > 0 and listed(first - 1):
        first -= 1
    while last + 1 < len(places) and listed(last):
        last += 1
    return list(range(first, last + 1))
