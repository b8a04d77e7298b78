"""One statement that was checked elsewhere, within a time: its rows, or one line that says why not.

What may run is decided where statements are made; blocks of SQL are `queries`.
"""

from __future__ import annotations

from typing import Any

import psycopg
from psycopg import Connection, Cursor, sql
from psycopg.rows import DictRow

from finrag_pipeline.errors import SqlRefused


def select_within(
    connection: Connection[DictRow], statement: str, timeout_ms: int
) -> list[dict[str, Any]]:
    """The rows of one statement, by names.

    Args:
        connection: of a `Reader`, which sends one statement at a time; closed after an error.

    Raises:
        SqlRefused: Postgres does not take it, or it takes longer.
    """
    bound = sql.SQL("set local statement_timeout = {}").format(sql.Literal(timeout_ms))
    Cursor(connection).execute(bound)
    try:
        return connection.execute(statement).fetchall()  # pyright: ignore
    except psycopg.Error as error:
        if error.sqlstate is None:
            raise  # the connection was lost
        connection.close()  # whatever the statement has left behind
        if isinstance(error, psycopg.errors.QueryCanceled):
            raise SqlRefused(
                f"the SQL was stopped after {timeout_ms / 1000:g} s: ask for fewer companies or "
                "years"
            ) from error
        line = (error.diag.message_primary or type(error).__name__).splitlines()[0]
        raise SqlRefused(f"the SQL was refused by Postgres: {line}") from error
