"""Brings a database to the schema of this code: forward only, each file once, checksummed.

What the tables are belongs to `sql/migrations/NNNN_name.sql`. A file that begins with the line
`-- outside a transaction` builds indexes while others write, which Postgres does in no transaction.
"""

from __future__ import annotations

import hashlib
import re
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any, LiteralString, cast

from psycopg import Connection, sql
from psycopg.rows import tuple_row

from finrag_pipeline.errors import StoreUnusable

#: any constant will do, as long as every version of the product asks for the same one
_LOCK_KEY = 0x66696E726167  # "finrag"

_FILE_NAME = re.compile(r"^(\d{4})_([a-z0-9_]+)\.sql$")

_TRANSACTION_CONTROL = re.compile(
    r"(?:^|;)\s*(?:begin|start|commit|rollback)(?:\s+(?:transaction|work))?\s*;",
    re.IGNORECASE | re.MULTILINE,
)

_OUTSIDE = "-- outside a transaction"
_COMMENT = re.compile(r"--[^\n]*")
#: What may be repeated when it was interrupted: the only statements outside a transaction.
_REPEATABLE = re.compile(
    r"(?:create(?:\s+unique)?\s+index\s+concurrently\s+if\s+not\s+exists"
    r"|drop\s+index\s+concurrently\s+if\s+exists)\s+(?P<index>[a-z_][a-z0-9_]*)\b",
    re.IGNORECASE,
)

_LOCK_POLL_S = 0.02

# run only before what is recorded in it, so that a role that may only read can open a current store
_CREATE_TABLE = """
create table if not exists schema_migrations (
    version int primary key,
    name text not null,
    sha256 text not null,
    applied_at timestamptz not null default now()
)
"""


@dataclass(frozen=True, slots=True)
class Migration:
    """One file of `sql/migrations`."""

    version: int
    name: str
    sha256: str
    sql: LiteralString

    @property
    def outside(self) -> bool:
        """Whether it runs statement by statement, outside a transaction."""
        return self.sql.startswith(f"{_OUTSIDE}\n")

    @property
    def statements(self) -> list[LiteralString]:
        """Its statements, where it runs outside a transaction."""
        parts = _COMMENT.sub("", self.sql).split(";")
        return [cast(LiteralString, part.strip()) for part in parts if part.strip()]


@contextmanager
def schema_lock(connection: Connection[Any]) -> Generator[None]:
    """Keep every other process from changing the schema meanwhile.

    Who waits asks again and again: a statement that waited would be one that indexes, built while
    others write, wait for in turn.

    Args:
        connection: in autocommit, outside a transaction.
    """
    cursor = connection.cursor(row_factory=tuple_row)
    while cursor.execute("select pg_try_advisory_lock(%s::bigint)", (_LOCK_KEY,)).fetchone() != (
        True,
    ):
        time.sleep(_LOCK_POLL_S)
    try:
        yield
    finally:
        # a lost connection has lost its lock
        if not connection.closed:
            cursor.execute("select pg_advisory_unlock(%s::bigint)", (_LOCK_KEY,))


def migrate(connection: Connection[Any], directory: Path) -> tuple[Migration, ...]:
    """Apply what is missing, and return what was applied.

    Migrations that follow one another are one transaction; those outside a transaction are
    recorded one by one, once all their statements are through, and repeated until then.

    Args:
        connection: in autocommit, outside a transaction; its caller holds `schema_lock`.

    Raises:
        StoreUnusable: the files have a gap, an applied file was changed, or the database was
            migrated by a newer version of this package.
        psycopg.Error: a migration failed; nothing of its transaction remains.
    """
    known = read_migrations(directory)
    pending = _pending(known, _applied(connection))
    for outside, group in groupby(pending, lambda each: each.outside):
        if outside:
            for migration in group:
                for statement in migration.statements:
                    _drop_unfinished(connection, statement)
                    connection.execute(statement)
                _record(connection, migration)
        else:
            with connection.transaction():
                connection.execute(_CREATE_TABLE)
                for migration in group:
                    connection.execute(migration.sql)
                    _record(connection, migration)
    return pending


def _record(connection: Connection[Any], migration: Migration) -> None:
    connection.execute(
        "insert into schema_migrations (version, name, sha256) values (%s, %s, %s)",
        (migration.version, migration.name, migration.sha256),
    )


def _drop_unfinished(connection: Connection[Any], statement: str) -> None:
    """Drop what an interruption left of an index, which would count as existing."""
    match = _REPEATABLE.match(statement)
    assert match is not None  # as `read_migrations` made sure
    name = match["index"]
    left = connection.execute(
        "select from pg_index where indexrelid = to_regclass(%s) and not indisvalid", (name,)
    ).fetchone()
    if left is not None:
        connection.execute(sql.SQL("drop index concurrently {}").format(sql.Identifier(name)))


def read_migrations(directory: Path) -> tuple[Migration, ...]:
    """The migrations in a folder, in order of version, which runs from 1 without a gap.

    Raises:
        StoreUnusable: a file is named otherwise, a version is missing or stands twice, or a file
            begins or ends a transaction.
    """
    migrations: list[Migration] = []
    for path in sorted(directory.glob("*.sql")):
        match = _FILE_NAME.match(path.name)
        if match is None:
            raise StoreUnusable(f"{path.name} is no migration: name it NNNN_name.sql")
        if int(match.group(1)) != len(migrations) + 1:
            raise StoreUnusable(
                f"{path.name} should have version {len(migrations) + 1:04d}: "
                "migrations are numbered from 0001 without a gap"
            )
        # read_text gives the same text whatever line ends a checkout has
        text = path.read_text(encoding="utf-8")
        if _TRANSACTION_CONTROL.search(text):
            raise StoreUnusable(f"{path.name} ends the transaction it runs in: remove that")
        sha256 = hashlib.sha256(text.encode()).hexdigest()
        migration = Migration(
            len(migrations) + 1, match.group(2), sha256, cast(LiteralString, text)
        )
        if migration.outside:
            _require_repeatable(path.name, migration)
        migrations.append(migration)
    return tuple(migrations)


def _require_repeatable(name: str, migration: Migration) -> None:
    for statement in migration.statements:
        if not _REPEATABLE.match(statement):
            raise StoreUnusable(
                f"{name} runs outside a transaction, where an interruption leaves half of it: it "
                "may only `create index concurrently if not exists NAME` and `drop index "
                f"concurrently if exists NAME`, not `{' '.join(statement.split())[:60]}`"
            )


def _applied(connection: Connection[Any]) -> dict[int, tuple[str, str]]:
    cursor = connection.cursor(row_factory=tuple_row)
    found = cursor.execute("select to_regclass('schema_migrations') is not null").fetchone()
    if found == (False,):
        return {}
    rows = cursor.execute("select version, name, sha256 from schema_migrations order by version")
    return {version: (name, sha256) for version, name, sha256 in rows}


def _pending(
    known: tuple[Migration, ...], applied: dict[int, tuple[str, str]]
) -> tuple[Migration, ...]:
    newest = max(applied, default=0)
    if newest > len(known):
        raise StoreUnusable(
            f"the database is at migration {newest:04d}_{applied[newest][0]}, this finrag_pipeline "
            f"knows {len(known):04d} at most: install the version that wrote it, or a newer one"
        )
    missing = sorted(set(range(1, newest + 1)) - set(applied))
    if missing:
        raise StoreUnusable(
            f"schema_migrations lacks version {missing[0]:04d} below {newest:04d}: "
            "restore the database from a backup"
        )
    for migration in known[:newest]:
        name, sha256 = applied[migration.version]
        if (name, sha256) != (migration.name, migration.sha256):
            raise StoreUnusable(
                f"migration {migration.version:04d}_{name} was changed after it was applied: put "
                "the file back as it was and write the change as a new migration"
            )
    return known[newest:]
