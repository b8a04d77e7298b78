"""The embedded Postgres under `FINRAG_HOME`: started by the first process, stopped by the last.

What is stored in it belongs to `database`; how the server program is run, to `postmaster`.

Every process that uses the server holds a shared `flock` on `postgres.clients.lock`. The kernel
frees it however the process ends, so a killed client can neither stop the server for the others
nor keep it alive for ever. A process that exits asks for the exclusive lock: it gets it only as
the last one, and then stops the server. A process that arrives meanwhile waits for its shared
lock until that is done.
"""

from __future__ import annotations

import atexit
import errno
import fcntl
import logging
import os
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

import psycopg
from psycopg import sql

from finrag_pipeline.errors import FinragError, StoreUnavailable
from finrag_pipeline.store.embedded import postmaster
from finrag_pipeline.store.embedded.home import home_errors

#: a crash recovery that takes longer is reported, and goes on
_PATIENCE_S = 120.0

_logger = logging.getLogger(__name__)

#: home -> descriptor of the shared lock that makes this process a client
_clients: dict[Path, int] = {}
_clients_guard = threading.Lock()


def embedded_server_url(home: Path, database: str = "finrag") -> str:
    """Start the embedded server, or attach to the running one, and create the database if missing.

    The calling process counts as a client until it exits. Safe to call from many processes and
    threads at once, and again after the server was killed.

    Args:
        home: data directory; the server's files go to `home/postgres`.
        database: name of the database.

    Returns:
        A libpq URL over the server's unix socket.

    Raises:
        ConfigurationError: `home` cannot be written, or belongs to another user.
        StorageFull: the disk under `home` is full.
        StoreUnavailable: the server does not start, or does not answer within two minutes.
    """
    home = home.expanduser().resolve()
    data = home / "postgres"
    with home_errors(home):
        home.mkdir(parents=True, exist_ok=True)
        _become_client(home)
        with _locked(home / "postgres.start.lock"):
            _wait_for_database(data, database)
        return _url(data, database)


def stop_embedded_server(home: Path) -> bool:
    """Stop the embedded server now, even when other processes use it.

    Their connections end with an error; the next `embedded_server_url` starts it again.

    Returns:
        Whether a server was running.
    """
    home = home.expanduser().resolve()
    with home_errors(home):
        _leave(home, stop=False)
        if not (home / "postgres").exists():
            return False
        with _locked(home / "postgres.start.lock"):
            return postmaster.stop(home / "postgres")


def _url(data: Path, database: str) -> str:
    directory = quote(str(postmaster.socket_directory(data)), safe="")
    name = quote(database, safe="")
    # the port is said, or else PGPORT in the environment decides
    return f"postgresql://{postmaster.ROLE}@/{name}?host={directory}&port={postmaster.PORT}"


def _wait_for_database(data: Path, database: str) -> None:
    deadline = time.monotonic() + _PATIENCE_S
    while True:
        try:
            if not postmaster.listens(data):
                postmaster.start(data)
            return _create_database(data, database)
        except psycopg.errors.DiskFull as error:
            raise OSError(errno.ENOSPC, str(error)) from error
        except (psycopg.OperationalError, postmaster.Settling) as error:
            # it is shutting down, recovering from a crash, or was killed this instant
            if time.monotonic() > deadline:
                reason = str(error).strip().splitlines()[0]
                raise StoreUnavailable(
                    f"the embedded Postgres does not answer ({reason}): see {data / 'server.log'}"
                ) from error
        time.sleep(0.05)


def _create_database(data: Path, database: str) -> None:
    with psycopg.connect(_url(data, "postgres"), autocommit=True, connect_timeout=10) as connection:
        found = connection.execute("select from pg_database where datname = %s", (database,))
        if found.rowcount == 0:
            connection.execute(sql.SQL("create database {}").format(sql.Identifier(database)))


def _become_client(home: Path) -> None:
    with _clients_guard:
        if home in _clients:
            return
        _clients[home] = _open_lock(home / "postgres.clients.lock", fcntl.LOCK_SH)


def _leave(home: Path, *, stop: bool) -> None:
    with _clients_guard:
        descriptor = _clients.pop(home, None)
    if descriptor is None:
        return
    try:
        # dropped first: of two processes that leave at once, the later one gets the exclusive lock
        fcntl.flock(descriptor, fcntl.LOCK_UN)
        if stop:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            postmaster.stop(home / "postgres")
    except BlockingIOError:
        pass  # others still use it
    finally:
        os.close(descriptor)


@atexit.register
def _leave_all() -> None:  # pyright: ignore[reportUnusedFunction]
    for home in list(_clients):
        try:
            _leave(home, stop=True)
        except (FinragError, OSError) as error:
            _logger.warning("the embedded Postgres was left running: %s", error)


def _forget_clients() -> None:
    """A forked child is no client until it asks: its parent's exit must not depend on it."""
    global _clients_guard
    _clients_guard = threading.Lock()
    for descriptor in _clients.values():
        os.close(descriptor)
    _clients.clear()


os.register_at_fork(after_in_child=_forget_clients)


@contextmanager
def _locked(path: Path) -> Generator[None]:
    descriptor = _open_lock(path, fcntl.LOCK_EX)
    try:
        yield
    finally:
        os.close(descriptor)  # frees the lock


def _open_lock(path: Path, kind: int) -> int:
    # Python opens close-on-exec, so neither the server nor any other program inherits the lock;
    # opened for reading, so that root and the owner of the directory can share it
    descriptor = os.open(path, os.O_RDONLY | os.O_CREAT, 0o644)
    try:
        fcntl.flock(descriptor, kind)
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor
