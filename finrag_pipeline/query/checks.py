"""Checks of an answer against its evidence, and where on its pages a quote stands.

They are computed for every answer, however it was made; nothing here changes an answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from finrag_pipeline.query.results import Evidence, Result
from finrag_pipeline.query.rows import table_rows
from finrag_pipeline.records import Place
from finrag_pipeline.words import fold

_MARKER = re.compile(r"\[\d+\]")
_NUMBER = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?")
_SPACE = re.compile(r"\s+")


def numbers_grounded(answer: str, evidence: Iterable[Evidence]) -> bool:
    """Whether every number of an answer, markers aside, stands in a quote."""
    quoted = {number for each in evidence for number in _numbers(each.quote)}
    return all(number in quoted for number in _numbers(_MARKER.sub(" ", answer)))


def citations_verified(evidence: Sequence[Evidence], results: Sequence[Result]) -> bool:
    """Whether each quote is found in the stored text of the pages it is cited from."""
    return all(
        any(
            result.document_id == each.document_id
            and result.kind == each.kind
            and _holds(result, each)
            for result in results
        )
        for each in evidence
    )


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


def _holds(result: Result, each: Evidence) -> bool:
    if result.table is not None:
        return any(
            row.quote == each.quote and each.places in ((row.place,), result.places)
            for row in table_rows(result.table.cells)
        )
    places = locate(each.quote, result.regions_text)
    return places is not None and set(places) <= {place for place, _ in result.regions_text}


def _numbers(text: str) -> set[str]:
    return {number.replace(",", "") for number in _NUMBER.findall(fold(text))}
