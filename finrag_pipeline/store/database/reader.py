"""Reading the store: connections that cannot write, each showing one application up to one day.

They log in as a role that owns nothing; row-level security decides what its statements see. Who
that role is and what it is granted belongs to `roles`; writers use `connections`.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from datetime import date
from typing import TYPE_CHECKING, Any, NoReturn, Self

import psycopg
from psycopg import Connection, Cursor, pq
from psycopg.abc import Params, Query
from psycopg.errors import error_from_result
from psycopg.rows import DictRow

from finrag_pipeline.errors import ConfigurationError, StoreUnusable
from finrag_pipeline.settings import Settings
from finrag_pipeline.store.database.connections import Database, server_url
from finrag_pipeline.store.database.failures import store_errors
from finrag_pipeline.store.database.pools import Pooled, connect_options, open_pool
from finrag_pipeline.store.database.roles import (
    READER_URL,
    Login,
    check_reader,
    login_of,
    renew_reader,
)
from finrag_pipeline.store.database.urls import masked_url

if TYPE_CHECKING:
    from psycopg_pool import ConnectionPool

# ended by hand: psycopg forgets the statements it has prepared when it rolls back itself, though
# the server keeps them. Nothing that a statement has set or locked outlives its transaction.
_END = b"rollback; select pg_advisory_unlock_all()"


class ReadingCursor(Cursor[DictRow]):
    """A cursor that sends one statement at a time.

    Postgres runs all of `select 1; select 2` where a statement has no parameters, unless it is
    prepared.
    """

    def execute(
        self,
        query: Query,
        params: Params | None = None,
        *,
        prepare: bool | None = None,
        binary: bool | None = None,
    ) -> Self:
        prepare = prepare if params else True
        return super().execute(query, params, prepare=prepare, binary=binary)  # pyright: ignore

    def copy(self, *_: Any, **__: Any) -> NoReturn:
        raise psycopg.NotSupportedError("readers do not copy: select the rows")


class Reader(Pooled):
    """Read-only access under the reader's role, for any number of threads."""

    def __init__(
        self, server: str, app_id: str | None, pool: ConnectionPool[Connection[DictRow]]
    ) -> None:
        super().__init__(server, pool)
        self._app_id = app_id

    @classmethod
    def open(cls, settings: Settings, *, max_connections: int = 16) -> Self:
        """Reach the server as the reader's role and check that role; nothing is migrated.

        Args:
            settings: `reader_url`, or the writer's `database_url` or `home`, from which the
                reader's login follows.
            max_connections: size to which the pool may grow; it starts with one.

        Raises:
            ConfigurationError: the role is missing, or its password is wrong.
            StoreUnavailable: the server does not answer.
            StoreUnusable: the role could see or change more than it should, or the store is not
                of this version.
        """

        def resolve() -> Login:
            # asked for every new connection: this revives an embedded server that was killed
            return login_of(settings, None if settings.reader_url else server_url(settings))

        login = resolve()
        server = (
            masked_url(login.url)
            if settings.reader_url or settings.database_url
            else "the embedded Postgres"
        )
        options = connect_options(login.url, READER_URL) | {"cursor_factory": ReadingCursor}
        with store_errors(server, READER_URL):
            with _connected(login, options) as connection:
                app_id = check_reader(connection, server)
            pool = open_pool(
                lambda: resolve().url,
                options,
                name="finrag-reader",
                max_connections=max_connections,
                checked=False,
            )
        return cls(server, app_id, pool)

    @contextmanager
    def reading(self, app_id: str, as_of: date | None = None) -> Generator[Connection[DictRow]]:
        """One state of the store: what an application has, of what was published by a day.

        A transaction that writes nothing and sees no row of others, whatever its statements ask
        for. Hold it for statements only, never while a model is asked.

        Args:
            app_id: whose rows; an empty one has none.
            as_of: the day; None: everything.

        Raises:
            ConfigurationError: the reader's role serves another application.
            FinragError: as `store_errors` says.
        """
        if self._app_id not in (None, app_id):
            raise ConfigurationError(
                f"the role of {READER_URL} serves app {self._app_id!r}, not {app_id!r}: "
                "give that one a role of its own"
            )
        with store_errors(self._server, READER_URL):
            connection = self._begun(app_id, as_of)
            try:
                yield connection
            except psycopg.Error:
                connection.close()  # whatever state it was left in: the pool makes another
                raise
            finally:
                _end(connection)
                self._pool.putconn(connection)

    def _begun(self, app_id: str, as_of: date | None) -> Connection[DictRow]:
        """A connection of the pool on which a transaction has begun.

        Searches open a dozen: one way to the server begins it and tells that the connection lives.
        A server that was restarted leaves dead ones behind; the pool makes others for them.
        """
        while True:
            connection = self._pool.getconn()
            try:
                begun = connection.pgconn.exec_(_beginning(connection, app_id, as_of))
                if begun.status == pq.ExecStatus.TUPLES_OK:
                    return connection
                if connection.pgconn.status == pq.ConnStatus.OK:
                    raise error_from_result(begun)
            except BaseException:
                self._give_up(connection)
                raise
            self._give_up(connection)

    def _give_up(self, connection: Connection[DictRow]) -> None:
        connection.close()
        self._pool.putconn(connection)


def open_reader(settings: Settings) -> Reader:
    """A reader of a store that is made, or brought up to date, where that is needed and allowed.

    Costs what `Reader.open` does where the store is of this version. Errors as there and in
    `Database.open`.
    """
    try:
        return Reader.open(settings)
    except StoreUnusable:
        if settings.reader_url is not None:
            raise
    Database.open(settings).close()
    return Reader.open(settings)


def _connected(login: Login, options: dict[str, Any]) -> Connection[DictRow]:
    """A connection outside the pool; a role that follows from the writer's is made or mended."""
    connect = Connection[DictRow].connect
    try:
        return connect(login.url, **options)
    except psycopg.OperationalError as error:
        if login.writer_url is None:
            raise
        if not renew_reader(login):
            raise ConfigurationError(
                f"nobody can log in as {login.role}, and the role of FINRAG_DATABASE_URL may not "
                f"mend that: run `{login.mend}` as one that may, and name it in {READER_URL}"
            ) from error
        return connect(login.url, **options)


def _beginning(connection: Connection[DictRow], app_id: str, as_of: date | None) -> bytes:
    """What begins a transaction that reads one state: of an application, up to a day.

    From its first query on it cannot be made to write, so that one is in it.
    """
    app = pq.Escaping(connection.pgconn).escape_literal(app_id.encode())
    day = b"" if as_of is None else as_of.isoformat().encode()
    return (
        b"begin isolation level repeatable read read only; set local finrag.app_id = %b; "
        b"set local finrag.day = '%b'; select" % (app, day)
    )


def _end(connection: Connection[DictRow]) -> None:
    """End the transaction with all that its statements set for the session."""
    if connection.closed:
        return
    done = connection.pgconn.exec_(_END)
    if done.status != pq.ExecStatus.TUPLES_OK:
        connection.close()
