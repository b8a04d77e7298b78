"""Where on its pages a quote stands, and whether numbers of a text stand in quotes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from finrag_pipeline.grammar.quantities import numbers_in
from finrag_pipeline.query.evidence.citation import MARK
from finrag_pipeline.records import Place

_SPACE = re.compile(r"\s+")


def numbers_grounded(answer: str, quotes: Iterable[str]) -> bool:
    """Whether every number of an answer, markers aside, stands in a quote."""
    quoted = {number for quote in quotes for number in numbers_in(quote)}
    return all(number in quoted for number in numbers_in(MARK.sub(" ", answer)))


def locate(quote: str, regions: Sequence[tuple[Place, str]]) -> tuple[Place, ...] | None:
    """The boxes that a quote stands in: one region, or the consecutive ones that it crosses.

    Args:
        regions: kept text of its pages in reading order; white space does not count.

    Returns:
        None where the quote is not found.
    """
    wanted = squeeze(quote)
    if not wanted:
        return None
    joined = ""
    ends: list[int] = []
    for _, text in regions:
        joined += squeeze(text)
        ends.append(len(joined))
    start = joined.find(wanted)
    if start < 0:
        return None
    stop = start + len(wanted)
    bounds = zip(regions, [0, *ends], ends, strict=False)
    return tuple(place for (place, _), begin, end in bounds if begin < stop and start < end)


def squeeze(text: str) -> str:
    """Text without its white space: line ends of a page say nothing."""
    return _SPACE.sub("", text)
