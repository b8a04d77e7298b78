"""The reader: what it shows, whom it refuses to be, and that no statement gets it any further."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from datetime import date
from typing import Any

import psycopg
import pytest
from pgvector import HalfVector
from psycopg import sql
from psycopg.conninfo import make_conninfo

from finrag_pipeline.errors import ConfigurationError, FinragError, StoreUnusable
from finrag_pipeline.settings import Settings
from finrag_pipeline.store.database.connections import Database
from finrag_pipeline.store.database.queries import all_queries
from finrag_pipeline.store.database.reader import Reader
from finrag_pipeline.store.database.roles import READABLE
from finrag_pipeline_tests.query.storage_reports import add_week

BEFORE = date(2000, 1, 1)
#: Tables that say nothing of any application's documents.
OF_ALL = {"schema_migrations", "store_identity", "vector_spaces"}
#: Ids and vectors, by which a day's question is led from today's entities to those of then.
WITHOUT_DAY = {"entity_members", "graph_embeddings", "index_changes"}
_numbers = itertools.count(1)


@pytest.fixture
def week(database: Database) -> str:
    """Documents, their graph and a weekly build of the app `default`."""
    return add_week(database)


@pytest.fixture
def role(database_url: str) -> Iterator[str]:
    """The name of a role that logs in, and nothing else."""
    name = f"somebody_{next(_numbers)}"
    with psycopg.connect(database_url, autocommit=True) as connection:
        connection.execute(sql.SQL("create role {} login").format(sql.Identifier(name)))
        yield name
        for statement in ("drop owned by {}", "drop role {}"):
            connection.execute(sql.SQL(statement).format(sql.Identifier(name)))


def as_role(settings: Settings, role: str) -> Settings:
    assert settings.database_url is not None
    url = make_conninfo(settings.database_url, user=role)
    return settings.model_copy(update={"reader_url": url})


def guarded(database: Database) -> dict[str, bool]:
    """Tables with rows of documents or applications: whether a policy holds for each."""
    with database.connection() as connection:
        rows = connection.execute(
            """
            select c.relname, c.relrowsecurity and exists (
                select from pg_policy p where p.polrelid = c.oid) as held
            from pg_class c
            where c.relkind in ('r', 'p') and c.relnamespace = current_schema::regnamespace
              and exists (select from pg_attribute a
                          where a.attrelid = c.oid and not a.attisdropped
                            and a.attname in ('app_id', 'document_id', 'build_id'))
            """
        )
        return {row["relname"]: row["held"] for row in rows}


def counts(connection: Any, tables: Any) -> dict[str, int]:
    found: dict[str, int] = {}
    for table in tables:
        name = sql.Identifier(table)
        row = connection.execute(sql.SQL("select count(*) as n from {}").format(name)).fetchone()
        found[table] = row["n"]
    return found


def test_every_table_of_documents_is_guarded_and_few_are_granted(
    database: Database, reader: Reader
) -> None:
    held = guarded(database)
    assert len(held) > 30 and [table for table, policy in held.items() if not policy] == []
    with database.connection() as connection:
        columns = connection.execute(
            "select table_name from information_schema.columns"
            " join information_schema.tables using (table_schema, table_name)"
            " where table_schema = 'public' and table_type = 'BASE TABLE'"
            " group by 1 having bool_or(column_name in ('document_id', 'build_id', 'page'))"
            " and not bool_or(column_name = 'app_id')"
        ).fetchall()
        open_views = connection.execute(
            "select relname from pg_class"
            " where relkind = 'v' and relnamespace = 'public'::regnamespace"
            " and not coalesce(reloptions, '{}') @> array['security_invoker=true']"
        ).fetchall()
    assert columns == [] and open_views == []
    with reader.reading("default") as connection:
        granted = connection.execute(
            "select relname from pg_class where relkind in ('r', 'v', 'p')"
            " and relnamespace = 'public'::regnamespace and has_table_privilege(oid, 'select')"
        ).fetchall()
        writable = connection.execute(
            "select relname from pg_class where relkind in ('r', 'v', 'p') and oid >= 16384 and"
            " has_table_privilege(oid, 'insert, update, delete, truncate, references, trigger')"
        ).fetchall()
    assert {row["relname"] for row in granted} == set(READABLE) and writable == []


def test_only_rows_of_the_app_and_up_to_the_day(
    week: str, database: Database, reader: Reader
) -> None:
    with database.connection() as connection:
        every = counts(connection, READABLE)
    with reader.reading("default") as connection:
        own = counts(connection, READABLE)
    assert own == every
    filled = {table for table, n in every.items() if n} - OF_ALL
    assert len(filled) > 15
    with reader.reading("other") as connection:
        theirs = counts(connection, filled)
    with reader.reading("") as connection:
        nobodys = counts(connection, filled)
    with reader.reading("default", BEFORE) as connection:
        before = counts(connection, filled - WITHOUT_DAY)
    assert not any(theirs.values()) and not any(nobodys.values()) and not any(before.values())


def test_a_code_leads_to_names_of_the_own_app_alone(
    week: str, database: Database, reader: Reader
) -> None:
    with database.transaction() as connection:
        connection.execute("update entity_names set codes = '{688991.SH}'")
        named = connection.execute("select distinct name_id from entity_names").fetchall()
    look_up = "select * from coded_names('default', '{688991.SH}') as found (name_id)"
    seen: dict[str, set[str]] = {}
    for app in ("default", "other", ""):
        with reader.reading(app) as connection:
            seen[app] = {row["name_id"] for row in connection.execute(look_up)}
    assert seen["default"] == {row["name_id"] for row in named} != set()
    assert not seen["other"] and not seen[""]


def test_settings_end_with_their_transaction(week: str, reader: Reader) -> None:
    for as_of, seen in ((BEFORE, False), (None, True)):
        with reader.reading("default", as_of) as connection:
            assert bool(counts(connection, ["documents"])["documents"]) is seen
    with reader.reading("default") as connection:
        connection.commit()
        assert counts(connection, ["documents"]) == {"documents": 0}


def _given(database: Database, build_id: str) -> dict[str, Any]:
    """Ids of everything there is, by the names that blocks give to parameters."""
    given: dict[str, Any] = {}
    with database.connection() as connection:

        def columns(query: Any) -> None:
            rows = connection.execute(query).fetchall()
            assert rows
            for name in rows[0]:
                given[name] = [row[name] for row in rows]

        columns(
            "select document_id as document_ids, revision as revisions, ordinal as ordinals,"
            " ordinal as chunks, page as pages, 'chunk' as kinds, 0 as starts,"
            " left(content, 5) as quotes from clique_chunks"
        )
        columns(
            "select name_id as entity_ids, name_id as name_ids, name_id as entities,"
            " spelling as spellings from entity_names"
        )
        columns(
            "select entity_id as srcs, neighbour_id as dsts, edge_type as edge_types,"
            " true as symmetric from entity_neighbours where outgoing"
        )
        columns(
            "select community_id as community_ids, report_id as report_ids,"
            " community_id as communities from leiden_communities where report_id is not null"
        )
        space = connection.execute("select * from vector_spaces").fetchone()
        assert space is not None
    return given | {
        "app_id": "default",
        "build_id": build_id,
        "document_id": given["document_ids"][0],
        "revision": given["revisions"][0],
        "community_id": given["community_ids"][0],
        "build_ids": [build_id],
        "relations": given["edge_types"],
        "space_id": space["space_id"],
        "vector": HalfVector([1.0] * space["dimension"]),
        "day": date.max,
        **dict.fromkeys(("k", "each", "fan_out", "counted", "hops", "chunks_least"), 5),
        **dict.fromkeys(("many", "level", "since", "few"), 0),
        "until": 2**62,
        "moved": False,
        "narrowed": False,
        "across": False,
    }


#: Families of blocks that readers use.
READERS = (
    *("search/embeddings", "search/entries", "search/keyword_index", "search/embedded_texts"),
    *("graph/graph_search", "graph/graph_chunks", "graph/entity_summaries", "graph/entity_graph"),
    *("weeks/community_search", "weeks/community_builds", "weeks/chain_reports"),
    *("documents/documents", "documents/clique_chunks", "documents/html_tables"),
    *("documents/cleaned_text", "documents/document_sources"),
)
#: Blocks that tell of no document, or give back what they are given.
SAYS_NOTHING = {
    *("space", "active_space", "spaces", "other_spaces", "store_id", "log", "read_at"),
    *("names_of", "database_clock", "is_store", "tables", "columns", "rights", "login", "migrated"),
    *("lacking", "bound", "holdings", "digests", "export_snapshot", "lock_spaces", "hold_spaces"),
}


def test_no_block_tells_of_another_app(week: str, database: Database, reader: Reader) -> None:
    given = _given(database, week)
    ran = 0
    for family in READERS:
        for query in all_queries()[family]:
            if not query.sql.lstrip().startswith(("select", "with")) or query.name in SAYS_NOTHING:
                continue
            names = {name: given.get(name) for name in given} | dict.fromkeys(
                name for name in _parameters(query.sql) if name not in given
            )
            text: Any = query.sql.replace("halfvec(1024)", "halfvec(1152)")
            try:
                with reader.reading("other") as connection:
                    rows = connection.execute(text, names).fetchall()
            except (FinragError, psycopg.Error):
                continue  # refused, or asked with what it does not take
            ran += 1
            told = [value for row in rows for value in row.values() if value]
            assert told == [], f"{family}.{query.name} tells {told[:3]}"
    assert ran > 60


def _parameters(text: str) -> set[str]:
    return {part.split(")")[0] for part in text.split("%(")[1:]}


@pytest.mark.parametrize(
    "statement",
    [
        "select set_config('finrag.app_id', 'default', true), count(*) from documents",
        "select set_config('role', 'postgres', false)",
        "set role postgres",
        "set session authorization postgres",
        "set transaction read write",
        "begin read write",
        "select 1; set finrag.app_id = 'default'",
        "insert into vector_spaces values ('s', 's', 1, false)",
        "delete from documents",
        "create table mine (n int)",
        "create temporary table mine (n int)",
        "create extension dblink",
        "select lo_create(0)",
        "select pg_read_file('PG_VERSION')",
        "select * from pg_authid",
        "select * from model_replies",
        "select * from graph_texts",
        "copy documents to program 'cat'",
        "copy documents to '/tmp/documents'",
        "do $$ begin perform 1; end $$; select 1",
        "call keep_apart('documents'::regclass)",
        "alter role current_user bypassrls",
        "drop policy readers on documents",
        "alter table documents disable row level security",
        "select dblink('dbname=postgres', 'select 1')",
    ],
)
def test_a_statement_that_reaches_further_is_refused(
    statement: Any, week: str, reader: Reader
) -> None:
    with pytest.raises((FinragError, psycopg.Error)), reader.reading("other") as connection:
        connection.execute(statement)
    with reader.reading("other") as connection:
        row = connection.execute("select current_user = session_user as own").fetchone()
        assert row == {"own": True}
        assert counts(connection, ["documents", "clique_chunks"]) == {
            "documents": 0,
            "clique_chunks": 0,
        }


@pytest.mark.parametrize("statement", ["reset role", "reset session authorization", "discard all"])
def test_going_back_to_the_own_role_leads_nowhere(
    statement: Any, week: str, reader: Reader
) -> None:
    try:
        with reader.reading("other") as connection:
            connection.execute(statement)
            assert counts(connection, ["documents"]) == {"documents": 0}
    except (FinragError, psycopg.Error):
        pass


def test_no_lock_and_no_setting_outlives_its_transaction(
    database: Database, settings: Settings
) -> None:
    with Reader.open(settings, max_connections=1) as reader:
        with reader.reading("default") as connection:
            connection.execute("select pg_advisory_lock(7)")
            connection.execute("set finrag.app_id = 'other'")
            connection.execute("set work_mem = '7MB'")
        with database.connection() as connection:
            row = connection.execute("select pg_try_advisory_lock(7) as free").fetchone()
            assert row == {"free": True}
        with reader.reading("") as connection:
            row = connection.execute(
                "select current_setting('work_mem') as memory, reading_app() as app"
            ).fetchone()
            assert row is not None and row["memory"] != "7MB" and row["app"] is None


def test_statements_are_prepared_once_and_one_by_one(settings: Settings, reader: Reader) -> None:
    with Reader.open(settings, max_connections=1) as one:
        for _ in range(2):
            with one.reading("default") as connection:
                connection.execute("select 1 as n")
                held = connection.execute(
                    "select count(*) as n from pg_prepared_statements"
                    " where statement = 'select 1 as n'"
                ).fetchone()
                assert held == {"n": 1}
        with pytest.raises(psycopg.NotSupportedError), one.reading("default") as connection:
            connection.cursor().copy("copy documents to stdout; select 1")


def test_a_role_that_could_do_more_is_refused(
    settings: Settings, role: str, database: Database
) -> None:
    def line(*statements: str) -> str:
        with database.connection() as connection:
            for statement in statements:
                name = sql.Identifier(role)
                connection.execute(sql.SQL(statement).format(name))  # pyright: ignore
        with pytest.raises(StoreUnusable) as caught:
            Reader.open(as_role(settings, role))
        return str(caught.value)

    assert settings.database_url is not None
    with pytest.raises(StoreUnusable, match="postgres is a superuser"):
        Reader.open(settings.model_copy(update={"reader_url": settings.database_url}))
    assert "run `finrag status`" in line()
    Database.open(as_role(settings, role)).close()  # the writer grants what is missing
    Reader.open(as_role(settings, role)).close()
    assert "has bypassrls" in line("alter role {} bypassrls")
    assert "creates roles" in line("alter role {} nobypassrls createrole")
    assert "owns theirs" in line("alter role {} nocreaterole", "create table theirs (n int)",
                                 "alter table theirs owner to {}")  # fmt: skip
    assert "belongs to pg_read_server_files" in line(
        "drop table theirs", "grant pg_read_server_files to {}"
    )
    assert "could set another application" in line(
        "revoke pg_read_server_files from {}",
        "grant execute on function pg_catalog.set_config(text, text, boolean) to {}",
    )


def test_a_role_that_may_set_anything_is_bound_to_one_app(
    week: str, settings: Settings, role: str, database: Database
) -> None:
    chosen = as_role(settings, role)
    Database.open(chosen).close()
    with database.connection() as connection:
        connection.execute(
            sql.SQL("grant execute on function set_config(text, text, boolean) to {}").format(
                sql.Identifier(role)
            )
        )
        connection.execute("insert into reader_applications values (%s, 'other')", (role,))
    with Reader.open(chosen) as reader:
        with reader.reading("other") as connection:
            connection.execute("select set_config('finrag.app_id', 'default', false)")
            assert counts(connection, ["documents"]) == {"documents": 0}
        with (
            pytest.raises(ConfigurationError, match="serves app 'other'"),
            reader.reading("default"),
        ):
            pass


def test_the_store_is_of_this_version(settings: Settings, database: Database) -> None:
    def refusal(change: Any) -> str:
        with database.connection() as connection:
            connection.execute(change)
        with pytest.raises(StoreUnusable) as caught:
            Reader.open(settings)
        return str(caught.value)

    newest = "where version = (select max(version) from schema_migrations)"
    later = refusal(f"update schema_migrations set version = version + 1 {newest}")
    assert "install the version that wrote it" in later
    assert "run `finrag status`" in refusal(f"delete from schema_migrations {newest}")
