"""The lite graph lane: a question leaning towards what surrounds its entities, their chunks first.

It needs no vector of the graph itself; ways that do are `light`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from finrag_pipeline.models.embedding import Vectors, unit
from finrag_pipeline.query.evidence.context import Budgets, context, entity_item, relation_item
from finrag_pipeline.query.evidence.keys import Key, LaneHit, content_hit
from finrag_pipeline.query.evidence.passages import passage_key
from finrag_pipeline.query.lanes.anchors import anchors_of
from finrag_pipeline.query.lanes.entities import NO_ENTITY, Seed, find_seeds
from finrag_pipeline.query.lanes.entity_summaries import summaries
from finrag_pipeline.query.lanes.registry import Found
from finrag_pipeline.query.lanes.relations import descriptions
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.query.weights import WIDENED_SHARE
from finrag_pipeline.records import Space
from finrag_pipeline.store.database.connections import Connection, Row
from finrag_pipeline.store.database.reader import Reader
from finrag_pipeline.store.graph import graph_chunks, graph_search
from finrag_pipeline.store.graph.graph_search import Neighbour
from finrag_pipeline.store.search import embeddings
from finrag_pipeline.store.search.filters import Hit

#: Entities that widen a question.
NEIGHBOURS = 10
#: Relations among all these that are told.
RELATIONS = 20
#: Those that go before what the leaning question finds; with 5 of them .32, 10 .42, 20 .44.
FIRST = 20
#: Characters of what is known of an entity that go into its surroundings.
_SUMMARY = 120


@dataclass(slots=True)
class _Around:
    """What the graph has around the entities of a question."""

    items: tuple[dict[str, Any], ...]
    first: list[tuple[graph_chunks.ChunkKey, float]]
    text: str


class LiteLane:
    """Chunks of the entities that a question names, then what the leaning question finds."""

    def __init__(self, reader: Reader, budgets: Budgets | None = None) -> None:
        self._reader = reader
        self._budgets = budgets or Budgets()

    def search(self, asked: Asked, depth: int) -> Found:
        with asked.reading(self._reader) as (connection, space):
            around = self._around(connection, asked, space)
        if around is None:
            return Found([], reason=NO_ENTITY)
        # what is around is known now; no connection waits for its vector
        vector = leaning(asked.vector, asked.vector_of(around.text))
        found: list[Hit] = []
        if vector.any():
            with asked.reading(self._reader) as (connection, space):
                found = embeddings.nearest(connection, space, vector, depth, asked.where)
        ahead: dict[Key, LaneHit] = {}
        for chunk, score in around.first:
            ahead.setdefault(key := passage_key(*chunk), LaneHit(key, score))
        behind = {hit.key: hit for hit in map(content_hit, found) if hit.key not in ahead}
        return Found([*ahead.values(), *behind.values()][:depth], around.items)

    def _around(self, connection: Connection[Row], asked: Asked, space: Space) -> _Around | None:
        """None where the question names no entity."""
        where = asked.where
        seeds = find_seeds(connection, asked, space)
        if not seeds:
            return None
        ids = [seed.entity_id for seed in seeds]
        near = graph_search.neighbours(connection, where.app_id, ids, where.as_of, k=NEIGHBOURS)
        every = [*ids, *(each.entity_id for each in near)]
        rows = graph_search.describe(connection, where.app_id, every, where.as_of)
        said = summaries(connection, where.app_id, ids, where.as_of)
        told = [entity_item(rows[each], said.get(each, "")) for each in ids if each in rows]
        edges = graph_search.edges_among(connection, where.app_id, every, where.as_of, RELATIONS)
        stated = descriptions(connection, asked, [key for key, _ in edges])
        related = [
            relation_item(key, weight, rows, stated.get(key, ""))
            for key, weight in edges
            if key[0] in rows and key[2] in rows
        ]
        items, _ = context(told, related, self._budgets)
        first = anchors_of(connection, asked, space, ids)[:FIRST]
        return _Around(items, first, surroundings(seeds, near, rows, said))


def leaning(vector: Vectors, wide: Vectors) -> Vectors:
    """A question's vector, leaning towards what it is about; of length one or zero."""
    return unit((vector + WIDENED_SHARE * wide)[np.newaxis])[0]


def surroundings(
    seeds: Sequence[Seed],
    near: Sequence[Neighbour],
    rows: dict[str, Row],
    said: dict[str, str],
) -> str:
    """The names of entities, of those around them, and what is known: the same for every question
    about them, so that its vector is made once."""
    parts: list[str] = []
    for seed in seeds:
        if row := rows.get(seed.entity_id):
            aliases = [alias["name"] for alias in row["aliases"]]
            parts.append(" ".join(dict.fromkeys([row["name"], *aliases])))
    parts += [rows[each.entity_id]["name"] for each in near if each.entity_id in rows]
    parts += [said[each.entity_id][:_SUMMARY] for each in seeds if each.entity_id in said]
    return "\n".join(parts)
