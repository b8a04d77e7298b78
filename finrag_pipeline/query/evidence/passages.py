"""Passages behind reports as readers see them today: the chunks that hold them, pages and boxes.

What was withdrawn, or is no longer there, is left out and counted; which passages an answer cites
is for its writer.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from finrag_pipeline.query.evidence.chunk import CHUNK, ChunkItem, read_chunks
from finrag_pipeline.query.evidence.citation import Citation
from finrag_pipeline.query.evidence.keys import Key, content_key
from finrag_pipeline.query.evidence.places import locate
from finrag_pipeline.query.evidence.table import TABLE
from finrag_pipeline.records import Place
from finrag_pipeline.records.communities import Passage
from finrag_pipeline.records.graph import table_of
from finrag_pipeline.store.database.connections import Connection, Row
from finrag_pipeline.store.search.filters import Filter
from finrag_pipeline.store.weeks import community_search


def passage_key(document_id: str, revision: str, number: int) -> Key:
    """What holds a passage of the graph: a chunk, or the table that the row is of."""
    table = table_of(number)
    if table is None:
        return content_key(CHUNK, document_id, revision, number)
    return content_key(TABLE, document_id, revision, table)


@dataclass(frozen=True, slots=True)
class Cited:
    """A passage in the chunk that holds it now, and the boxes that it stands in."""

    quote: str
    chunk: ChunkItem
    places: tuple[Place, ...]

    def citation(self, n: int) -> Citation:
        return self.chunk.cite(n, self.quote, self.places)


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
        passage: passage_key(at.document_id, at.revision, at.ordinal)
        for passage, at in held.items()
        if at.passes
    }
    return Standing(chunks, len(wanted) - len(held))


def find_places(
    connection: Connection[Row], held: Mapping[Passage, Key], passages: Iterable[Passage]
) -> dict[Passage, Cited]:
    """Some passages that chunks hold with their boxes; without those that no page's text has."""
    wanted = [each for each in dict.fromkeys(passages) if each in held]
    chunks = read_chunks(connection, {held[each] for each in wanted if held[each].kind == CHUNK})
    cited: dict[Passage, Cited] = {}
    for passage in wanted:
        chunk = chunks.get(held[passage])
        places = locate(passage.quote, chunk.regions_text) if chunk else None
        if chunk and places:
            cited[passage] = Cited(passage.quote, chunk, places)
    return cited
