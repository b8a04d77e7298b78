"""What documents of company records say: typed functions over `enterprise_graph.sql`.

Which document a record's source holds is `document_sources`, as for files.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from psycopg import Connection

from finrag_pipeline.records import Document
from finrag_pipeline.records.enterprise import RecordDocument
from finrag_pipeline.store.database.queries import load_queries

Row = dict[str, Any]
Q = load_queries("documents/enterprise_graph")

#: What the sources of all records begin with; named as a path it means them all.
RECORDS = "enterprise://records"


def uri_of(document: RecordDocument) -> str:
    """The source of a record's document, whatever its file is called."""
    return f"{RECORDS}/{document.company_id}/{document.part}"


def is_record(uri: str) -> bool:
    """Whether a source is a record's and no file.

    >>> is_record("enterprise://records/c1/profile"), is_record("/data/enterprise.pdf")
    (True, False)
    """
    return uri == RECORDS or uri.startswith(f"{RECORDS}/")


def put(connection: Connection[Row], app_id: str, document: RecordDocument) -> None:
    """Store a record's document in place of what it said before."""
    connection.execute(
        Q.put,
        {
            "app_id": app_id,
            "uri": uri_of(document),
            "company_id": document.company_id,
            "kind": document.kind,
            "content": document.to_json(),
        },
    )


def remove_others(connection: Connection[Row], app_id: str, kept: Sequence[str]) -> list[str]:
    """Remove all documents of records but some; returns the sources that went."""
    rows = connection.execute(Q.remove_others, {"app_id": app_id, "kept": list(kept)})
    return sorted(row["uri"] for row in rows)


def content_of(connection: Connection[Row], document: Document) -> str | None:
    """What a document's record says; None where none of its sources is a record that is held."""
    given = {"app_id": document.app_id, "uris": list(document.uris)}
    row = connection.execute(Q.contents, given).fetchone()
    return row["content"] if row else None


def held(connection: Connection[Row], app_id: str) -> list[Row]:
    """Documents and companies of records by kind."""
    return connection.execute(Q.held, {"app_id": app_id}).fetchall()


def count(connection: Connection[Row], app_id: str) -> int:
    """How many documents of records an application has."""
    row = connection.execute(Q.count, {"app_id": app_id}).fetchone()
    return row["documents"] if row else 0
