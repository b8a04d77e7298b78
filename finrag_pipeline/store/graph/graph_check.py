"""What a check of the graph compares: typed functions over `graph_check.sql`, which write nothing.

What is compared with what, and how much of it, `pipelines.graph.graph_check` decides.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from typing import Any

from psycopg import Connection

from finrag_pipeline.records.graph import EdgeKey
from finrag_pipeline.store.database.queries import load_queries
from finrag_pipeline.store.graph.entity_edges import columns

Row = dict[str, Any]
Q = load_queries("graph/graph_check")

#: A day of publication, the day before which it ends or None, and the weight in tenths.
Steps = list[tuple[date, date | None, int]]


def snapshot(connection: Connection[Row]) -> None:
    """Let the caller's transaction, which has done nothing yet, read of one moment only."""
    connection.execute(Q.snapshot)


def some_documents(connection: Connection[Row], app_id: str, digest: str, most: int) -> list[str]:
    """Up to `most` documents of an app, current or not, that a digest (64 hex digits) chooses."""
    given = {"app_id": app_id, "digest": digest, "most": most}
    return [row["document_id"] for row in connection.execute(Q.some_documents, given)]


def contributions(connection: Connection[Row], document_ids: Sequence[str]) -> set[str]:
    """Tables that hold something else of some documents than their current revisions say."""
    rows = connection.execute(Q.contributions, {"document_ids": list(document_ids)})
    return {row["name"] for row in rows}


def named(connection: Connection[Row], app_id: str, document_ids: Sequence[str]) -> dict[str, int]:
    """How many documents use each of the names that are used or declared in some."""
    given = {"app_id": app_id, "document_ids": list(document_ids)}
    return {row["name_id"]: row["documents"] for row in connection.execute(Q.named, given)}


def sums(connection: Connection[Row], app_id: str, names: Iterable[str]) -> set[str]:
    """Tables that hold something else of some names than documents bring; costs as they do."""
    given = {"app_id": app_id, "name_ids": sorted(names)}
    return {row["name"] for row in connection.execute(Q.sums, given)}


def entities(connection: Connection[Row], app_id: str, entity_ids: Iterable[str]) -> list[Row]:
    """Some entities as they stand, see `entity_graph.describe_entities`."""
    given = {"app_id": app_id, "entity_ids": sorted(entity_ids)}
    return connection.execute(Q.entities, given).fetchall()


def edges(connection: Connection[Row], app_id: str, keys: Iterable[EdgeKey]) -> dict[EdgeKey, Row]:
    """Some edges as they stand, see `entity_edges.edges_now`."""
    rows = connection.execute(Q.edges, columns(app_id, sorted(keys)))
    return {(row["src"], row["edge_type"], row["dst"]): row for row in rows}


def steps(
    connection: Connection[Row], app_id: str, keys: Iterable[EdgeKey]
) -> dict[EdgeKey, Steps]:
    """Steps of some edges' weights as they stand: those of the tail's end after the head's."""
    found: dict[EdgeKey, Steps] = {}
    for row in connection.execute(Q.steps, columns(app_id, sorted(keys))):
        key = row["src"], row["edge_type"], row["dst"]
        found.setdefault(key, []).append((row["since"], row["until"], row["tenths"]))
    return found


def every_edge(connection: Connection[Row], app_id: str) -> set[EdgeKey]:
    """Every edge of an app, of now or of some day."""
    rows = connection.execute(Q.every_edge, {"app_id": app_id})
    return {(row["src"], row["edge_type"], row["dst"]) for row in rows}
