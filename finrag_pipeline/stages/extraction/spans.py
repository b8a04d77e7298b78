"""Candidates for mentions: what is found at a place, and which of two that overlap stays."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from finrag_pipeline.records.graph import Confidence, EntityType


@dataclass(frozen=True, slots=True)
class Found:
    """A name at a place of a chunk. `rank` settles overlaps of the same length: the higher stays.

    `name` is how to identify it where that is not the text itself; `company`, `code`, `aliases`
    as of a mention.
    """

    start: int
    end: int
    type: EntityType
    confidence: Confidence
    rank: int = 0
    name: str | None = None
    company: str | None = None
    code: str | None = None
    aliases: tuple[str, ...] = ()
    description: str = ""


def longest(found: Iterable[Found]) -> list[Found]:
    """Those that share no character, in order of print; longer ones go first, then higher ranks."""
    kept: list[Found] = []
    taken: set[int] = set()
    order = sorted(found, key=lambda f: (f.start - f.end, -f.rank, f.start, f.type, f.name or ""))
    for item in order:
        place = range(item.start, item.end)
        if place and taken.isdisjoint(place):
            taken.update(place)
            kept.append(item)
    return sorted(kept, key=lambda f: f.start)
