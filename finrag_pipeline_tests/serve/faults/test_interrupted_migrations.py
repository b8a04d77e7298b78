"""An upgrade that is interrupted is finished by the next process: same data, same answers."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from finrag_pipeline.settings import Settings
from finrag_pipeline.store.database.backups import restore_backup
from finrag_pipeline.store.database.migrations import read_migrations
from finrag_pipeline.store.database.sql_files import sql_directory
from finrag_pipeline.store.embedded.server import embedded_server_url, stop_embedded_server
from finrag_pipeline_tests.query.test_upgrade import UPGRADES
from finrag_pipeline_tests.serve.faults.conftest import OwnPostgres, Start, one_line, wait_until

pytestmark = pytest.mark.faults

OLD = UPGRADES / "store_0009.backup"
QUESTION = "澄光储能的主要风险有哪些？"
NEWEST = len(read_migrations(sql_directory() / "migrations"))
#: A migration that follows alters this table.
HOLD = "begin; lock table documents in access share mode"
WAITING = "select from pg_locks where not granted"


@pytest.fixture
def old_store(home_parent: Path, tmp_path: Path) -> Iterator[OwnPostgres]:
    """A server with a store of an earlier release, which nobody has opened since."""
    home = Path(tempfile.mkdtemp(prefix="finrag-", dir=home_parent))
    try:
        settings = Settings(
            _env_file=None, home=tmp_path / "home", database_url=embedded_server_url(home)
        )
        restore_backup(settings, OLD)
        yield OwnPostgres(home, settings)
    finally:
        stop_embedded_server(home)
        shutil.rmtree(home)


def level(connection: psycopg.Connection) -> int:
    row = connection.execute("select max(version) from schema_migrations").fetchone()
    assert row is not None
    return row[0]


def test_a_killed_upgrade_and_a_restarted_server_lose_nothing(
    old_store: OwnPostgres, start: Start
) -> None:
    settings = old_store.settings
    with old_store.connect() as looking:
        before = level(looking)
        holder = old_store.connect()
        holder.execute(HOLD)
        killed = start(settings, "status")
        wait_until(lambda: looking.execute(WAITING).rowcount > 0)
        killed.process.kill()
        assert killed.ended()[0] < 0
        assert level(looking) == before < NEWEST
        # its statement still waits at the server; who comes now waits for its end
        second = start(settings, "status")
        # beside who holds the lock and what is left of the first
        wait_until(lambda: len(sessions(looking)) > 2)
    old_store.restart()
    code, _, err = second.ended()
    assert code == 1
    one_line(err)
    with pytest.raises(psycopg.OperationalError):
        holder.execute("commit")
    with old_store.connect() as looking:
        assert level(looking) == before
    code, _, err = start(settings, "status").ended()
    assert code == 0, err
    with old_store.connect() as looking:
        assert level(looking) == NEWEST
    assert start(settings, "reembed").ended()[0] == 0
    code, told, err = start(settings, "ask", QUESTION, "--json").ended()
    assert code == 0, err
    (expected,) = [
        each["reply"]
        for each in json.loads(OLD.with_suffix(".json").read_text())
        if each["question"] == QUESTION
    ]
    assert json.loads(told)["answer"] == expected["answer"]


def sessions(connection: psycopg.Connection) -> list[tuple]:
    """Sessions of others at the store."""
    return connection.execute(
        "select pid from pg_stat_activity where datname = current_database()"
        " and backend_type = 'client backend' and pid <> pg_backend_pid()"
    ).fetchall()
