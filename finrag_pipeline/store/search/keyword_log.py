"""What keyword copies read of the store: the log of changes, and the entries of documents.

Writing the log belongs to whoever changes documents or builds, see `index_changes`.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any

from psycopg import Connection

from finrag_pipeline.store.database.queries import load_queries

Row = dict[str, Any]
Q = load_queries("search/keyword_index")


class LogPruned(Exception):
    """The log no longer has all that changed since a copy stopped to follow it."""


def store_id(connection: Connection[Row]) -> str:
    """Which database a copy is derived from."""
    row = connection.execute(Q.store_id).fetchone()
    assert row is not None  # a migration inserts the only row
    return row["store_id"]


def entries(connection: Connection[Row], document_ids: Sequence[str] | None) -> Generator[Row]:
    """Rows of the block `entries`, of some documents or of all."""
    ids = list(document_ids) if document_ids is not None else None
    with connection.cursor(name="keyword_entries") as cursor:
        cursor.itersize = 1000
        cursor.execute(Q.entries, {"document_ids": ids})
        yield from cursor


def horizon(connection: Connection[Row]) -> int:
    """The transaction before which every other has ended."""
    return _log(connection)["horizon"]


def changed(connection: Connection[Row], since: int) -> tuple[list[str], int]:
    """What changed since a horizon, and the one to ask from next.

    Raises:
        LogPruned: the log begins later.
    """
    log = _log(connection)
    if since < log["changes_from"]:
        raise LogPruned
    rows = connection.execute(Q.changed, {"since": since, "until": log["horizon"]})
    return [row["document_id"] for row in rows], log["horizon"]


def lacks(connection: Connection[Row], since: int) -> tuple[bool, bool]:
    """Whether the store went on from a horizon, and whether anything changed since.

    Raises:
        LogPruned: the log begins later.
    """
    row = connection.execute(Q.lacking, {"since": since}).fetchone()
    assert row is not None  # a migration inserts the only row of `store_identity`
    if since < row["changes_from"]:
        raise LogPruned
    return since <= row["horizon"], row["changed"]


def waiting_s(connection: Connection[Row], since: int) -> float:
    """Seconds since the oldest change that is not before a horizon; 0 where there is none."""
    row = connection.execute(Q.waiting, {"since": since}).fetchone()
    assert row is not None  # an aggregate
    return row["waiting_s"]


def _log(connection: Connection[Row]) -> Row:
    row = connection.execute(Q.log).fetchone()
    assert row is not None  # a migration inserts the only row of `store_identity`
    return row
