"""What stands behind the entries that lanes found: typed functions over `entries.sql`.

Finding belongs to `keyword_index` and `embeddings`, choosing to the query.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, LiteralString

from psycopg import Connection

from finrag_pipeline.store.database.queries import load_queries
from finrag_pipeline.store.search.filters import Hit

Row = dict[str, Any]
Q = load_queries("search/entries")


def read_found(connection: Connection[Row], hits: Sequence[Hit]) -> list[Row]:
    """The chunks and tables behind some hits, in no particular order.

    What is no longer part of a current revision has no row.
    """
    rows: list[Row] = []
    blocks: dict[str, LiteralString] = {"chunk": Q.chunks_found, "table": Q.tables_found}
    for kind, block in blocks.items():
        chosen = [hit for hit in hits if hit.kind == kind]
        if chosen:
            rows += connection.execute(
                block,
                {
                    "document_ids": [hit.document_id for hit in chosen],
                    "revisions": [hit.revision for hit in chosen],
                    "ordinals": [hit.ordinal for hit in chosen],
                },
            ).fetchall()
    return rows


def saying(
    connection: Connection[Row], document_ids: Sequence[str], *, passage: str, cell: str
) -> list[Hit]:
    """Chunks that match a pattern, and tables in which a cell matches another one, of some
    documents, in their order.

    Args:
        passage: a pattern of Postgres, whatever the case; `cell` another one.
    """
    patterns = {"document_ids": list(document_ids), "passage": passage, "cell": cell}
    return [Hit(score=0.0, **row) for row in connection.execute(Q.saying, patterns)]


def headed(connection: Connection[Row], document_ids: Sequence[str], heading: str) -> list[Hit]:
    """Chunks of some documents that have the line of a heading, in their order.

    Args:
        heading: a pattern of Postgres for the whole line.
    """
    wanted = {"document_ids": list(document_ids), "heading": f"(?in){heading}"}
    return [Hit("chunk", score=0.0, **row) for row in connection.execute(Q.headed, wanted)]


def first_chunks(connection: Connection[Row], document_ids: Sequence[str]) -> list[Hit]:
    """The first chunk of each of some documents that readers see, in order of ids."""
    rows = connection.execute(Q.first_chunks, {"document_ids": list(document_ids)})
    return [Hit("chunk", score=0.0, **row) for row in rows]


def kept_text(connection: Connection[Row], pages: Iterable[tuple[str, str, int]]) -> list[Row]:
    """Kept regions of pages, given as document, revision and page, in reading order."""
    document_ids, revisions, numbers = zip(*pages, strict=True)
    return connection.execute(
        Q.kept_text,
        {
            "document_ids": list(document_ids),
            "revisions": list(revisions),
            "pages": list(numbers),
        },
    ).fetchall()


def holds_documents(connection: Connection[Row], app_id: str) -> bool:
    """Whether readers of an app see any document."""
    row = connection.execute(Q.holds_documents, {"app_id": app_id}).fetchone()
    return row is not None and row["held"]
