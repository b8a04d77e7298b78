"""Passages behind reports as readers see them today: pages, boxes, and numbers in an answer.

What was withdrawn, or is no longer there, is left out and counted; which passages an answer cites
is for `offline` and `chat`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from psycopg import Connection

from finrag_pipeline.query.checks import locate, numbers_grounded
from finrag_pipeline.query.evidence import Key, read_chunks
from finrag_pipeline.query.results import Evidence, Result
from finrag_pipeline.records import Place
from finrag_pipeline.records.communities import Passage
from finrag_pipeline.store.search.filters import Filter
from finrag_pipeline.store.weeks import community_search

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Cited:
    """A passage in the chunk that holds it now, and the boxes that it stands in."""

    quote: str
    result: Result
    places: tuple[Place, ...]

    def evidence(self, n: int) -> Evidence:
        return Evidence(
            n=n,
            kind=self.result.kind,
            document_id=self.result.document_id,
            source=self.result.source,
            places=self.places,
            quote=self.quote,
            published_on=self.result.published_on,
        )


@dataclass(frozen=True, slots=True)
class Standing:
    """Passages that may be cited with the chunks that hold them now, and how many others are gone.

    What does not pass the filter of the question is in neither.
    """

    chunks: Mapping[Passage, Key]
    lost: int


def find_standing(
    connection: Connection[Row], passages: Iterable[Passage], where: Filter
) -> Standing:
    """Look for passages in what readers see now."""
    wanted = list(dict.fromkeys(passages))
    held = community_search.held(connection, wanted, where) if wanted else {}
    chunks = {
        passage: ("chunk", at.document_id, at.revision, at.ordinal)
        for passage, at in held.items()
        if at.passes
    }
    return Standing(chunks, len(wanted) - len(held))


def find_places(
    connection: Connection[Row], standing: Standing, passages: Iterable[Passage]
) -> dict[Passage, Cited]:
    """Some standing passages with their boxes; without those that no kept text of a page has."""
    wanted = [each for each in dict.fromkeys(passages) if each in standing.chunks]
    chunks = read_chunks(connection, {standing.chunks[each] for each in wanted})
    cited: dict[Passage, Cited] = {}
    for passage in wanted:
        result = chunks.get(standing.chunks[passage])
        places = locate(passage.quote, result.regions_text) if result else None
        if result and places:
            cited[passage] = Cited(passage.quote, result, places)
    return cited


@dataclass(slots=True)
class Citations:
    """Numbers of the passages that an answer cites, in order of their first use."""

    cited: Mapping[Passage, Cited]
    evidence: list[Evidence] = field(default_factory=list[Evidence])
    _numbers: dict[tuple[str, str], int] = field(default_factory=dict[tuple[str, str], int])

    def mark(self, passages: Sequence[Passage]) -> str:
        """The marks of some passages, e.g. ``[1][2]``; the same words are cited once a document."""
        numbers = dict.fromkeys(self._number(each) for each in passages)
        return "".join(f"[{n}]" for n in numbers)

    def grounds(self, text: str, passages: Sequence[Passage]) -> bool:
        """Whether every number of a text stands in some passages."""
        return numbers_grounded(text, [self.cited[each].evidence(0) for each in passages])

    @property
    def results(self) -> list[Result]:
        """The chunks that are cited from."""
        return [each.result for each in self.cited.values()]

    def _number(self, passage: Passage) -> int:
        cited = self.cited[passage]
        key = (passage.document_id, cited.quote)
        if key not in self._numbers:
            self._numbers[key] = len(self.evidence) + 1
            self.evidence.append(cited.evidence(self._numbers[key]))
        return self._numbers[key]
