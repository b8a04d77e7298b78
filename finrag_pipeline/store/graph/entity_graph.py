"""Entities as they follow from what documents bring: functions over `entity_graph.sql`.

What each document brings is `contributions`; when entities are written, `pipelines` decide.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from functools import partial
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


def entities_of(
    connection: Connection[Row],
    app_id: str,
    document_ids: Sequence[str],
    *,
    moved: Sequence[str] = (),
    linked: Sequence[str] = (),
) -> dict[str, int]:
    """How many of some documents name which entities, as names belong to entities now.

    Args:
        moved: names whose other documents are counted, too, as far as they name any of `linked`.
    """
    given = {
        "app_id": app_id,
        "document_ids": list(document_ids),
        "moved": list(moved),
        "linked": list(linked),
    }
    rows = connection.execute(Q.entities_of, given)
    return {row["entity_id"]: row["documents"] for row in rows}


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

    Counted anew from what all documents brought of their names: costs as much as that is.

    Returns:
        Rows as in `entities`, without its times; none for what does not exist (then).
    """
    given = {"app_id": app_id, "entity_ids": sorted(set(entity_ids)), "as_of": as_of}
    return connection.execute(Q.describe_entities, given).fetchall()


def set_entities(
    connection: Connection[Row], app_id: str, came: Mapping[str, int], neighbours: Mapping[str, int]
) -> set[str]:
    """Bring some entities to what names and texts say of them now.

    Args:
        came: by how many documents more name each entity.
        neighbours: by how many neighbours more each entity has.

    Returns:
        Those that are other than before, new, or gone.
    """
    ids = sorted({*came, *neighbours})
    given = {
        "app_id": app_id,
        "entity_ids": ids,
        "documents": [came.get(each, 0) for each in ids],
        "degrees": [neighbours.get(each, 0) for each in ids],
    }
    now = connection.execute(Q.entities_now, given).fetchall()
    rows = Jsonb(now, dumps=partial(json.dumps, default=str))
    changed = connection.execute(Q.set_entities, {"app_id": app_id, "rows": rows}).fetchall()
    left = {row["entity_id"] for row in now}
    gone = {"app_id": app_id, "entity_ids": [each for each in ids if each not in left]}
    changed += connection.execute(Q.delete_entities, gone).fetchall()
    return {row["entity_id"] for row in changed}


def delete_summaries(connection: Connection[Row], app_id: str, entity_ids: Iterable[str]) -> None:
    """Remove what was written of some entities: it may tell what is gone."""
    given = {"app_id": app_id, "entity_ids": sorted(entity_ids)}
    connection.execute(Q.delete_summaries, given)


def clear(connection: Connection[Row], app_id: str) -> None:
    """Remove the entities of an app and their summaries."""
    for block in (Q.clear_summaries, Q.clear_entities):
        connection.execute(block, {"app_id": app_id})


def every_document(connection: Connection[Row], app_id: str) -> list[str]:
    """Documents of an app that readers see, in order of publication."""
    return [row["document_id"] for row in connection.execute(Q.every_document, {"app_id": app_id})]


def every_entity(connection: Connection[Row], app_id: str) -> set[str]:
    """Every entity of an app."""
    return {row["entity_id"] for row in connection.execute(Q.every_entity, {"app_id": app_id})}


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
