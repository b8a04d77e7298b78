"""What of the graph is near to keywords: entities to low ones, relations to high ones.

Read first and chosen after: what was said by a day is embedded in between, by who holds no
connection.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from finrag_pipeline.models.embedding import Vectors
from finrag_pipeline.query.lanes.relations import descriptions
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.records import Space
from finrag_pipeline.records.graph import EdgeKey
from finrag_pipeline.store.database.connections import Connection, Row
from finrag_pipeline.store.graph import graph_search

T = TypeVar("T")

#: Entities and relations that are looked for, as in LightRAG.
TOP_K = 40
# LightRAG asks for .2. By the offline embedder a keyword has .74 with what is called so, .09 to .3
# with what is said of it among other things, at most .05 with the rest; by e5 .65, .2 to .6 and .2.
LEAST_NEARNESS = 0.07
LEAST_OF_BEST = 0.5


@dataclass(frozen=True, slots=True)
class Near(Generic[T]):
    """What the store has near to keywords, by the cosine of what is said of it today.

    Attributes:
        vector: of the keywords.
        found: each with its key, by which equally near ones are ordered, and its cosine.
        texts: what was said of each by the day asked for; empty where that is today.
    """

    vector: Vectors
    found: Sequence[tuple[Any, T, float]] = ()
    texts: Sequence[str] = ()


def near_entities(
    connection: Connection[Row], asked: Asked, space: Space, vector: Vectors
) -> Near[str]:
    """Ids of entities near to low keywords; none to such as have no direction."""
    app_id, as_of = asked.where.app_id, asked.where.as_of
    if not vector.any():
        return Near(vector)
    near = graph_search.nearest_entities(connection, app_id, space, vector, TOP_K, as_of)
    found = {entity_id: (entity_id, entity_id, cosine) for entity_id, cosine in near}
    if as_of is None:
        return Near(vector, list(found.values()))
    # vectors are of what is said today: then, it may have been less
    rows = graph_search.describe(connection, app_id, list(found), as_of)
    texts = [f"{row['name']}\n{row['description']}" for row in rows.values()]
    return Near(vector, [found[entity_id] for entity_id in rows], texts)


def near_relations(
    connection: Connection[Row], asked: Asked, space: Space, vector: Vectors
) -> Near[tuple[EdgeKey, float]]:
    """Relations near to high keywords with their weights; none to such as have no direction."""
    app_id, as_of = asked.where.app_id, asked.where.as_of
    if not vector.any():
        return Near(vector)
    near = graph_search.nearest_relations(connection, app_id, space, vector, TOP_K, as_of)
    found = [(key, (key, weight), cosine) for key, weight, cosine in near]
    if as_of is None or not near:
        return Near(vector, found)
    keys = [key for key, _, _ in near]
    rows = graph_search.describe(
        connection, app_id, {end for src, _, dst in keys for end in (src, dst)}, as_of
    )
    said = descriptions(connection, asked, keys)
    texts = [
        f"{rows[src]['name']} {kind.replace('_', ' ')} {rows[dst]['name']}\n{said.get(key, '')}"
        for key in keys
        for src, kind, dst in [key]
    ]
    return Near(vector, found, texts)


def near_enough(asked: Asked, near: Near[T]) -> list[T]:
    """What is near enough by what was said of it then, the nearest first.

    Beside the best, the rest may be noise.
    """
    cosines = [cosine for _, _, cosine in near.found]
    if near.texts:
        cosines = list(map(float, asked.passages(list(near.texts)) @ near.vector))
    how_near = [asked.nearness(cosine) for cosine in cosines]
    least = max(LEAST_NEARNESS, LEAST_OF_BEST * max(how_near, default=0.0))
    ranked = sorted(
        (-near_by, key, found)
        for (key, found, _), near_by in zip(near.found, how_near, strict=True)
        if near_by >= least
    )
    return [found for _, _, found in ranked]
