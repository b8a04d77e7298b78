"""The chunks of documents: typed functions over `clique_chunks.sql`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from psycopg import Connection
from psycopg.types.json import Jsonb

from finrag_pipeline.records import Chunk, Document, Place
from finrag_pipeline.store.database.copying import copy_rows
from finrag_pipeline.store.database.queries import load_queries

Row = dict[str, Any]
Q = load_queries("documents/clique_chunks")


def add(connection: Connection[Row], document: Document, chunks: Sequence[Chunk]) -> None:
    """Store the chunks of a revision."""
    copy_rows(
        connection,
        "clique_chunks",
        [
            {
                "document_id": document.document_id,
                "revision": document.revision,
                "ordinal": chunk.ordinal,
                "page": chunk.page,
                "places": Jsonb([asdict(place) for place in chunk.places]),
                "section": list(chunk.section),
                "token_count": chunk.token_count,
                "parent_page": chunk.parent_page,
                "meta": chunk.meta,
                "context": chunk.context,
                "content": chunk.content,
                "summary": chunk.summary,
                "value": chunk.value,
                "signature": list(chunk.signature),
            }
            for chunk in chunks
        ],
    )


def lengths(connection: Connection[Row], app_id: str, maximum: int) -> Row:
    """Chunks of readers ``over`` a length, counted, and the ``longest``."""
    given = {"app_id": app_id, "max_tokens": maximum}
    row = connection.execute(Q.lengths, given).fetchone()
    assert row is not None  # one row of two selects
    return row


def chunks_and_contexts(
    connection: Connection[Row], document: Document
) -> tuple[list[Chunk], list[int]]:
    """A revision's chunks in order, and the places in that list whose context no model wrote.

    The chunks hold what is known of them before any model: no context, summary, value, signature.
    """
    key = {"document_id": document.document_id, "revision": document.revision}
    rows = connection.execute(Q.chunks_of, key).fetchall()
    chunks = [
        Chunk(
            row["ordinal"],
            row["content"],
            tuple(Place(place["page"], tuple(place["bbox"])) for place in row["places"]),
            tuple(row["section"]),
            row["token_count"],
            row["parent_page"],
            row["meta"],
        )
        for row in rows
    ]
    return chunks, [n for n, row in enumerate(rows) if row["context_by"] == "headings"]


def set_contexts(
    connection: Connection[Row], document: Document, contexts: Mapping[int, str], context_by: str
) -> set[int]:
    """Replace the contexts that headings gave some chunks of a revision.

    Args:
        contexts: ordinal to line.
        context_by: name of the model that wrote them.

    Returns:
        Ordinals of the chunks whose line was replaced: those that a model's line had not reached.
    """
    rows = connection.execute(
        Q.set_contexts,
        {
            "document_id": document.document_id,
            "revision": document.revision,
            "ordinals": list(contexts),
            "contexts": list(contexts.values()),
            "context_by": context_by,
        },
    )
    return {row["ordinal"] for row in rows}
