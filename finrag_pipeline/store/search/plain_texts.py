"""The bare text of chunks and tables, for measuring search against BM25 over nothing else.

What searches read is richer: see `keyword_entries` and `entries`.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from psycopg import Connection

from finrag_pipeline.store.database.queries import load_queries

Row = dict[str, Any]
Q = load_queries("search/plain_texts")


def contents(connection: Connection[Row], app_id: str) -> Generator[Row]:
    """Every chunk and table that readers of an app see: kind, ids, text, pages from 1.

    Some 100,000 rows of a large store are streamed, a thousand at a time.
    """
    with connection.cursor(name="plain_texts") as cursor:
        cursor.itersize = 1000
        cursor.execute(Q.contents, {"app_id": app_id})
        yield from cursor
