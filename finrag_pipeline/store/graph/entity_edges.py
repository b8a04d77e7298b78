"""Edges between entities and the statements behind them: functions over `entity_edges.sql`.

What edges follow from what statements is arithmetic of `stages.graph.edges`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from psycopg import Connection
from psycopg.types.json import Jsonb

from finrag_pipeline.records.graph import Edge, EdgeKey, Evidence
from finrag_pipeline.store.database.queries import load_queries

Row = dict[str, Any]
Q = load_queries("graph/entity_edges")


def touched(connection: Connection[Row], document_ids: Sequence[str]) -> set[EdgeKey]:
    """Pairs of names that what readers see of some documents relates, by what is asserted."""
    return _pairs(connection.execute(Q.touched_relations, {"document_ids": list(document_ids)}))


def relations_of(connection: Connection[Row], app_id: str, names: Iterable[str]) -> set[EdgeKey]:
    """Related pairs of names with one of some names at an end."""
    given = {"app_id": app_id, "name_ids": sorted(names)}
    return _pairs(connection.execute(Q.relations_of_names, given))


def evidence_between(
    connection: Connection[Row], app_id: str, pairs: Iterable[tuple[str, str]]
) -> list[Evidence]:
    """What is asserted between pairs of names in what readers see, in either direction."""
    ordered = sorted(set(pairs))
    rows = connection.execute(
        Q.evidence,
        {
            "app_id": app_id,
            "head_ids": [head for head, _ in ordered],
            "tail_ids": [tail for _, tail in ordered],
        },
    )
    return [Evidence(**row) for row in rows]


def set_edges(
    connection: Connection[Row], app_id: str, keys: Iterable[EdgeKey], edges: Mapping[EdgeKey, Edge]
) -> None:
    """Replace the edges of `keys`: those that are in `edges` stay, with what is said there."""
    now: list[Row] = []
    steps: list[Row] = []
    ordered = sorted(set(keys))
    for src, edge_type, dst in ordered:
        place = {"app_id": app_id, "src": src, "edge_type": edge_type, "dst": dst}
        edge = edges.get((src, edge_type, dst))
        if edge is None:
            continue
        if edge.chunk_ids:
            now.append(
                place
                | {
                    "weight": edge.weight,
                    "description": edge.description,
                    "valid_from": edge.valid_from,
                    "valid_to": edge.valid_to,
                    "published_from": edge.published_from,
                    "published_to": edge.published_to,
                    "evidence_chunk_ids": Jsonb(list(edge.chunk_ids)),
                }
            )
        steps += [
            place | {"since": step.since, "until": step.until, "weight": step.weight}
            for step in edge.steps
        ]
    gone = {
        "app_id": app_id,
        "srcs": [src for src, _, _ in ordered],
        "edge_types": [edge_type for _, edge_type, _ in ordered],
        "dsts": [dst for _, _, dst in ordered],
    }
    connection.execute(Q.delete_edges, gone)
    with connection.cursor() as cursor:
        cursor.executemany(Q.add_edge, now)
        cursor.executemany(Q.add_step, steps)


def edges_of(connection: Connection[Row], app_id: str, entity_id: str, k: int) -> list[Row]:
    """The `k` weightiest edges of an entity, relations before co-occurrences."""
    given = {"app_id": app_id, "entity_id": entity_id, "k": k}
    return connection.execute(Q.edges_of, given).fetchall()


def _pairs(rows: Iterable[Row]) -> set[EdgeKey]:
    return {(row["head_id"], row["relation"], row["tail_id"]) for row in rows}


def clear(connection: Connection[Row], app_id: str) -> None:
    """Remove every edge of an app, and their history."""
    connection.execute(Q.clear_edges, {"app_id": app_id})
    connection.execute(Q.clear_neighbours, {"app_id": app_id})
