"""Brings a database to the schema of this code: forward only, each file once, checksummed.

What the tables are belongs to `sql/migrations/NNNN_name.sql`.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, LiteralString, cast

from psycopg import Connection
from psycopg.rows import tuple_row

from finrag_pipeline.errors import StoreUnusable

#: any constant will do, as long as every version of the product asks for the same one
_LOCK_KEY = 0x66696E726167  # "finrag"

_FILE_NAME = re.compile(r"^(\d{4})_([a-z0-9_]+)\.sql$")

_TRANSACTION_CONTROL = re.compile(
    r"(?:^|;)\s*(?:begin|start|commit|rollback)(?:\s+(?:transaction|work))?\s*;",
    re.IGNORECASE | re.MULTILINE,
)

_CREATE_TABLE = """
create table schema_migrations (
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


def lock_schema(connection: Connection[Any]) -> None:
    """Keep every other process from changing the schema until this transaction ends."""
    connection.execute("select pg_advisory_xact_lock(%s::bigint)", (_LOCK_KEY,))


def migrate(connection: Connection[Any], directory: Path) -> tuple[Migration, ...]:
    """Apply what is missing, all of it in one transaction, and return what was applied.

    Processes that start at once wait for one another; the first migrates, the rest find nothing
    to do.

    Raises:
        StoreUnusable: the files have a gap, an applied file was changed, or the database was
            migrated by a newer version of this package.
        psycopg.Error: a migration failed; nothing of this call remains.
    """
    known = read_migrations(directory)
    with connection.transaction():
        lock_schema(connection)
        pending = _pending(known, _applied(connection))
        for migration in pending:
            connection.execute(migration.sql)
            connection.execute(
                "insert into schema_migrations (version, name, sha256) values (%s, %s, %s)",
                (migration.version, migration.name, migration.sha256),
            )
    return pending


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
        sql = path.read_text(encoding="utf-8")
        if _TRANSACTION_CONTROL.search(sql):
            raise StoreUnusable(f"{path.name} ends the transaction it runs in: remove that")
        sha256 = hashlib.sha256(sql.encode()).hexdigest()
        migrations.append(
            Migration(len(migrations) + 1, match.group(2), sha256, cast(LiteralString, sql))
        )
    return tuple(migrations)


def _applied(connection: Connection[Any]) -> dict[int, tuple[str, str]]:
    cursor = connection.cursor(row_factory=tuple_row)
    found = cursor.execute("select to_regclass('schema_migrations') is not null").fetchone()
    # created only where it is missing, so that a role that may only read can open a current store
    if found == (False,):
        cursor.execute(_CREATE_TABLE)
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
