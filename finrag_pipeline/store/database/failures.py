"""What Postgres and its driver raise, as the product's errors: one line each, with the mend.

Errors of the program itself (a broken constraint, wrong SQL) pass through unchanged.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

import psycopg
from psycopg import errors

from finrag_pipeline.errors import (
    ConfigurationError,
    FinragError,
    StorageFull,
    StoreUnavailable,
    StoreUnusable,
)

_READ_ONLY = (
    "the database takes no writes: if it is a standby, or set to read-only, wait until that is "
    "over or name the server that writes in FINRAG_DATABASE_URL; questions are answered meanwhile"
)
_RIGHTS = {
    "FINRAG_DATABASE_URL": "give the role of FINRAG_DATABASE_URL the right to create and write in "
    "its database, e.g. by making it the owner",
    "FINRAG_READER_URL": "readers select what they were granted, nothing else; where that is "
    "missing, `finrag status` as the writer grants it",
}


@contextmanager
def store_errors(
    server: str = "Postgres", variable: str = "FINRAG_DATABASE_URL"
) -> Generator[None]:
    """Turn driver errors in the block into `FinragError`s.

    Args:
        server: how to name the server in the line, without a password.
        variable: what says where it is.

    Raises:
        StorageFull: the server's disk is full.
        StoreUnavailable: it refused, dropped or never answered the connection, or it rolled the
            transaction back in favour of another one.
        StoreUnusable: the role lacks a right, or the server takes no writes.
        ConfigurationError: wrong user, password or database.
    """
    try:
        yield
    except psycopg.OperationalError as error:
        raise _operational(error, server, variable) from error
    except (errors.InsufficientPrivilege, errors.ReadOnlySqlTransaction) as error:
        read_only = isinstance(error, errors.ReadOnlySqlTransaction)
        # readers may not write, whatever the server takes
        mend = _READ_ONLY if read_only and "DATABASE" in variable else _RIGHTS[variable]
        raise StoreUnusable(f"{server}: {_line(error)}: {mend}") from error


def _operational(error: psycopg.OperationalError, server: str, variable: str) -> FinragError:
    from psycopg_pool import PoolClosed, PoolTimeout

    line = _line(error)
    if isinstance(error, errors.DiskFull) or "No space left on device" in line:
        return StorageFull(f"{server}: {line}: free some space on its disk, then run it again")
    if isinstance(error, errors.SerializationFailure | errors.DeadlockDetected):
        return StoreUnavailable(f"{server}: {line}: nothing was written, run it again")
    if isinstance(error, PoolTimeout):
        return StoreUnavailable(f"{server}: {line}: is it up, and does it allow more connections?")
    if isinstance(error, PoolClosed):
        return StoreUnavailable(f"{server}: {line}: open the database again")
    if error.sqlstate is not None:
        return StoreUnavailable(f"{server}: {line}: see the server's log, then run it again")
    # a failed attempt to connect, or a lost connection: there is no SQLSTATE, only words
    if "authentication failed" in line or (error.pgconn and error.pgconn.needs_password):
        return ConfigurationError(f"{server}: {line}: set the password in {variable}")
    if "does not exist" in line:
        return ConfigurationError(f"{server}: {line}: create it, or correct {variable}")
    return StoreUnavailable(
        f"{server}: {line}: check that the server runs and that {variable} names it"
    )


def _line(error: psycopg.Error) -> str:
    text = error.diag.message_primary or str(error).strip() or type(error).__name__
    return text.splitlines()[0].removeprefix("connection failed: ").rstrip(":. ")
