"""What a question reads of the entity graph: typed functions over `graph_search.sql`.

Writing the graph belongs to `entity_graph`; what is asked of it, and in which order, to the query.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, LiteralString, cast

import numpy as np
from numpy.typing import NDArray
from pgvector import HalfVector
from psycopg import Connection

from finrag_pipeline.records import Space
from finrag_pipeline.records.graph import EdgeKey
from finrag_pipeline.store.database.queries import load_queries
from finrag_pipeline.store.graph import entity_graph
from finrag_pipeline.store.search import embeddings

Row = dict[str, Any]
Q = load_queries("graph/graph_search")


# Of 1 M edges between 200,000 entities, two hops from entities drawn by degree take 14 ms (p95)
# with 20 edges a node (`benchmarks/graph_hops.py`).
#: Edges that a node leads to, by weight.
FAN_OUT = 20
#: Edges up to which a node's degree is counted: beyond, it weighs no less.
_COUNTED = 100
_SCAN = """
do $$ begin
    set local hnsw.iterative_scan = 'strict_order';
    set local plan_cache_mode = 'force_custom_plan';
end $$
"""
#: The dimension that stands in the blocks `nearest_*`; a cast takes no parameter.
_WRITTEN_DIMENSION = "halfvec(1024)"


@dataclass(frozen=True, slots=True)
class Spelled:
    """An entity that goes by a spelling, and how often documents write it so."""

    spelling: str
    entity_id: str
    type: str
    mention_count: int


@dataclass(frozen=True, slots=True)
class Neighbour:
    """An entity near to others, by its best path: the edge that it was reached by comes last.

    `outgoing` says that the edge leads from `from_id` to it.
    """

    entity_id: str
    hops: int
    score: float
    from_id: str
    edge_type: str
    outgoing: bool
    weight: float

    @property
    def key(self) -> EdgeKey:
        """Its last edge, from source to destination."""
        ends = (self.from_id, self.entity_id) if self.outgoing else (self.entity_id, self.from_id)
        return (ends[0], self.edge_type, ends[1])


def spelled(
    connection: Connection[Row], app_id: str, spellings: Sequence[str], as_of: date | None
) -> list[Spelled]:
    """Entities that had one of some spellings by a day; for each the one it names most first."""
    given = {"app_id": app_id, "spellings": list(spellings), "day": last_day(as_of)}
    return [Spelled(**row) for row in connection.execute(Q.spelled, given)]


def coded(
    connection: Connection[Row], app_id: str, codes: Sequence[str], as_of: date | None
) -> list[Spelled]:
    """Entities that went by one of some securities codes by a day, as if it were their name."""
    given = {"app_id": app_id, "codes": list(codes), "day": last_day(as_of)}
    rows = connection.execute(Q.coded, given)
    return [Spelled(row["code"], row["entity_id"], row["type"], 1) for row in rows]


def existing(
    connection: Connection[Row], app_id: str, entity_ids: Iterable[str], as_of: date | None
) -> list[str]:
    """Those of some entities that there were by a day, in order of ids."""
    given = {"app_id": app_id, "entity_ids": sorted(set(entity_ids)), "day": last_day(as_of)}
    return [row["entity_id"] for row in connection.execute(Q.exists, given)]


def names_of(
    connection: Connection[Row], app_id: str, entity_ids: Iterable[str], as_of: date | None
) -> dict[str, tuple[str, ...]]:
    """The ids of the names that belonged to some entities by a day, by entity."""
    given = {"app_id": app_id, "entity_ids": sorted(set(entity_ids)), "day": last_day(as_of)}
    found: dict[str, list[str]] = {}
    for row in connection.execute(Q.names_of, given):
        found.setdefault(row["entity_id"], []).append(row["name_id"])
    return {entity_id: tuple(names) for entity_id, names in found.items()}


def neighbours(
    connection: Connection[Row],
    app_id: str,
    entity_ids: Sequence[str],
    as_of: date | None,
    *,
    hops: int = 1,
    k: int = 20,
    fan_out: int = FAN_OUT,
    edge_types: Sequence[str] | None = None,
) -> list[Neighbour]:
    """The `k` entities nearest to some others within some hops by a day, those excluded.

    A step over an edge of weight w to a node of degree d multiplies the score of a path by
    w / (1 + w) / ln(e + d); d is counted to 100. Equal scores are in the order of ids.

    Args:
        fan_out: edges that a node leads to, the heaviest first.
        edge_types: walk only edges of these relations.
    """
    rows = connection.execute(
        Q.neighbours,
        {
            "app_id": app_id,
            "entity_ids": list(entity_ids),
            "day": last_day(as_of),
            "hops": hops,
            "k": k,
            "fan_out": fan_out,
            "counted": _COUNTED,
            "edge_types": list(edge_types) if edge_types is not None else None,
        },
    )
    return [Neighbour(**row) for row in rows]


def edges_among(
    connection: Connection[Row], app_id: str, entity_ids: Iterable[str], as_of: date | None, k: int
) -> list[tuple[EdgeKey, float]]:
    """The `k` heaviest edges between some entities by a day; co-occurrences come last."""
    given = {"app_id": app_id, "entity_ids": sorted(set(entity_ids)), "day": last_day(as_of)}
    rows = connection.execute(Q.edges_among, given | {"k": k})
    return [((row["src"], row["edge_type"], row["dst"]), row["weight"]) for row in rows]


def describe(
    connection: Connection[Row], app_id: str, entity_ids: Iterable[str], as_of: date | None
) -> dict[str, Row]:
    """Entities as they are, or as they were by a day, by id; rows as in `entities`."""
    wanted = sorted(set(entity_ids))
    if as_of is None:
        given = {"app_id": app_id, "entity_ids": wanted}
        rows = connection.execute(Q.entities, given).fetchall()
    else:
        rows = entity_graph.describe_entities(connection, app_id, wanted, as_of)
    return {row["entity_id"]: row for row in rows}


def nearest_entities(
    connection: Connection[Row],
    app_id: str,
    space: Space,
    vector: NDArray[np.floating],
    k: int,
    as_of: date | None,
) -> list[tuple[str, float]]:
    """Entities that there were by a day, with the cosine of what is said of them today, best first.

    An entity that was two by that day stands for both.
    """
    near = _nearest(connection, Q.nearest_entities, app_id, space, vector, k, as_of)
    found = [(row["entity_id"], float(row["score"])) for row in near]
    if as_of is None:
        return found
    then = _then(connection, app_id, [entity_id for entity_id, _ in found], as_of)
    best: dict[str, float] = {}
    for now_id, score in found:
        for entity_id in then.get(now_id, ()):
            best.setdefault(entity_id, score)
    return list(best.items())


def nearest_relations(
    connection: Connection[Row],
    app_id: str,
    space: Space,
    vector: NDArray[np.floating],
    k: int,
    as_of: date | None,
) -> list[tuple[EdgeKey, float, float]]:
    """Edges that there were by a day, best first: key, weight then, cosine of what is said now."""
    near = _nearest(connection, Q.nearest_relations, app_id, space, vector, k, as_of)
    scores: dict[EdgeKey, float] = {}
    ends = sorted({row[end] for row in near for end in ("src", "dst")})
    then = _then(connection, app_id, ends, as_of) if as_of else {end: (end,) for end in ends}
    for row in near:
        for src in then.get(row["src"], ()):
            for dst in then.get(row["dst"], ()):
                scores.setdefault((src, row["edge_type"], dst), float(row["score"]))
    edges = list(scores)
    held = connection.execute(
        Q.edges_held, edge_columns(edges) | {"app_id": app_id, "day": last_day(as_of)}
    ).fetchall()
    return [(edges[row["edge"] - 1], row["weight"], scores[edges[row["edge"] - 1]]) for row in held]


def _nearest(
    connection: Connection[Row],
    block: LiteralString,
    app_id: str,
    space: Space,
    vector: NDArray[np.floating],
    k: int,
    as_of: date | None,
) -> list[Row]:
    sized = block.replace(_WRITTEN_DIMENSION, f"halfvec({int(space.dimension)})")
    with embeddings.within_transaction(connection):
        connection.execute(_SCAN)
        return connection.execute(
            cast(LiteralString, sized),
            {
                "app_id": app_id,
                "space_id": embeddings.space_id(space),
                "vector": HalfVector(vector),
                "as_of": as_of,
                "k": k,
            },
            prepare=False,
        ).fetchall()


def _then(
    connection: Connection[Row], app_id: str, entity_ids: Sequence[str], as_of: date
) -> dict[str, list[str]]:
    given = {"app_id": app_id, "entity_ids": list(entity_ids), "day": as_of}
    found: dict[str, list[str]] = {}
    for row in connection.execute(Q.entities_then, given):
        found.setdefault(row["now_id"], []).append(row["entity_id"])
    return found


def last_day(as_of: date | None) -> date:
    """Today is the last day there is: what holds without an end holds before infinity."""
    return as_of or date.max


def edge_columns(edges: Sequence[EdgeKey]) -> Row:
    """Edges as parameters of a block: one array for each part of their keys."""
    return {
        "srcs": [src for src, _, _ in edges],
        "edge_types": [edge_type for _, edge_type, _ in edges],
        "dsts": [dst for _, _, dst in edges],
    }
