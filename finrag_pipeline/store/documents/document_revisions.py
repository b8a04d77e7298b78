"""Revisions of documents and the stages that each has passed: functions over
`document_revisions.sql`.

Which revision readers see belongs to `documents`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from psycopg import Connection
from psycopg.types.json import Jsonb

from finrag_pipeline.errors import NotFound
from finrag_pipeline.records import Document, EpsForecast, Metadata, Place
from finrag_pipeline.store.database.queries import load_queries
from finrag_pipeline.store.documents import documents

Row = dict[str, Any]
Q = load_queries("documents/document_revisions")


def add_revision(
    connection: Connection[Row], document: Document, metadata: Metadata, page_count: int
) -> None:
    """Open a revision with its metadata.

    Without a day of its own it counts from its arrival; a day that is only a bound, as the end of a
    month, is never after that: what has arrived was published.
    """
    values = asdict(metadata)
    day, basis = metadata.published_on, metadata.published_basis
    if day is None:
        day, basis = document.arrival_on, "arrival"
    elif basis != "day":
        day = min(day, document.arrival_on)
    connection.execute(
        Q.add_revision,
        values
        | {
            "document_id": document.document_id,
            "revision": document.revision,
            "page_count": page_count,
            "company_codes": list(metadata.company_codes),
            "other_names": list(metadata.other_names),
            "analysts": list(metadata.analysts),
            "eps_forecasts": Jsonb(values["eps_forecasts"]),
            "places": Jsonb(values["places"]),
            "published_on": day,
            "published_on_printed": basis in ("day", "month"),
            "published_basis": basis,
        },
    )


def read_metadata(connection: Connection[Row], document: Document) -> Metadata:
    """What the document's revision says of itself."""
    row = connection.execute(
        Q.revision_metadata, {"document_id": document.document_id, "revision": document.revision}
    ).fetchone()
    if row is None:
        raise NotFound(f"document {document.document_id} has no revision {document.revision}")
    del row["page_count"]
    row["company_codes"] = tuple(row["company_codes"])
    row["other_names"] = tuple(row["other_names"])
    row["analysts"] = tuple(row["analysts"])
    row["eps_forecasts"] = tuple(EpsForecast(**forecast) for forecast in row["eps_forecasts"])
    row["places"] = {
        name: tuple(Place(place["page"], tuple(place["bbox"])) for place in places)
        for name, places in row["places"].items()
    }
    return Metadata(**row)


def stage_rows(connection: Connection[Row], document: Document) -> dict[str, int]:
    """Rows that each finished stage of the document's revision left, by stage."""
    key = {"document_id": document.document_id, "revision": document.revision}
    return {row["stage"]: row["row_count"] for row in connection.execute(Q.stage_rows, key)}


def finish_stage(
    connection: Connection[Row], document: Document, stage: str, row_count: int, seconds: float
) -> None:
    """Mark a stage of the document's revision as done; whatever it failed of before is mended."""
    documents.clear_reason(connection, document.document_id)
    connection.execute(
        Q.finish_stage,
        {
            "document_id": document.document_id,
            "revision": document.revision,
            "stage": stage,
            "row_count": row_count,
            "seconds": seconds,
        },
    )


def mark_stage_for_current(connection: Connection[Row], stage: str) -> None:
    """Mark a stage as done for every revision that readers see, where it is not yet."""
    connection.execute(Q.mark_stage_for_current, {"stage": stage})


def lacking_stage(
    connection: Connection[Row], document_ids: Sequence[str], stage: str
) -> list[str]:
    """Sources of those of some documents that have not passed a stage, in order."""
    given = {"document_ids": list(document_ids), "stage": stage}
    rows = connection.execute(Q.lacking_stage, given)
    return [row["source"] for row in rows]
