"""Connections to the one Postgres that holds everything, checked and migrated when opened.

Other layers take the driver's types from here. What is asked of the database belongs to the
modules of the table families.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Self

import psycopg
from psycopg import Connection, Rollback
from psycopg.rows import DictRow

from finrag_pipeline.errors import StoreUnusable
from finrag_pipeline.settings import Settings
from finrag_pipeline.store.database.failures import store_errors
from finrag_pipeline.store.database.migrations import migrate, schema_lock
from finrag_pipeline.store.database.pools import Pooled, connect_options, open_pool
from finrag_pipeline.store.database.roles import ensure_reader, login_of
from finrag_pipeline.store.database.sql_files import sql_directory
from finrag_pipeline.store.database.urls import masked_url, sqlalchemy_url

if TYPE_CHECKING:
    from psycopg_pool import ConnectionPool

__all__ = ["Connection", "Database", "Rollback", "Row"]

#: A row by the names of its columns.
Row = dict[str, Any]

_OLDEST_POSTGRES = 15
_OLDEST_PGVECTOR = (0, 8)

DAGSTER_SCHEMA = "dagster"


class Database(Pooled):
    """A pool of connections to one checked and migrated database.

    Rows are dicts; `vector`, `halfvec`, `sparsevec` and `bit` are known to the driver.

    Attributes:
        url: libpq URL, password included: pass it on, do not print it.
    """

    def __init__(self, url: str, server: str, pool: ConnectionPool[Connection[DictRow]]) -> None:
        super().__init__(server, pool)
        self.url = url

    @classmethod
    def open(cls, settings: Settings, *, max_connections: int = 16) -> Self:
        """Reach the server, check that it can serve, bring the schema up to date.

        Args:
            settings: `database_url`, or `home` for the embedded server.
            max_connections: size to which the pool may grow; it starts with one.

        Raises:
            ConfigurationError: the URL, its password or its database is wrong.
            StoreUnavailable: the server does not answer.
            StoreUnusable: it is too old, lacks pgvector or a right, or its schema is foreign.
            StorageFull: its disk is full.
        """

        def resolve() -> str:
            # asked for every new connection: this revives an embedded server that was killed
            return server_url(settings)

        url = resolve()
        server = masked_url(url) if settings.database_url else "the embedded Postgres"
        options = connect_options(url)
        with store_errors(server):
            with (
                Connection[DictRow].connect(url, autocommit=True, **options) as connection,
                schema_lock(connection),
            ):
                with connection.transaction():
                    prepare_server(connection, server)
                migrate(connection, sql_directory() / "migrations")
                with connection.transaction():
                    ensure_reader(connection, login_of(settings, url))
            pool = open_pool(resolve, options, name="finrag", max_connections=max_connections)
        return cls(url, server, pool)

    @contextmanager
    def connection(self) -> Generator[Connection[DictRow]]:
        """A connection of the pool; commits at the end of the block, rolls back on an exception.

        Raises:
            FinragError: as `store_errors` says.
        """
        with store_errors(self._server), self._pool.connection() as connection:
            yield connection

    @contextmanager
    def transaction(self) -> Generator[Connection[DictRow]]:
        """A connection inside one transaction, which the block can neither end nor split."""
        with self.connection() as connection, connection.transaction():
            yield connection

    def dagster_url(self) -> str:
        """SQLAlchemy URL for Dagster's own storage: the same database, a schema of its own."""
        with self.transaction() as connection:
            connection.execute("select pg_advisory_xact_lock(hashtext('finrag.dagster'))")
            connection.execute(f"create schema if not exists {DAGSTER_SCHEMA}")
        return sqlalchemy_url(self.url, DAGSTER_SCHEMA)


def server_url(settings: Settings) -> str:
    """Where the store is; starts the embedded server where no URL is set."""
    from finrag_pipeline.store.embedded.server import embedded_server_url

    return settings.database_url or embedded_server_url(settings.home)


def prepare_server(connection: Connection[DictRow], server: str) -> None:
    """Check inside a transaction that the database can hold a store, and enable pgvector in it.

    Its caller holds `schema_lock`.

    Raises:
        StoreUnusable: it is too old, of another encoding, or has no pgvector.
    """
    version = connection.info.server_version // 10_000
    if version < _OLDEST_POSTGRES:
        raise StoreUnusable(
            f"{server} is Postgres {version}: use {_OLDEST_POSTGRES} or newer with pgvector"
        )
    encoding = connection.info.parameter_status("server_encoding")
    if encoding != "UTF8":
        raise StoreUnusable(
            f"the database in {server} has encoding {encoding}: create one with "
            "`createdb --encoding=UTF8 --template=template0 NAME`"
        )
    _ensure_pgvector(connection, version, server)


def _ensure_pgvector(connection: Connection[DictRow], version: int, server: str) -> None:
    wanted = ".".join(map(str, _OLDEST_PGVECTOR))
    row = connection.execute(
        "select default_version, installed_version from pg_available_extensions "
        "where name = 'vector'"
    ).fetchone()
    available: str | None = row["default_version"] if row else None
    installed: str | None = row["installed_version"] if row else None
    if installed is not None and _version(installed) >= _OLDEST_PGVECTOR:
        return
    if available is None or _version(available) < _OLDEST_PGVECTOR:
        found = f"only pgvector {available}" if available else "no pgvector"
        raise StoreUnusable(
            f"{server} has {found}: install pgvector {wanted} or newer in that server, e.g. "
            f"`apt install postgresql-{version}-pgvector`, then run it again"
        )
    if installed is not None:
        raise StoreUnusable(
            f"the database in {server} uses pgvector {installed}, the server has {available}: "
            "run `alter extension vector update` in it"
        )
    try:
        connection.execute("create extension vector")
    except psycopg.errors.InsufficientPrivilege as error:
        raise StoreUnusable(
            f"the role {connection.info.user} may not enable pgvector in {server}: run `create "
            f"extension vector` in the database {connection.info.dbname} once, as a superuser"
        ) from error


def _version(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split(".") if part.isdigit())
