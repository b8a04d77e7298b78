"""A store that an earlier release made answers as it did there, once it is migrated and embedded
anew.

`upgrades/store_NNNN.backup` is what `finrag backup` wrote of a few samples at migration NNNN, and
`.json` what its questions got: from each passage enough to tell it from any other, or the answer
alone. Rows of later tables are in the later ones; `upgrades/make_store.py` makes the next.
"""

from __future__ import annotations

import json
import shutil
from datetime import date
from pathlib import Path
from typing import Any

import psycopg
import pytest
from _pytest.mark import ParameterSet
from psycopg import sql

from finrag_pipeline.pipelines.documents.reembedding import reembed_documents
from finrag_pipeline.query.engine import QueryEngine
from finrag_pipeline.query.question.options import Options
from finrag_pipeline.settings import Settings
from finrag_pipeline.store.database.backups import restore_backup
from finrag_pipeline.store.database.connections import Database
from finrag_pipeline.store.database.migrations import migrate, schema_lock
from finrag_pipeline.store.database.reader import Reader
from finrag_pipeline.store.database.sql_files import sql_directory

UPGRADES = Path(__file__).with_name("upgrades")
MIGRATIONS = sorted((sql_directory() / "migrations").glob("*.sql"))
#: Levels from the oldest store that there is to the one that this release migrates to.
OLDEST, NEWEST = 6, len(MIGRATIONS)
#: What is noted of migrations, and vectors, which are made anew.
CHANGED_BY_UPGRADES = ("schema_migrations", "embeddings")
Json = dict[str, Any]


def backups() -> list[ParameterSet]:
    """The newest with every test, the others where time matters less."""
    paths = sorted(UPGRADES.glob("*.backup"))
    return [
        pytest.param(path, id=path.stem, marks=[] if path == paths[-1] else pytest.mark.faults)
        for path in paths
    ]


def told(reply: Json) -> Json:
    """What a reply says, without its moments and without whole pages."""
    passages = [
        {name: each.get(name) for name in ("kind", "source", "page", "bbox", "score", "lanes")}
        | {"report": each["report"]["id"] if each.get("report") else None}
        for each in reply.get("results", [])
    ]
    cited = [
        {name: each[name] for name in ("n", "kind", "source", "page", "bbox", "quote")}
        for each in reply.get("evidence", [])
    ]
    around = [each.get("name") or each["relation"] for each in reply["graph_context"]]
    own = {
        name: reply[name]
        for name in ("status", "answer", "value", "checks", "route", "warnings")
        if name in reply
    }
    return own | {"results": passages, "evidence": cited, "graph_context": around}


def require_replies(settings: Settings, backup: Path, *how: str) -> None:
    """Open a store of an earlier level, which migrates it, and ask what was asked of it there."""
    with Database.open(settings) as database, Reader.open(settings) as reader:
        # the first question would ask for `finrag reembed`
        reembed_documents(database, settings)
        engine = QueryEngine(reader, settings)
        for each in json.loads(backup.with_suffix(".json").read_text()):
            if each["how"] not in how:
                continue
            options = dict(each["options"])
            if "as_of" in options:
                options["as_of"] = date.fromisoformat(options["as_of"])
            ask = engine.ask if each["how"] == "ask" else engine.search
            reply = json.loads(
                json.dumps(told(ask(each["question"], Options(**options)).to_dict()))
            )
            assert {name: reply[name] for name in each["reply"]} == each["reply"], each["question"]


def rows(connection: psycopg.Connection[Any], columns: dict[str, list[str]]) -> Json:
    """How many rows each table holds, and a sum of all that stands in these columns of theirs."""
    found: Json = {}
    for table, names in columns.items():
        row = sql.SQL("({})::text").format(sql.SQL(", ").join(map(sql.Identifier, names)))
        query = sql.SQL("select count(*), md5(string_agg({0}, chr(10) order by {0})) from {1}")
        found[table] = connection.execute(query.format(row, sql.Identifier(table))).fetchone()
    return found


def columns_of_tables(connection: psycopg.Connection[Any]) -> dict[str, list[str]]:
    return dict(
        connection.execute(
            "select table_name, array_agg(column_name::text) from information_schema.columns "
            "join information_schema.tables using (table_schema, table_name) "
            "where table_schema = current_schema and table_type = 'BASE TABLE' "
            "group by table_name"
        ).fetchall()
    )


@pytest.mark.parametrize("backup", backups())
def test_an_older_store_keeps_its_rows_and_answers_as_it_did(
    backup: Path, empty_database_url: str, tmp_path: Path
) -> None:
    settings = Settings(_env_file=None, home=tmp_path / "home", database_url=empty_database_url)
    restore_backup(settings, backup)
    with psycopg.connect(empty_database_url, autocommit=True) as connection:
        columns = columns_of_tables(connection)
        for changed in CHANGED_BY_UPGRADES:
            del columns[changed]
        before = rows(connection, columns)
        with schema_lock(connection):
            migrate(connection, sql_directory() / "migrations")
        assert rows(connection, columns) == before
    require_replies(settings, backup, "ask", "search")


@pytest.mark.faults
@pytest.mark.parametrize("level", range(OLDEST + 1, NEWEST))
def test_a_store_of_every_level_since_answers_as_it_did(
    level: int, empty_database_url: str, tmp_path: Path
) -> None:
    """A store that was upgraded release by release, and stopped at a level until now."""
    settings = Settings(_env_file=None, home=tmp_path / "home", database_url=empty_database_url)
    backup = UPGRADES / f"store_{OLDEST:04d}.backup"
    restore_backup(settings, backup)
    with psycopg.connect(empty_database_url, autocommit=True) as connection:
        for known in range(OLDEST + 1, level + 1):
            release = tmp_path / str(known)
            release.mkdir()
            for path in MIGRATIONS[:known]:
                shutil.copy(path, release)
            with schema_lock(connection):
                assert [each.version for each in migrate(connection, release)] == [known]
    require_replies(settings, backup, "ask")
