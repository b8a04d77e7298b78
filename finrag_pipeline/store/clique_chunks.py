"""The chunks of documents: typed functions over `clique_chunks.sql`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from psycopg import Connection
from psycopg.types.json import Jsonb

from finrag_pipeline.records import Chunk, Document
from finrag_pipeline.store.queries import load_queries

Row = dict[str, Any]
Q = load_queries("clique_chunks")


def add(connection: Connection[Row], document: Document, chunks: Sequence[Chunk]) -> None:
    """Store the chunks of a revision."""
    with connection.cursor() as cursor:
        cursor.executemany(
            Q.add_chunk,
            [
                {
                    "document_id": document.document_id,
                    "revision": document.revision,
                    "ordinal": chunk.ordinal,
                    "page": chunk.page,
                    "places": Jsonb([asdict(place) for place in chunk.places]),
                    "section": list(chunk.section),
                    "meta": chunk.meta,
                    "content": chunk.content,
                    "token_count": chunk.token_count,
                }
                for chunk in chunks
            ],
        )


def lengths(connection: Connection[Row], app_id: str, minimum: int, maximum: int) -> Row:
    """Counts of ``chunks``, those ``over`` and ``under`` the bounds, and the ``longest``."""
    row = connection.execute(
        Q.lengths, {"app_id": app_id, "min_tokens": minimum, "max_tokens": maximum}
    ).fetchone()
    assert row is not None  # an aggregate without group by always has one row
    return row
