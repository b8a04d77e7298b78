"""Edges between entities as they are: typed functions over `entity_edges.sql`.

What documents say of related names is `contributions`, weights on any day `entity_neighbours`; when
edges change, `pipelines` decide.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from functools import partial
from typing import Any

from psycopg import Connection
from psycopg.types.json import Jsonb

from finrag_pipeline.records.graph import EdgeKey
from finrag_pipeline.store.database.queries import load_queries

Row = dict[str, Any]
Q = load_queries("graph/entity_edges")

#: Statements that describe an edge: more say little new, and a description is embedded as a whole.
DESCRIBED_BY = 5
#: Chunks that an edge tells, the newest: all of them stand in its evidence, and an edge that every
#: report adds to is written again with each.
CHUNKS_TOLD = 100


def held_edges(
    connection: Connection[Row], app_id: str, keys: Iterable[EdgeKey]
) -> dict[EdgeKey, str]:
    """Which of some edges there are, with their descriptions."""
    rows = connection.execute(Q.held_edges, columns(app_id, sorted(keys)))
    return {_key(row): row["description"] for row in rows}


def edges_now(
    connection: Connection[Row], app_id: str, symmetric: Set[str], keys: Iterable[EdgeKey]
) -> dict[EdgeKey, Row]:
    """Some edges as contributions and steps have them; those without evidence are left out."""
    given = columns(app_id, sorted(keys)) | {
        "symmetric": sorted(symmetric),
        "chunks": CHUNKS_TOLD,
        "texts": DESCRIBED_BY,
    }
    return {_key(row): row for row in connection.execute(Q.edges_now, given)}


def set_edges(
    connection: Connection[Row],
    app_id: str,
    edges: Mapping[EdgeKey, Row],
    gone: Collection[EdgeKey],
) -> None:
    """Write edges that are other than what stands there, and remove those that are gone."""
    rows = Jsonb([edges[key] for key in sorted(edges)], dumps=partial(json.dumps, default=str))
    connection.execute(Q.set_edges, {"app_id": app_id, "rows": rows})
    connection.execute(Q.delete_edges, columns(app_id, sorted(gone)))


def edges_between(
    connection: Connection[Row], app_id: str, keys: Iterable[EdgeKey]
) -> set[EdgeKey]:
    """Every edge between the ends of some edges, whatever its type and direction."""
    rows = connection.execute(Q.edges_between, columns(app_id, sorted(keys)))
    return {_key(row) for row in rows}


def every_described(connection: Connection[Row], app_id: str) -> set[EdgeKey]:
    """Every edge of an app that has a description."""
    return {_key(row) for row in connection.execute(Q.every_edge, {"app_id": app_id})}


def edges_of(connection: Connection[Row], app_id: str, entity_id: str, k: int) -> list[Row]:
    """The `k` weightiest edges of an entity, relations before co-occurrences."""
    given = {"app_id": app_id, "entity_id": entity_id, "k": k}
    return connection.execute(Q.edges_of, given).fetchall()


def clear(connection: Connection[Row], app_id: str) -> None:
    """Remove every edge of an app."""
    connection.execute(Q.clear_edges, {"app_id": app_id})


def columns(app_id: str, keys: Sequence[EdgeKey]) -> dict[str, Any]:
    """Keys of edges as blocks of SQL take them: a list for each of their parts."""
    return {
        "app_id": app_id,
        "srcs": [src for src, _, _ in keys],
        "edge_types": [edge_type for _, edge_type, _ in keys],
        "dsts": [dst for _, _, dst in keys],
    }


def _key(row: Row) -> EdgeKey:
    return row["src"], row["edge_type"], row["dst"]
