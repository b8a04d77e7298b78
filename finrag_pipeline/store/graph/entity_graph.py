"""The entity graph as it is computed from mentions and evidence: functions over `entity_graph.sql`.

What follows from what is arithmetic of `stages.graph`; when it is computed, `pipelines` decide.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from typing import Any

from psycopg import Connection
from psycopg.types.json import Jsonb

from finrag_pipeline.store.database.queries import load_queries

Row = dict[str, Any]
Q = load_queries("graph/entity_graph")

#: Entities with so many neighbours are reported, and expanded no further than a fan-out limit.
SUPER_NODE_DEGREE = 100


def lock(connection: Connection[Row], app_id: str) -> None:
    """Wait until no other transaction changes the graph of an app; held until this one ends."""
    connection.execute(Q.lock_graph, {"app_id": app_id})


def touched(connection: Connection[Row], document_ids: Sequence[str]) -> set[str]:
    """Names of what readers see of some documents, those declared included."""
    rows = connection.execute(Q.touched_names, {"document_ids": list(document_ids)})
    return {row["name_id"] for row in rows}


def set_document_names(connection: Connection[Row], document_ids: Sequence[str]) -> None:
    """Write anew which names some documents use, and in which chunks."""
    given = {"document_ids": list(document_ids)}
    for block in (Q.delete_names, Q.add_names, Q.delete_chunks, Q.add_chunks):
        connection.execute(block, given)


def move_chunks(connection: Connection[Row], app_id: str, names: Sequence[str]) -> None:
    """Put the chunks of some names under the entities that they belong to now."""
    connection.execute(Q.move_chunks, {"app_id": app_id, "name_ids": list(names)})


def describe_entities(
    connection: Connection[Row],
    app_id: str,
    entity_ids: Iterable[str],
    as_of: date | None = None,
) -> list[Row]:
    """Some entities as they are, or as they were by a day of publication, in order of ids.

    Returns:
        Rows as in `entities`, without its times; none for what does not exist (then).
    """
    given = {"app_id": app_id, "entity_ids": sorted(set(entity_ids)), "as_of": as_of}
    return connection.execute(Q.describe_entities, given).fetchall()


def set_entities(connection: Connection[Row], app_id: str, entity_ids: Iterable[str]) -> None:
    """Write some entities anew; summaries of them, which may tell what is gone, are removed."""
    ids = sorted(set(entity_ids))
    connection.execute(Q.delete_entities, {"app_id": app_id, "entity_ids": ids})
    rows = [
        row | {"app_id": app_id, "aliases": Jsonb(row["aliases"])}
        for row in describe_entities(connection, app_id, ids)
    ]
    with connection.cursor() as cursor:
        cursor.executemany(Q.add_entity, rows)


def clear(connection: Connection[Row], app_id: str) -> None:
    """Remove the entities of an app with their names, chunks and summaries."""
    for block in (Q.clear_names, Q.clear_chunks, Q.clear_summaries, Q.clear_entities):
        connection.execute(block, {"app_id": app_id})


def digests(connection: Connection[Row], app_id: str) -> dict[str, str]:
    """One digest for each table of an app's graph; equal only for equal rows, moments aside."""
    rows = connection.execute(Q.digests, {"app_id": app_id})
    return {row["name"]: row["digest"] for row in rows}


def every_document(connection: Connection[Row], app_id: str) -> list[str]:
    """Documents that have or had a part in the graph of an app."""
    return [row["document_id"] for row in connection.execute(Q.every_document, {"app_id": app_id})]


def every_name(connection: Connection[Row], app_id: str) -> set[str]:
    """Every name in the graph of an app."""
    return {row["name_id"] for row in connection.execute(Q.every_name, {"app_id": app_id})}


def counts(connection: Connection[Row], app_id: str) -> Row:
    """Entities, edges, co-occurrences among them, summaries and super-nodes of an app."""
    row = connection.execute(
        Q.counts, {"app_id": app_id, "super_node": SUPER_NODE_DEGREE}
    ).fetchone()
    assert row is not None  # an aggregate without group by always has one row
    return row


def largest(connection: Connection[Row], app_id: str, k: int) -> list[Row]:
    """The `k` entities with the most neighbours: id, name, type, degree, mention count."""
    return connection.execute(Q.largest, {"app_id": app_id, "k": k}).fetchall()
