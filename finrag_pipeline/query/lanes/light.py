"""LightRAG's ways through the graph: entities near to low keywords, relations near to high ones.

Both are traced back to chunks; the lanes of plain search join them in the mode `light_mix`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import chain, zip_longest
from typing import Any, Literal, TypeVar

from finrag_pipeline.query.evidence.context import Budgets, context, entity_item, relation_item
from finrag_pipeline.query.lanes.anchors import anchors_of, fitting_chunks
from finrag_pipeline.query.lanes.entities import find_seeds
from finrag_pipeline.query.lanes.entity_summaries import summaries
from finrag_pipeline.query.lanes.light_keywords import FindKeywords, offline_keywords
from finrag_pipeline.query.lanes.near_keywords import (
    TOP_K,
    near_enough,
    near_entities,
    near_relations,
)
from finrag_pipeline.query.lanes.registry import Found
from finrag_pipeline.query.lanes.relations import descriptions, statements
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.records import Space
from finrag_pipeline.records.graph import EdgeKey
from finrag_pipeline.store.database.connections import Connection, Row
from finrag_pipeline.store.database.reader import Reader
from finrag_pipeline.store.graph import graph_chunks, graph_search
from finrag_pipeline.store.graph.graph_chunks import ChunkKey

T = TypeVar("T")
Level = Literal["local", "global", "hybrid"]

NOTHING_NEAR = "nothing in the graph is near to the question: the other lanes answer alone"


@dataclass(slots=True)
class _Way:
    """What one level found, each best first."""

    entities: list[str] = field(default_factory=list[str])
    relations: list[tuple[EdgeKey, float]] = field(default_factory=list[tuple[EdgeKey, float]])
    chunks: list[tuple[ChunkKey, float]] = field(default_factory=list[tuple[ChunkKey, float]])


class LightLane:
    """Chunks behind the entities (local), the relations (global) or both that a question is near.

    Three readings, since models stand between: keywords come after the entities that a question
    names, vectors of what was said by a day after what is near to the keywords.

    Args:
        reader: of the store.
        level: which way to go; `hybrid` takes turns.
        find_keywords: a question's keywords.
        budgets: tokens of what is handed on.
    """

    def __init__(
        self,
        reader: Reader,
        level: Level,
        find_keywords: FindKeywords = offline_keywords,
        budgets: Budgets | None = None,
    ) -> None:
        self._reader = reader
        self._level = level
        self._find_keywords = find_keywords
        self._budgets = budgets or Budgets()

    def search(self, asked: Asked, depth: int) -> Found:
        with asked.reading(self._reader) as (connection, _):
            seeds = find_seeds(connection, asked)
        keywords = self._find_keywords(asked.question, seeds)
        low = ", ".join(keywords.low) if self._level != "global" else ""
        high = ", ".join(keywords.high) if self._level != "local" else ""
        vectors = {words: asked.vector_of(words) for words in (low, high) if words}
        with asked.reading(self._reader) as (connection, space):
            entities = near_entities(connection, asked, space, vectors[low]) if low else None
            relations = near_relations(connection, asked, space, vectors[high]) if high else None
        named = [seed.entity_id for seed in seeds]
        around = [*named, *near_enough(asked, entities)] if entities is not None else None
        stated = near_enough(asked, relations) if relations is not None else None
        with asked.reading(self._reader) as (connection, space):
            ways: list[_Way] = []
            if around is not None:
                ways.append(_local(connection, asked, space, around, named))
            if stated is not None:
                ways.append(_global(connection, asked, space, stated))
            return self._found(connection, asked, ways, keywords.reason, depth)

    def _found(
        self,
        connection: Connection[Row],
        asked: Asked,
        ways: Sequence[_Way],
        reason: str,
        depth: int,
    ) -> Found:
        """What the levels found, in turn, within the budgets."""
        app_id, as_of = asked.where.app_id, asked.where.as_of
        chunks = _in_turn([way.chunks for way in ways], lambda chunk: chunk[0])
        if not chunks:
            return Found([], reason="; ".join(filter(None, [reason, NOTHING_NEAR])))
        entities = _in_turn([way.entities for way in ways], lambda entity_id: entity_id)
        relations = _in_turn([way.relations for way in ways], lambda relation: relation[0])
        ends = {end for (src, _, dst), _ in relations for end in (src, dst)}
        rows = graph_search.describe(connection, app_id, {*entities, *ends}, as_of)
        said = summaries(connection, app_id, entities, as_of)
        texts = descriptions(connection, asked, [key for key, _ in relations])
        items, used = context(
            [entity_item(rows[each], said.get(each, "")) for each in entities if each in rows],
            [
                relation_item(key, weight, rows, texts.get(key, ""))
                for key, weight in relations
                if key[0] in rows and key[2] in rows
            ],
            self._budgets,
        )
        fitting = fitting_chunks(connection, chunks[:depth], self._budgets.total, used)
        return Found(fitting, items, reason)


def _local(
    connection: Connection[Row],
    asked: Asked,
    space: Space,
    chosen: Sequence[str],
    named: Sequence[str],
) -> _Way:
    """Entities named or near to the low keywords, what is around them, and their chunks."""
    app_id, as_of = asked.where.app_id, asked.where.as_of
    entities = list(dict.fromkeys(chosen))[:TOP_K]
    near = graph_search.neighbours(connection, app_id, entities, as_of, k=TOP_K)
    every = [*entities, *(each.entity_id for each in near)]
    edges = graph_search.edges_among(connection, app_id, every, as_of, TOP_K)
    first = anchors_of(connection, asked, space, named) if named else []
    rest = anchors_of(connection, asked, space, entities, most_first=False) if entities else []
    return _Way(entities, edges, [*first, *rest])


def _global(
    connection: Connection[Row],
    asked: Asked,
    space: Space,
    relations: list[tuple[EdgeKey, float]],
) -> _Way:
    """Relations near to the high keywords of a question, their ends, the chunks that state them."""
    ends = list(dict.fromkeys(end for (src, _, dst), _ in relations for end in (src, dst)))
    edges = [key for key, _ in relations]
    stated = statements(connection, asked, edges)
    keys = list(dict.fromkeys(each.key for each in stated))
    nearness = graph_chunks.chunk_nearness(connection, space, asked.vector, keys)
    chunks = sorted(((key, nearness.get(key, 0.0)) for key in keys), key=lambda each: -each[1])
    return _Way(ends, relations, chunks)


def _in_turn(lists: Iterable[Sequence[T]], key: Any) -> list[T]:
    """The first of each list, then the second of each, without repeats."""
    merged: dict[Any, T] = {}
    gone = object()
    for item in chain.from_iterable(zip_longest(*lists, fillvalue=gone)):
        if item is not gone:
            merged.setdefault(key(item), item)  # type: ignore[arg-type]
    return list(merged.values())
