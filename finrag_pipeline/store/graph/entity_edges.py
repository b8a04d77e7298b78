"""Edges between entities and the history of their weights: functions over `entity_edges.sql`.

What documents say of related names is `contributions`; when edges change, `pipelines` decide.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from datetime import date
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

#: Tenths that an edge's weight rises by, or falls, on a day of publication.
Changes = dict[tuple[EdgeKey, date], int]


def changes(
    connection: Connection[Row],
    app_id: str,
    symmetric: Set[str],
    document_ids: Sequence[str] = (),
    *,
    moved: Sequence[str] = (),
    linked: Sequence[str] = (),
    pairs: Iterable[tuple[str, str]] = (),
) -> Changes:
    """What documents add to the weights of edges, as names belong to entities now.

    Args:
        symmetric: relations without direction.
        document_ids: counted with all that they say.
        moved: names whose other documents are counted, as far as these say anything of `linked`.
        pairs: heads and tails; what all documents say of them is counted (each but once).
    """
    ends = sorted(pairs)
    given = {
        "app_id": app_id,
        "symmetric": sorted(symmetric),
        "document_ids": list(document_ids),
        "moved": list(moved),
        "linked": list(linked),
        "head_ids": [head for head, _ in ends],
        "tail_ids": [tail for _, tail in ends],
    }
    return {
        ((row["src"], row["edge_type"], row["dst"]), row["day"]): row["tenths"]
        for row in connection.execute(Q.changes, given)
    }


def change_steps(connection: Connection[Row], app_id: str, changed: Changes) -> None:
    """Add to the weights of edges from some days on; costs by the steps from those days on."""
    ordered = [(key, day, tenths) for (key, day), tenths in sorted(changed.items()) if tenths]
    given = _columns(app_id, [key for key, _, _ in ordered]) | {
        "days": [day for _, day, _ in ordered],
        "tenths": [tenths for _, _, tenths in ordered],
    }
    connection.execute(Q.change_steps, given)


def held_edges(
    connection: Connection[Row], app_id: str, keys: Iterable[EdgeKey]
) -> dict[EdgeKey, str]:
    """Which of some edges there are, with their descriptions."""
    rows = connection.execute(Q.held_edges, _columns(app_id, sorted(keys)))
    return {_key(row): row["description"] for row in rows}


def edges_now(
    connection: Connection[Row], app_id: str, symmetric: Set[str], keys: Iterable[EdgeKey]
) -> dict[EdgeKey, Row]:
    """Some edges as contributions and steps have them; those without evidence are left out."""
    given = _columns(app_id, sorted(keys)) | {
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
    connection.execute(Q.delete_edges, _columns(app_id, sorted(gone)))


def edges_between(
    connection: Connection[Row], app_id: str, keys: Iterable[EdgeKey]
) -> set[EdgeKey]:
    """Every edge between the ends of some edges, whatever its type and direction."""
    rows = connection.execute(Q.edges_between, _columns(app_id, sorted(keys)))
    return {_key(row) for row in rows}


def every_described(connection: Connection[Row], app_id: str) -> set[EdgeKey]:
    """Every edge of an app that has a description."""
    return {_key(row) for row in connection.execute(Q.every_edge, {"app_id": app_id})}


def edges_of(connection: Connection[Row], app_id: str, entity_id: str, k: int) -> list[Row]:
    """The `k` weightiest edges of an entity, relations before co-occurrences."""
    given = {"app_id": app_id, "entity_id": entity_id, "k": k}
    return connection.execute(Q.edges_of, given).fetchall()


def clear(connection: Connection[Row], app_id: str) -> None:
    """Remove every edge of an app, and their history."""
    connection.execute(Q.clear_edges, {"app_id": app_id})
    connection.execute(Q.clear_neighbours, {"app_id": app_id})


def _columns(app_id: str, keys: Sequence[EdgeKey]) -> dict[str, Any]:
    return {
        "app_id": app_id,
        "srcs": [src for src, _, _ in keys],
        "edge_types": [edge_type for _, edge_type, _ in keys],
        "dsts": [dst for _, _, dst in keys],
    }


def _key(row: Row) -> EdgeKey:
    return row["src"], row["edge_type"], row["dst"]
