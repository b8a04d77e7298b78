"""Backups over real pg_dump and pg_restore: whole, of one moment, only into empty databases."""

from __future__ import annotations

import itertools
import threading
from pathlib import Path

import psycopg
import pytest

from finrag_pipeline.errors import ConfigurationError, NotFound, StoreUnusable
from finrag_pipeline.settings import Settings
from finrag_pipeline.store.database.backups import restore_backup, write_backup
from finrag_pipeline.store.database.connections import Database

#: no server of a test has had as many transactions
OLD_SERVERS_TRANSACTION = 10**12


@pytest.fixture
def empty(empty_database_url: str, tmp_path: Path) -> Settings:
    """Settings over a database without a single table."""
    return Settings(_env_file=None, home=tmp_path / "empty", database_url=empty_database_url)


@pytest.fixture
def filled(settings: Settings, database: Database) -> Settings:
    """A store with one document in its change log, and a record of Dagster's."""
    database.dagster_url()
    with database.transaction() as connection:
        add_document(connection, "d1")
        connection.execute(
            "insert into index_changes (app_id, document_id, transaction_id) "
            "values ('default', 'd1', %s::text::xid8)",
            (OLD_SERVERS_TRANSACTION,),
        )
        connection.execute("create table dagster.runs (run_id text)")
        connection.execute("insert into dagster.runs values ('0a1b')")
    return settings


def add_document(connection, document_id: str) -> None:
    connection.execute(
        "insert into documents (document_id, app_id, content_sha256, size_bytes, arrival_on) "
        "values (%s, 'default', %s, 1, '2026-03-09')",
        (document_id, document_id),
    )


def tables(settings: Settings) -> int:
    with psycopg.connect(settings.database_url or "") as connection:
        row = connection.execute(
            "select count(*) from pg_tables where schemaname in ('public', 'dagster')"
        ).fetchone()
    assert row is not None
    return row[0]


def test_a_store_goes_whole_into_another_database(filled, empty, tmp_path):
    file = tmp_path / "a.dump"
    kept = write_backup(filled, file)
    assert kept["documents"] == 1
    assert file.stat().st_mode & 0o077 == 0
    assert list(tmp_path.glob("*.partial")) == []

    assert restore_backup(empty, file) == kept
    assert tables(empty) == tables(filled)
    with Database.open(filled) as before, before.connection() as connection:
        old = connection.execute("select store_id from store_identity").fetchone()
    with Database.open(empty) as after, after.connection() as connection:
        assert connection.execute("select run_id from dagster.runs").fetchone() == {
            "run_id": "0a1b"
        }
        new = connection.execute("select store_id from store_identity").fetchone()
        # the other server's transaction ids would hide changes from keyword copies
        assert connection.execute("select from index_changes").fetchone() is None
        add_document(connection, "d2")
    assert new is not None
    assert new != old


def test_a_backup_is_of_one_moment(filled, empty, tmp_path):
    stop = threading.Event()

    def write() -> None:
        with psycopg.connect(filled.database_url or "", autocommit=True) as connection:
            for number in itertools.count():
                if stop.is_set():
                    return
                add_document(connection, f"w{number}")

    writer = threading.Thread(target=write)
    writer.start()
    try:
        kept = write_backup(filled, tmp_path / "a.dump")
    finally:
        stop.set()
        writer.join()
    assert restore_backup(empty, tmp_path / "a.dump") == kept


def test_nothing_is_written_over(filled, tmp_path):
    file = tmp_path / "a.dump"
    file.write_text("precious")
    with pytest.raises(ConfigurationError, match="exists already"):
        write_backup(filled, file)
    assert file.read_text() == "precious"

    write_backup(filled, tmp_path / "b.dump")
    before = tables(filled)
    with pytest.raises(ConfigurationError, match="tables already"):
        restore_backup(filled, tmp_path / "b.dump")
    assert tables(filled) == before


def test_a_damaged_backup_leaves_the_database_empty(filled, empty, tmp_path):
    file = tmp_path / "a.dump"
    write_backup(filled, file)
    whole = file.read_bytes()
    for length in (0, 4, len(whole) // 3, len(whole) - 2000):
        file.write_bytes(whole[:length])
        with pytest.raises(StoreUnusable):
            restore_backup(empty, file)
        assert tables(empty) == 0
    file.write_bytes(whole)
    restore_backup(empty, file)


def test_a_backup_of_a_newer_version_is_refused_before_anything_is_written(filled, empty, tmp_path):
    with psycopg.connect(filled.database_url or "") as connection:
        connection.execute(
            "insert into schema_migrations (version, name, sha256) values (9999, 'later', '')"
        )
    write_backup(filled, tmp_path / "a.dump")
    with pytest.raises(StoreUnusable, match="is at migration 9999, this finrag_pipeline knows"):
        restore_backup(empty, tmp_path / "a.dump")
    assert tables(empty) == 0


def test_an_empty_database_has_no_backup(empty, tmp_path):
    with pytest.raises(NotFound, match="holds no store"):
        write_backup(empty, tmp_path / "a.dump")
    assert list(tmp_path.glob("a.dump*")) == []


def test_a_folder_that_is_not_there_is_a_line(filled, tmp_path):
    with pytest.raises(ConfigurationError, match="cannot be written: No such file"):
        write_backup(filled, tmp_path / "none" / "a.dump")
    with pytest.raises(ConfigurationError, match="is no file"):
        restore_backup(filled, tmp_path / "none.dump")


def test_a_password_is_not_among_the_processes(filled, tmp_path, monkeypatch):
    """The real program, behind a name that writes down how it was called."""
    from finrag_pipeline.store.database import backups

    calls = tmp_path / "calls"
    program = tmp_path / "pg_dump"
    real = backups.client_program("pg_dump")
    program.write_text(f'#!/bin/sh\necho "$@" >> {calls}\nexec {real} "$@"\n')
    program.chmod(0o755)
    monkeypatch.setattr(
        backups,
        "client_program",
        lambda name: program if name == "pg_dump" else real.parent / name,
    )
    url = (filled.database_url or "").replace("postgres@", "postgres:s3cret@", 1)
    write_backup(filled.model_copy(update={"database_url": url}), tmp_path / "a.dump")
    assert "s3cret" not in calls.read_text()
