"""Chunks that the graph leads to: those that name some entities, and as many as a budget holds.

Which entities those are, the lanes through the graph decide.
"""

from __future__ import annotations

from collections.abc import Sequence

from finrag_pipeline.query.evidence.context import within
from finrag_pipeline.query.evidence.documents import read_rows
from finrag_pipeline.query.evidence.keys import Key, LaneHit
from finrag_pipeline.query.evidence.passages import passage_key
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.records import Space
from finrag_pipeline.store.database.connections import Connection, Row
from finrag_pipeline.store.graph import graph_chunks, graph_search

#: Chunks of the entities that are compared with the question: an annual report names its company
#: in hundreds.
ANCHORS = 300


def anchors_of(
    connection: Connection[Row],
    asked: Asked,
    space: Space,
    entity_ids: Sequence[str],
    *,
    most_first: bool = True,
) -> list[tuple[graph_chunks.ChunkKey, float]]:
    """Chunks of some entities, the nearest to the question first, and how near.

    Args:
        most_first: those that name more of them go before nearer ones.
    """
    where = asked.where
    names = graph_search.names_of(connection, where.app_id, entity_ids, where.as_of)
    anchors = graph_chunks.anchors(connection, names, where, ANCHORS)
    nearness = graph_chunks.chunk_nearness(
        connection, space, asked.vector, [anchor.key for anchor in anchors]
    )
    # the store's order decides between equal ones
    anchors.sort(key=lambda each: (-each.entities * most_first, -_cosine(nearness.get(each.key))))
    return [(each.key, _cosine(nearness.get(each.key))) for each in anchors]


def fitting_chunks(
    connection: Connection[Row],
    chunks: Sequence[tuple[graph_chunks.ChunkKey, float]],
    tokens: int,
    counted: int = 0,
) -> list[LaneHit]:
    """The first chunks whose texts fit a budget of tokens, of which some are used already."""
    # rows of one table lead to it once, as near as the nearest
    nearest: dict[Key, float] = {}
    for chunk, score in chunks:
        nearest.setdefault(passage_key(*chunk), score)
    rows = read_rows(connection, nearest)
    found = list(nearest.items())
    fitting, _ = within(
        found, tokens, lambda each: rows[each[0]]["text"] if each[0] in rows else "", counted
    )
    return [LaneHit(key, score) for key, score in fitting]


def _cosine(score: float | None) -> float:
    """Not a number for a question without words: it is near to nothing."""
    return score if score is not None and score == score else 0.0
