"""Which documents of an app a list shows, in parts: typed functions over `document_lists.sql`.

What is told of each of them is `documents.list_documents`.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import date
from typing import Any

from psycopg import Connection

from finrag_pipeline.store.database.queries import load_queries

Row = dict[str, Any]
Q = load_queries("documents/document_lists")


@dataclass(frozen=True, slots=True)
class DocumentFilter:
    """What documents of a list have; None and empty for any.

    Attributes:
        reason: code of why a document failed.
        text: a part of a file's name or of a title, in any case.
        document_ids: only these.
    """

    status: str | None = None
    reason: str | None = None
    kind: str | None = None
    broker: str | None = None
    text: str | None = None
    published_from: date | None = None
    published_to: date | None = None
    arrived_from: date | None = None
    arrived_to: date | None = None
    document_ids: tuple[str, ...] | None = None


def matching(
    connection: Connection[Row], app_id: str, wanted: DocumentFilter, limit: int, offset: int
) -> tuple[list[str], int]:
    """Ids of a part of the documents that a filter leaves, newest first, and their number."""
    given = asdict(wanted) | {"app_id": app_id, "limit": limit, "offset": offset}
    ids = wanted.document_ids
    given["document_ids"] = list(ids) if ids is not None else None
    row = connection.execute(Q.matching, given).fetchone()
    assert row is not None  # of aggregates
    return row["document_ids"], row["total"]


def page_sizes(connection: Connection[Row], document_id: str, revision: str | None) -> list[Row]:
    """The pages of a revision: sizes in points, mean confidence of recognised text, flags."""
    key = {"document_id": document_id, "revision": revision}
    return connection.execute(Q.page_sizes, key).fetchall()
