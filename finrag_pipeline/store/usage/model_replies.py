"""Replies of chat models by the hash of their request: typed functions over `model_replies.sql`."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from psycopg import Connection

from finrag_pipeline.store.database.queries import load_queries

Row = dict[str, Any]
Q = load_queries("usage/model_replies")


def find(connection: Connection[Row], request_sha256: str) -> str | None:
    """The stored reply to a request, None where there is none."""
    row = connection.execute(Q.reply_of, {"request_sha256": request_sha256}).fetchone()
    return row["reply"] if row else None


def known(connection: Connection[Row], requests: Collection[str]) -> set[str]:
    """Those of some requests, by their hashes, whose replies are stored."""
    rows = connection.execute(Q.known_requests, {"requests": sorted(requests)})
    return {row["request_sha256"] for row in rows}


def keep(
    connection: Connection[Row], request_sha256: str, server: str, model: str, reply: str
) -> None:
    """Store the valid reply to a request; the latest one counts."""
    connection.execute(
        Q.keep_reply,
        {
            "request_sha256": request_sha256,
            "server": server,
            "model": model,
            "reply": reply,
        },
    )


def forget(connection: Connection[Row], days: int) -> int:
    """Remove replies older than so many days; how many went."""
    return connection.execute(Q.forget, {"days": days}).rowcount
