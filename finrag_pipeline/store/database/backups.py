"""Backups of the whole store, Dagster's records included, and their way into an empty database.

One file in pg_dump's custom format, which any server from the oldest supported one on takes back.
What lies beside the database (PDFs, settings, the keyword copy) is no part of it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import NamedTemporaryFile, TemporaryFile
from typing import IO, Any

from psycopg import Connection
from psycopg.conninfo import make_conninfo
from psycopg.rows import DictRow

from finrag_pipeline.errors import ConfigurationError, NotFound, StorageFull, StoreUnusable
from finrag_pipeline.settings import Settings
from finrag_pipeline.store.database.connections import DAGSTER_SCHEMA, prepare_server, server_url
from finrag_pipeline.store.database.failures import store_errors
from finrag_pipeline.store.database.migrations import read_migrations, schema_lock
from finrag_pipeline.store.database.pools import connect_options
from finrag_pipeline.store.database.queries import load_queries
from finrag_pipeline.store.database.sql_files import sql_directory
from finrag_pipeline.store.database.urls import masked_url, read_url
from finrag_pipeline.store.embedded.postgres_programs import client_program

Q = load_queries("database/backups")

#: `pg_restore` sets it for every server; those before 17 do not know it
_UNKNOWN_TO_OLD_SERVERS = b"SET transaction_timeout = 0;\n"
_HEADER_LINES = 60


def write_backup(settings: Settings, file: Path) -> dict[str, int]:
    """Write the store as it is at this moment, while others go on reading and writing.

    The schema is not migrated first. The file appears under its name when it is whole and was
    read back.

    Returns:
        What the backup holds.

    Raises:
        ConfigurationError: the file exists, or its folder cannot be written.
        NotFound: the database holds no store.
        StorageFull: the disk is full; nothing is left behind.
        StoreUnusable: pg_dump refuses, e.g. a server that is newer than it.
    """
    _require_absent(file)
    partial = file.with_name(f"{file.name}.partial")
    try:
        with _connected(settings) as (connection, url), connection.transaction():
            connection.execute("set transaction isolation level repeatable read, read only")
            if not _one(connection, Q.is_store)["is_store"]:
                raise NotFound(f"{_server(settings)} holds no store yet: there is nothing to keep")
            schema = _one(connection, "select current_schema() as schema")["schema"]
            snapshot = _one(connection, Q.export_snapshot)["snapshot"]
            holdings = _one(connection, Q.holdings)
            # documents are not everybody's to read
            os.close(os.open(partial, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600))
            command = ["--format=custom", f"--file={partial}", f"--snapshot={snapshot}"]
            for kept in (schema, DAGSTER_SCHEMA):
                command.append(f'--schema="{kept}"')
            _run("pg_dump", command, url, file.parent)
        _run("pg_restore", [f"--file={os.devnull}", str(partial)], None, file.parent)
        _require_absent(file)
        partial.rename(file)
    except OSError as error:
        raise ConfigurationError(f"{file} cannot be written: {error.strerror}") from error
    finally:
        partial.unlink(missing_ok=True)
    return holdings


def restore_backup(settings: Settings, file: Path) -> dict[str, int]:
    """Fill the configured database, which must be empty, in one transaction.

    The store that comes of it is one of its own: keyword copies are built anew for it.

    Returns:
        What the database holds now; equal to what `write_backup` returned.

    Raises:
        ConfigurationError: the database is not empty, or the file cannot be read.
        StorageFull: the server's disk is full. Nothing was written, as with all others.
        StoreUnusable: the file is no whole backup or one of a newer version, or the server
            refuses it.
    """
    if not file.is_file():
        raise ConfigurationError(f"{file} is no file: name one that `finrag backup` wrote")
    # the schema `public` is there already, and only its owner may comment on it
    listed = _run("pg_restore", ["--list", str(file)], None, file.parent)
    contents = [line for line in listed.splitlines() if " SCHEMA - public " not in line]
    _require_known_schema(file)
    with _connected(settings) as (connection, url):
        with schema_lock(connection), connection.transaction():
            prepare_server(connection, _server(settings))
            if found := _one(connection, Q.tables)["tables"]:
                raise ConfigurationError(
                    f"{_server(settings)} holds {found} tables already, and a backup goes into an "
                    f"empty database only: {_make_room(settings)}"
                )
        _pour(file, contents, url)
        return _one(connection, Q.holdings)


@contextmanager
def _connected(settings: Settings) -> Generator[tuple[Connection[DictRow], str]]:
    """A connection without a pool and without a migration, and the URL it was made with."""
    url = server_url(settings)
    with (
        store_errors(_server(settings)),
        Connection[DictRow].connect(url, autocommit=True, **connect_options(url)) as connection,
    ):
        yield connection, url


def _pour(file: Path, contents: list[str], url: str) -> None:
    """pg_restore's SQL into psql; committed only when both came to their end."""
    with NamedTemporaryFile("w", suffix=".list") as kept, TemporaryFile() as said:
        kept.write("\n".join(contents) + "\n")
        kept.flush()
        reading = [client_program("pg_restore"), "--no-owner", "--no-privileges", "--no-comments"]
        reading += [f"--use-list={kept.name}", "--file=-", file]
        target, environment = _connection_options(url)
        writing = [client_program("psql"), "--no-psqlrc", "--quiet", "--output=/dev/null"]
        writing += ["--set=ON_ERROR_STOP=1", target]
        with (
            subprocess.Popen(reading, stdout=subprocess.PIPE, stderr=said) as reader,
            subprocess.Popen(
                writing, stdin=subprocess.PIPE, stderr=said, env=environment
            ) as writer,
        ):
            assert reader.stdout is not None
            assert writer.stdin is not None
            with suppress(BrokenPipeError):  # psql ended: what it said is told below
                writer.stdin.write(b"begin;\n")
                _copy_without_new_settings(reader.stdout, writer.stdin)
                if reader.wait() == 0:
                    last = f"reset search_path;\n{Q.make_independent};\ncommit;\n"
                    writer.stdin.write(last.encode())
            with suppress(BrokenPipeError):
                writer.stdin.close()
            reader.stdout.close()
        if reader.returncode or writer.returncode:
            said.seek(0)
            raise _failure("the backup cannot be restored", said.read(), file.parent)


def _require_known_schema(file: Path) -> None:
    """Raises: StoreUnusable: a newer version of this package wrote the backup, or it holds none."""
    arguments = ["--data-only", "--table=schema_migrations", "--file=-", str(file)]
    rows = _run("pg_restore", arguments, None, file.parent).partition("FROM stdin;\n")[2]
    versions = [int(row.split("\t")[0]) for row in rows.partition("\\.\n")[0].splitlines()]
    known = len(read_migrations(sql_directory() / "migrations"))
    if not versions:
        raise StoreUnusable(f"{file} holds no store: name one that `finrag backup` wrote")
    if max(versions) > known:
        raise StoreUnusable(
            f"{file} is at migration {max(versions):04d}, this finrag_pipeline knows {known:04d} "
            "at most: install the version that wrote it, or a newer one"
        )


def _copy_without_new_settings(source: IO[bytes], target: IO[bytes]) -> None:
    for _ in range(_HEADER_LINES):
        line = source.readline()
        if line != _UNKNOWN_TO_OLD_SERVERS:
            target.write(line)
    shutil.copyfileobj(source, target, 1 << 20)


def _run(program: str, arguments: list[str], url: str | None, folder: Path) -> str:
    """Run one of the client programs to its end; what it printed."""
    command = [str(client_program(program)), *arguments]
    environment = None
    if url is not None:
        target, environment = _connection_options(url)
        command.append(f"--dbname={target}")
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, env=environment, check=False
    )
    if done.returncode:
        raise _failure(f"{program} failed", done.stderr, folder)
    return done.stdout.decode(errors="replace")


def _connection_options(url: str) -> tuple[str, dict[str, str]]:
    """The target without its password, which other users could see among the processes."""
    parameters: dict[str, Any] = read_url(url)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PG")}
    if password := parameters.pop("password", None):
        environment["PGPASSWORD"] = password
    return make_conninfo(**parameters), environment | {"LC_ALL": "C"}


def _failure(what: str, said: bytes, folder: Path) -> StorageFull | StoreUnusable:
    lines = [line.strip() for line in said.decode(errors="replace").splitlines() if line.strip()]
    telling = [
        line for line in lines if any(mark in line for mark in ("error:", "ERROR:", "FATAL"))
    ]
    line = [*telling, *lines, "it says no more"][0]
    if "No space left on device" in line or "Disk quota exceeded" in line:
        return StorageFull(f"{folder}: {line}: free some space, then run it again")
    detail = next((line for line in lines if line.startswith("DETAIL:")), "")
    return StoreUnusable(f"{what}: {line}{f' ({detail})' if detail else ''}")


def _require_absent(file: Path) -> None:
    if file.exists():
        raise ConfigurationError(f"{file} exists already: name another file")


def _make_room(settings: Settings) -> str:
    if settings.database_url:
        return "create another one with `createdb` and name it in FINRAG_DATABASE_URL"
    return (
        f"set FINRAG_HOME to a new folder, or run `finrag stop` and move {settings.home}/postgres "
        "away"
    )


def _server(settings: Settings) -> str:
    if settings.database_url:
        return masked_url(settings.database_url)
    return f"the embedded Postgres under {settings.home}"


def _one(connection: Connection[DictRow], query: Any) -> dict[str, Any]:
    row = connection.execute(query).fetchone()
    assert row is not None  # each of these queries gives one row
    return row
