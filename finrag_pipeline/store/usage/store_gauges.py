"""What a store holds in a few figures, for whoever watches it: over `store_gauges.sql`.

How large its tables are belongs to `store.database.sizes`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from psycopg import Connection

from finrag_pipeline.store.database.queries import load_queries
from finrag_pipeline.store.usage.job_runs import last_successes

Row = dict[str, Any]
Q = load_queries("usage/store_gauges")


@dataclass(frozen=True, slots=True)
class StoreFigures:
    """A store at a moment, all its applications together.

    Attributes:
        documents: by state.
        chunks: that readers can find.
        unfinished_stages: documents by the stage that a chat model left undone.
        newest_arrival_s: the last arrival day, in seconds since 1970; None before the first.
        weekly_build_s: when the current weekly build was published; None before the first.
        job_successes_s: when each of Dagster's jobs succeeded last.
    """

    documents: dict[str, int]
    chunks: int
    unfinished_stages: dict[str, int]
    newest_arrival_s: float | None
    weekly_build_s: float | None
    job_successes_s: dict[str, float]


def read(connection: Connection[Row]) -> StoreFigures:
    """The figures of a store; its writer sees all of it."""
    documents = {row["status"]: row["documents"] for row in connection.execute(Q.documents)}
    unfinished = {row["stage"]: row["documents"] for row in connection.execute(Q.unfinished)}
    chunks = connection.execute(Q.chunks).fetchone()
    times = connection.execute(Q.times).fetchone()
    assert chunks is not None and times is not None  # aggregates
    successes = last_successes(connection)
    return StoreFigures(documents, chunks["chunks"], unfinished, **times, job_successes_s=successes)
