"""Pools of connections to one server: opened, checked when lent, closed with whoever holds them.

Who logs in and what the connections may do belongs to `connections` and `reader`.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

import orjson
from psycopg import Connection
from psycopg.rows import DictRow, dict_row
from psycopg.types.json import set_json_loads

from finrag_pipeline.store.database.urls import read_url

if TYPE_CHECKING:
    from psycopg_pool import ConnectionPool

POOL_TIMEOUT_S = 30.0
_CONNECT_TIMEOUT_S = 10

# what the pool reports of its background work comes to callers as an error of their own
logging.getLogger("psycopg.pool").addHandler(logging.NullHandler())


@dataclass(frozen=True, slots=True)
class PoolUse:
    """Connections of a pool that are free and lent, what it may grow to, and who waits for one."""

    idle: int
    busy: int
    most: int
    waiting: int


class Pooled:
    """Connections of a pool to one server; leaving its block closes them.

    Args:
        server: how to name the server in errors, without a password.
        pool: as `open_pool` makes it.
    """

    def __init__(self, server: str, pool: ConnectionPool[Connection[DictRow]]) -> None:
        self._server = server
        self._pool = pool

    def use(self) -> PoolUse:
        """How much of the pool is in use now."""
        held = self._pool.get_stats()
        idle = held.get("pool_available", 0)
        busy = held.get("pool_size", 0) - idle
        return PoolUse(idle, busy, held.get("pool_max", 0), held.get("requests_waiting", 0))

    def close(self) -> None:
        """Close every connection; closing twice is fine."""
        self._pool.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()


def connect_options(url: str, variable: str = "FINRAG_DATABASE_URL") -> dict[str, Any]:
    """What every connection is opened with: rows as dicts, and a limit where the URL sets none.

    Raises:
        ConfigurationError: the URL, which a variable holds, is malformed.
    """
    options: dict[str, Any] = {"row_factory": dict_row}
    if "connect_timeout" not in read_url(url, variable):
        options["connect_timeout"] = _CONNECT_TIMEOUT_S
    return options


def open_pool(
    resolve: Callable[[], str],
    options: dict[str, Any],
    *,
    name: str,
    max_connections: int,
    checked: bool = True,
) -> ConnectionPool[Connection[DictRow]]:
    """A pool that starts with one connection; its connections know `vector` and its kin.

    Args:
        resolve: gives the URL of every new connection; it may revive a server that was killed.
        options: as `connect_options` gives them, and the caller's own.
        name: of its threads.
        max_connections: size to which it may grow.
        checked: whether a connection is tried before it is lent, a way to the server more.
    """
    from pgvector.psycopg import register_vector
    from psycopg_pool import ConnectionPool

    def prepare(connection: Connection[Any]) -> None:
        register_vector(connection)
        connection.commit()
        # cells of tables are most of what a search reads
        set_json_loads(orjson.loads, connection)

    def check(connection: Connection[Any]) -> None:
        # a server that was restarted leaves dead connections behind
        ConnectionPool.check_connection(connection)

    return ConnectionPool(
        resolve,
        connection_class=Connection[DictRow],
        kwargs=options,
        min_size=1,
        max_size=max_connections,
        open=True,
        configure=prepare,
        check=check if checked else None,
        timeout=POOL_TIMEOUT_S,
        name=name,
    )
