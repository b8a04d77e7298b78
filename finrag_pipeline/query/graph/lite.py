"""The lite graph lane: a question widened by what surrounds its entities, their chunks first.

It needs no vector of the graph itself; ways that do are `light`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from psycopg import Connection

from finrag_pipeline.models.embedding import Vectors, unit
from finrag_pipeline.query.asked import Asked
from finrag_pipeline.query.graph.context import Budgets, context, entity_item, relation_item
from finrag_pipeline.query.graph.entities import Seed, find_seeds
from finrag_pipeline.query.graph.statements import descriptions
from finrag_pipeline.query.graph.summaries import summaries
from finrag_pipeline.query.lanes import Found
from finrag_pipeline.query.vector_lane import search_vectors
from finrag_pipeline.records import Space
from finrag_pipeline.store.database.reader import Reader
from finrag_pipeline.store.graph import graph_chunks, graph_search
from finrag_pipeline.store.graph.graph_search import Neighbour
from finrag_pipeline.store.search.filters import Hit

Row = dict[str, Any]

NO_ENTITY = "the question names no entity of the graph: the other lanes answer alone"
#: Entities that widen a question.
NEIGHBOURS = 10
#: Relations among all these that are told.
RELATIONS = 20
#: Chunks of the entities that are compared with the question: an annual report names its company
#: in hundreds.
ANCHORS = 300
#: Those that go before what the widened question finds; with 5 of them .32, 10 .42, 20 .44.
FIRST = 20
# Questions on annual reports, most of them on figures, find their page among the first 10 no more
# often when they are widened: .30 of 50 by their own vector and by this share, .28 by .3 and .6. It
# is for rules that are spread over passages which do not name what is asked.
#: How far the widened question is followed: names of neighbours drown what is asked of them.
WIDENED_SHARE = 0.15
#: Characters of what is known of an entity that go into the widened question.
_SUMMARY = 120


class LiteLane:
    """Chunks of the entities that a question names, then what the widened question finds."""

    def __init__(self, reader: Reader, budgets: Budgets | None = None) -> None:
        self._reader = reader
        self._budgets = budgets or Budgets()

    def search(self, asked: Asked, depth: int) -> Found:
        where = asked.where
        with asked.snapshot(self._reader) as (connection, space):
            seeds = find_seeds(connection, asked, space)
            if not seeds:
                return Found([], reason=NO_ENTITY)
            ids = [seed.entity_id for seed in seeds]
            near = graph_search.neighbours(connection, where.app_id, ids, where.as_of, k=NEIGHBOURS)
            every = [*ids, *(each.entity_id for each in near)]
            rows = graph_search.describe(connection, where.app_id, every, where.as_of)
            said = summaries(connection, where.app_id, ids, where.as_of)
            told = [entity_item(rows[each], said.get(each, "")) for each in ids if each in rows]
            edges = graph_search.edges_among(
                connection, where.app_id, every, where.as_of, RELATIONS
            )
            stated = descriptions(connection, asked, [key for key, _ in edges])
            related = [
                relation_item(key, weight, rows, stated.get(key, ""))
                for key, weight in edges
                if key[0] in rows and key[2] in rows
            ]
            items, _ = context(told, related, self._budgets)
            first = anchors_of(connection, asked, space, ids)[:FIRST]
            wide = asked.vector_of(widened(asked.question, seeds, near, rows, said))
            vector = leaning(asked.vector, wide)
            found = search_vectors(connection, space, vector, depth, where) if vector.any() else []
        hits = {(hit.kind, hit.document_id, hit.revision, hit.ordinal): hit for hit in found}
        ahead = [Hit("chunk", *key, score) for key, score in first]
        own = {(hit.kind, hit.document_id, hit.revision, hit.ordinal) for hit in ahead}
        behind = [hit for key, hit in hits.items() if key not in own]
        return Found([*ahead, *behind][:depth], items)


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


def leaning(vector: Vectors, wide: Vectors) -> Vectors:
    """A question's vector, leaning towards that of the widened question; of length one or zero."""
    return unit((vector + WIDENED_SHARE * wide)[np.newaxis])[0]


def widened(
    question: str,
    seeds: Sequence[Seed],
    near: Sequence[Neighbour],
    rows: dict[str, Row],
    said: dict[str, str],
) -> str:
    """A question with the names of its entities, of those around them, and what is known."""
    parts = [question]
    for seed in seeds:
        if row := rows.get(seed.entity_id):
            aliases = [alias["name"] for alias in row["aliases"]]
            parts.append(" ".join(dict.fromkeys([row["name"], *aliases])))
    parts += [rows[each.entity_id]["name"] for each in near if each.entity_id in rows]
    parts += [said[each.entity_id][:_SUMMARY] for each in seeds if each.entity_id in said]
    return "\n".join(parts)


def _cosine(score: float | None) -> float:
    """Not a number for a question without words: it is near to nothing."""
    return score if score is not None and score == score else 0.0
