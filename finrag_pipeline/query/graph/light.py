"""LightRAG's ways through the graph: entities near to low keywords, relations near to high ones.

Both are traced back to chunks; the lanes of plain search join them in the mode `light_mix`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import chain, zip_longest
from typing import Any, Literal, TypeVar

import numpy as np
from psycopg import Connection

from finrag_pipeline.query.asked import Asked
from finrag_pipeline.query.graph.context import (
    Budgets,
    context,
    entity_item,
    relation_item,
    within,
)
from finrag_pipeline.query.graph.entities import find_seeds
from finrag_pipeline.query.graph.keywords import FindKeywords, offline_keywords
from finrag_pipeline.query.graph.lite import anchors_of
from finrag_pipeline.query.graph.statements import descriptions, statements
from finrag_pipeline.query.graph.summaries import summaries
from finrag_pipeline.query.lanes import Found
from finrag_pipeline.records import Space
from finrag_pipeline.records.graph import EdgeKey
from finrag_pipeline.store.database.reader import Reader
from finrag_pipeline.store.graph import graph_chunks, graph_search
from finrag_pipeline.store.graph.graph_chunks import ChunkKey
from finrag_pipeline.store.search import entries
from finrag_pipeline.store.search.filters import Hit

Row = dict[str, Any]
T = TypeVar("T")
Level = Literal["local", "global", "hybrid"]

NOTHING_NEAR = "nothing in the graph is near to the question: the other lanes answer alone"
#: Entities and relations that are looked for, as in LightRAG.
TOP_K = 40
# LightRAG asks for .2. By the offline embedder a keyword has .74 with what is called so, .1 to .3
# with what is said of it among other things, at most .05 with the rest; other models differ.
LEAST_COSINE = 0.1
LEAST_OF_BEST = 0.5


@dataclass(slots=True)
class _Way:
    """What one level found, each best first."""

    entities: list[str] = field(default_factory=list[str])
    relations: list[tuple[EdgeKey, float]] = field(default_factory=list[tuple[EdgeKey, float]])
    chunks: list[tuple[ChunkKey, float]] = field(default_factory=list[tuple[ChunkKey, float]])


class LightLane:
    """Chunks behind the entities (local), the relations (global) or both that a question is near.

    Args:
        reader: of an open store.
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
        app_id, as_of = asked.where.app_id, asked.where.as_of
        with asked.snapshot(self._reader) as (connection, space):
            seeds = find_seeds(connection, asked)
            keywords = self._find_keywords(asked.question, seeds)
            ways: list[_Way] = []
            if self._level != "global" and keywords.low:
                named = [seed.entity_id for seed in seeds]
                ways.append(_local(connection, asked, space, ", ".join(keywords.low), named))
            if self._level != "local" and keywords.high:
                ways.append(_global(connection, asked, space, ", ".join(keywords.high)))
            chunks = _in_turn([way.chunks for way in ways], lambda chunk: chunk[0])
            if not chunks:
                reasons = [keywords.reason, NOTHING_NEAR]
                return Found([], reason="; ".join(filter(None, reasons)))
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
            hits = [Hit("chunk", *key, score) for key, score in chunks[:depth]]
            read = entries.read_found(connection, hits)
        text = {(row["document_id"], row["revision"], row["ordinal"]): row["text"] for row in read}
        fitting, _ = within(
            hits,
            self._budgets.total,
            lambda hit: text.get((hit.document_id, hit.revision, hit.ordinal), ""),
            used,
        )
        return Found(fitting, items, keywords.reason)


def _local(
    connection: Connection[Row], asked: Asked, space: Space, keywords: str, named: Sequence[str]
) -> _Way:
    """Entities named or near to the low keywords, what is around them, and their chunks."""
    app_id, as_of = asked.where.app_id, asked.where.as_of
    entities = list(dict.fromkeys([*named, *_near_entities(connection, asked, space, keywords)]))
    entities = entities[:TOP_K]
    near = graph_search.neighbours(connection, app_id, entities, as_of, k=TOP_K)
    every = [*entities, *(each.entity_id for each in near)]
    edges = graph_search.edges_among(connection, app_id, every, as_of, TOP_K)
    first = anchors_of(connection, asked, space, named) if named else []
    rest = anchors_of(connection, asked, space, entities, most_first=False) if entities else []
    return _Way(entities, edges, [*first, *rest])


def _global(connection: Connection[Row], asked: Asked, space: Space, keywords: str) -> _Way:
    """Relations near to the high keywords of a question, their ends, the chunks that state them."""
    relations = _near_relations(connection, asked, space, keywords)
    ends = list(dict.fromkeys(end for (src, _, dst), _ in relations for end in (src, dst)))
    edges = [key for key, _ in relations]
    stated = statements(connection, asked, edges)
    keys = list(dict.fromkeys(each.key for each in stated))
    nearness = graph_chunks.chunk_nearness(connection, space, asked.vector, keys)
    chunks = sorted(((key, nearness.get(key, 0.0)) for key in keys), key=lambda each: -each[1])
    return _Way(ends, relations, chunks)


def _near_entities(
    connection: Connection[Row], asked: Asked, space: Space, keywords: str
) -> list[str]:
    app_id, as_of = asked.where.app_id, asked.where.as_of
    vector = asked.vector_of(keywords)
    if not vector.any():
        return []
    near = graph_search.nearest_entities(connection, app_id, space, vector, TOP_K, as_of)
    if as_of is not None:
        # vectors are of what is said today: then, it may have been less
        rows = graph_search.describe(connection, app_id, [each for each, _ in near], as_of)
        texts = [f"{row['name']}\n{row['description']}" for row in rows.values()]
        cosines = asked.passages(texts) @ vector if texts else np.zeros(0)
        near = sorted(
            zip(rows, map(float, cosines), strict=True), key=lambda each: (-each[1], each[0])
        )
    least = _least(cosine for _, cosine in near)
    return [entity_id for entity_id, cosine in near if cosine >= least]


def _near_relations(
    connection: Connection[Row], asked: Asked, space: Space, keywords: str
) -> list[tuple[EdgeKey, float]]:
    app_id, as_of = asked.where.app_id, asked.where.as_of
    vector = asked.vector_of(keywords)
    if not vector.any():
        return []
    near = graph_search.nearest_relations(connection, app_id, space, vector, TOP_K, as_of)
    if as_of is not None and near:
        keys = [key for key, _, _ in near]
        ends = {end for src, _, dst in keys for end in (src, dst)}
        rows = graph_search.describe(connection, app_id, ends, as_of)
        said = descriptions(connection, asked, keys)
        texts = [
            f"{rows[src]['name']} {kind.replace('_', ' ')} {rows[dst]['name']}\n{said.get(key, '')}"
            for key in keys
            for src, kind, dst in [key]
        ]
        cosines = map(float, asked.passages(texts) @ vector)
        near = [
            (key, weight, cosine) for (key, weight, _), cosine in zip(near, cosines, strict=True)
        ]
    near.sort(key=lambda each: (-each[2], each[0]))
    least = _least(cosine for _, _, cosine in near)
    return [(key, weight) for key, weight, cosine in near if cosine >= least]


def _least(cosines: Iterable[float]) -> float:
    """From where on what is near counts: beside the best, the rest may be noise."""
    return max(LEAST_COSINE, LEAST_OF_BEST * max(cosines, default=0.0))


def _in_turn(lists: Iterable[Sequence[T]], key: Any) -> list[T]:
    """The first of each list, then the second of each, without repeats."""
    merged: dict[Any, T] = {}
    gone = object()
    for item in chain.from_iterable(zip_longest(*lists, fillvalue=gone)):
        if item is not gone:
            merged.setdefault(key(item), item)  # type: ignore[arg-type]
    return list(merged.values())
