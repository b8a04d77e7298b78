"""Summaries of entities, and what they are written from: functions over `entity_summaries.sql`.

Writing one is a stage's or a chat model's; an entity that changes loses its summary at once.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from typing import Any

from psycopg import Connection
from psycopg.types.json import Jsonb

from finrag_pipeline.records.graph import Anchor, EntitySource, EntitySummary
from finrag_pipeline.store.database.queries import load_queries
from finrag_pipeline.store.graph.entity_graph import describe_entities

Row = dict[str, Any]
Q = load_queries("graph/entity_summaries")

#: Chunks that must name an entity before a summary of it says more than they do.
FREQUENT_CHUNKS = 5
#: Chunks that a summary is written from.
_ANCHORS = 12


@dataclass(frozen=True, slots=True)
class StoredSummary:
    """One row of `entity_summaries`."""

    entity_id: str
    summary_text: str
    anchor_chunk_ids: list[str]
    written_by: str
    source_sha256: str
    published_to: date


def frequent(connection: Connection[Row], app_id: str) -> list[str]:
    """Entities of an app that are to have a summary, in order of ids; reads every mention."""
    given = {"app_id": app_id, "chunks": FREQUENT_CHUNKS}
    return [row["entity_id"] for row in connection.execute(Q.frequent, given)]


def made_under(written_by: str) -> str:
    """What decides who has a summary and what it rests on, besides the graph itself."""
    return f"{written_by}, of {FREQUENT_CHUNKS} chunks, from {_ANCHORS}"


def sources(
    connection: Connection[Row],
    app_id: str,
    entity_ids: Iterable[str],
    as_of: date | None = None,
) -> list[EntitySource]:
    """What summaries of some entities are written from, now or as of a day of publication.

    Entities that fewer than `FREQUENT_CHUNKS` chunks name (then) have none.
    """
    ids = sorted(set(entity_ids))
    anchors: dict[str, list[Anchor]] = {}
    given = {"app_id": app_id, "entity_ids": ids, "as_of": as_of}
    for row in connection.execute(Q.anchors, given | {"k": _ANCHORS, "chunks": FREQUENT_CHUNKS}):
        anchors.setdefault(row["entity_id"], []).append(Anchor(row["chunk_id"], row["content"]))
    return [
        EntitySource(
            row["entity_id"],
            row["name"],
            row["type"],
            tuple(alias["name"] for alias in row["aliases"] if alias["name"] != row["name"]),
            row["description"],
            tuple(anchors[row["entity_id"]]),
            row["published_to"],
        )
        for row in _described(connection, app_id, anchors, as_of)
    ]


def _described(
    connection: Connection[Row], app_id: str, entity_ids: Iterable[str], as_of: date | None
) -> list[Row]:
    if as_of is not None:
        return describe_entities(connection, app_id, entity_ids, as_of)
    # as they are now, they are stored
    given = {"app_id": app_id, "entity_ids": sorted(entity_ids)}
    return connection.execute(Q.described, given).fetchall()


def source_sha256(source: EntitySource, written_by: str) -> str:
    """What a summary was written from and by, in one digest: unchanged, it need not be again."""
    told = repr((written_by, sorted(asdict(source).items())))
    return hashlib.sha256(told.encode()).hexdigest()


def summaries(
    connection: Connection[Row], app_id: str, entity_ids: Sequence[str] | None = None
) -> dict[str, StoredSummary]:
    """What is written of some entities, or of all, by entity."""
    given = {"app_id": app_id, "entity_ids": list(entity_ids) if entity_ids is not None else None}
    rows = connection.execute(Q.summaries, given)
    return {row["entity_id"]: StoredSummary(**row) for row in rows}


def set_summary(
    connection: Connection[Row],
    app_id: str,
    source: EntitySource,
    summary: EntitySummary,
    written_by: str,
) -> None:
    """Write one summary in place of an older one."""
    connection.execute(
        Q.set_summary,
        {
            "app_id": app_id,
            "entity_id": source.entity_id,
            "summary_text": summary.text,
            "anchor_chunk_ids": Jsonb(list(summary.anchor_chunk_ids)),
            "written_by": written_by,
            "source_sha256": source_sha256(source, written_by),
            "published_to": source.published_to,
        },
    )


def delete(connection: Connection[Row], app_id: str, entity_ids: Sequence[str]) -> None:
    """Remove the summaries of some entities."""
    given = {"app_id": app_id, "entity_ids": list(entity_ids)}
    connection.execute(Q.delete_summaries, given)


def count(connection: Connection[Row], app_id: str) -> int:
    """How many entities of an app have a summary."""
    row = connection.execute(Q.count, {"app_id": app_id}).fetchone()
    assert row is not None  # an aggregate without group by always has one row
    return row["summaries"]
