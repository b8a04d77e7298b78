"""The migration runner: once each, all or nothing, and only forward."""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psycopg
import pytest

from finrag_pipeline.errors import StoreUnusable
from finrag_pipeline.store.database.migrations import migrate, read_migrations, schema_lock
from finrag_pipeline.store.database.sql_files import sql_directory
from finrag_pipeline.store.embedded.server import embedded_server_url


@pytest.fixture
def empty_url(server_home: Path) -> Iterator[str]:
    name = f"empty_{uuid.uuid4().hex}"
    yield embedded_server_url(server_home, name)
    admin = embedded_server_url(server_home, "postgres")
    with psycopg.connect(admin, autocommit=True) as connection:
        connection.execute(f"drop database {name} with (force)")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "0001_first.sql").write_text("create table first (n int);\nselect '100%';")
    (tmp_path / "0002_second.sql").write_text("create table second (n int);")
    return tmp_path


def run(url: str, folder: Path) -> list[int]:
    with psycopg.connect(url, autocommit=True) as connection, schema_lock(connection):
        return [migration.version for migration in migrate(connection, folder)]


def tables(url: str) -> set[str]:
    with psycopg.connect(url) as connection:
        rows = connection.execute("select tablename from pg_tables where schemaname = 'public'")
        return {name for (name,) in rows}


def test_each_runs_once_and_later_ones_follow(empty_url: str, folder: Path) -> None:
    assert run(empty_url, folder) == [1, 2]
    assert run(empty_url, folder) == []
    (folder / "0003_third.sql").write_text("alter table first add column m int;")
    assert run(empty_url, folder) == [3]
    assert tables(empty_url) == {"schema_migrations", "first", "second"}


def test_processes_that_start_at_once_migrate_once(empty_url: str, folder: Path) -> None:
    (folder / "0003_slow.sql").write_text("select pg_sleep(0.2); create table third (n int);")
    with ThreadPoolExecutor(6) as pool:
        applied = list(pool.map(lambda _: run(empty_url, folder), range(6)))
    assert sorted(applied) == [[]] * 5 + [[1, 2, 3]]


OUTSIDE = """-- outside a transaction
-- For whoever looks for n.
create index concurrently if not exists first_by_n on first (n);
create unique index concurrently if not exists second_by_n on second (n);
"""


def indexes(url: str) -> dict[str, bool]:
    """Indexes by name, with whether they are finished."""
    with psycopg.connect(url) as connection:
        rows = connection.execute(
            "select relname, indisvalid from pg_index join pg_class on pg_class.oid = indexrelid"
            " where relname like '%_by_n'"
        )
        return dict(rows.fetchall())


def test_an_index_is_built_outside_a_transaction(empty_url: str, folder: Path) -> None:
    (folder / "0003_indexes.sql").write_text(OUTSIDE)
    (folder / "0004_later.sql").write_text("create table third (n int);")
    assert run(empty_url, folder) == [1, 2, 3, 4]
    assert indexes(empty_url) == {"first_by_n": True, "second_by_n": True}
    assert run(empty_url, folder) == []


def test_an_interrupted_index_is_built_again(empty_url: str, folder: Path) -> None:
    run(empty_url, folder)
    with psycopg.connect(empty_url) as connection:
        connection.execute("insert into second values (1), (1)")
    (folder / "0003_indexes.sql").write_text(OUTSIDE)
    with pytest.raises(psycopg.errors.UniqueViolation):
        run(empty_url, folder)
    assert indexes(empty_url) == {"first_by_n": True, "second_by_n": False}
    with psycopg.connect(empty_url) as connection:
        connection.execute("delete from second")
    assert run(empty_url, folder) == [3]
    assert indexes(empty_url) == {"first_by_n": True, "second_by_n": True}


def test_processes_that_start_at_once_build_an_index_once(empty_url: str, folder: Path) -> None:
    run(empty_url, folder)
    (folder / "0003_indexes.sql").write_text(OUTSIDE)
    with ThreadPoolExecutor(6) as pool:
        applied = list(pool.map(lambda _: run(empty_url, folder), range(6)))
    assert sorted(applied) == [[]] * 5 + [[3]]


@pytest.mark.parametrize(
    "statement", ["update first set n = 1", "create index concurrently on first (n)"]
)
def test_what_cannot_be_repeated_is_refused_outside_a_transaction(
    folder: Path, statement: str
) -> None:
    (folder / "0003_indexes.sql").write_text(f"{OUTSIDE}{statement};\n")
    with pytest.raises(StoreUnusable, match=f"not `{re.escape(statement)}`"):
        read_migrations(folder)


def test_a_failed_migration_leaves_nothing(empty_url: str, folder: Path) -> None:
    (folder / "0003_broken.sql").write_text("create table third (n int); select 1 / 0;")
    with pytest.raises(psycopg.errors.DivisionByZero):
        run(empty_url, folder)
    assert tables(empty_url) == set()


def test_a_changed_file_is_refused(empty_url: str, folder: Path) -> None:
    run(empty_url, folder)
    (folder / "0001_first.sql").write_text("create table first (n bigint);")
    with pytest.raises(StoreUnusable, match="0001_first was changed after it was applied"):
        run(empty_url, folder)


def test_line_ends_of_a_checkout_are_no_change(empty_url: str, folder: Path) -> None:
    run(empty_url, folder)
    path = folder / "0001_first.sql"
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert run(empty_url, folder) == []


def test_a_newer_database_is_refused(empty_url: str, folder: Path) -> None:
    run(empty_url, folder)
    (folder / "0002_second.sql").unlink()
    with pytest.raises(StoreUnusable, match=r"at migration 0002_second.*knows 0001 at most"):
        run(empty_url, folder)


def test_a_database_with_a_gap_is_refused(empty_url: str, folder: Path) -> None:
    run(empty_url, folder)
    with psycopg.connect(empty_url) as connection:
        connection.execute("delete from schema_migrations where version = 1")
    with pytest.raises(StoreUnusable, match="lacks version 0001 below 0002"):
        run(empty_url, folder)


def test_a_migration_may_not_end_its_transaction(folder: Path) -> None:
    (folder / "0003_commit.sql").write_text("create table third (n int); commit;")
    with pytest.raises(StoreUnusable, match=r"0003_commit.sql ends the transaction"):
        read_migrations(folder)


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("0004_gap.sql", "0004_gap.sql should have version 0003"),
        ("0002_twice.sql", "0002_twice.sql should have version 0003"),
        ("third.sql", "third.sql is no migration"),
    ],
)
def test_misnumbered_files_are_refused(folder: Path, name: str, complaint: str) -> None:
    (folder / name).write_text("select 1;")
    with pytest.raises(StoreUnusable, match=re.escape(complaint)):
        read_migrations(folder)


def test_rows_and_spaces_of_the_release_before_chunks_stay_valid(
    empty_url: str, tmp_path: Path
) -> None:
    before = tmp_path / "before"
    before.mkdir()
    for path in sorted((sql_directory() / "migrations").glob("000[12]_*.sql")):
        (before / path.name).write_bytes(path.read_bytes())
    with psycopg.connect(empty_url, autocommit=True) as connection:
        connection.execute("create extension if not exists vector")
    assert run(empty_url, before) == [1, 2]
    places = '[{"page": 2, "bbox": [0, 0, 1, 1]}, {"page": 3, "bbox": [0, 0, 1, 1]}]'
    with psycopg.connect(empty_url) as connection:
        connection.execute(
            "insert into documents (document_id, app_id, content_sha256, size_bytes, arrival_on)"
            " values ('d1', 'default', '00', 1, '2026-01-01'),"
            "        ('left behind', 'default', '01', 1, '2026-01-01')"
        )
        connection.execute(
            "insert into document_sources values ('default', 'file:///a.pdf', 'd1', 'a.pdf', '1')"
        )
        connection.execute(
            "insert into document_revisions (document_id, revision, page_count, kind, language,"
            " published_on, published_on_printed) values ('d1', 'r', 3, 'other', 'zh',"
            " '2026-01-01', true)"
        )
        connection.execute("insert into pages values ('d1', 'r', 2, 1, 1)")
        connection.execute(
            "insert into clique_chunks (document_id, revision, ordinal, page, places, meta,"
            " content, token_count) values ('d1', 'r', 0, 2, %s, '', '营收增长。', 4)",
            (places,),
        )
        connection.execute("insert into vector_spaces values ('aa-3', 'small', 3, true)")
        connection.execute(
            "create index embeddings_hnsw_aa_3 on embeddings using hnsw"
            " ((embedding::halfvec(3)) halfvec_cosine_ops) where space_id = 'aa-3'"
        )
        connection.execute(
            "insert into embeddings values ('d1', 'r', 'chunk', 0, 'aa-3', '[1,0,0]')"
        )
    assert run(empty_url, sql_directory() / "migrations")[0] == 3
    with psycopg.connect(empty_url) as connection:
        row = connection.execute(
            "select page, last_page, parent_page, context, context_by, summary, value, signature"
            " from clique_chunks"
        ).fetchone()
        assert row == (2, 3, 2, "", "headings", "", "plain", [])
        rows = connection.execute("select document_id, status from documents order by 1")
        assert rows.fetchall() == [("d1", "registered"), ("left behind", "withdrawn")]
        indexes = connection.execute(
            "select indexname from pg_indexes where indexname like 'embeddings_hnsw%' order by 1"
        ).fetchall()
        assert [name for (name,) in indexes] == [
            f"embeddings_hnsw_aa_3_{name}"
            for name in (
                "chain",
                "community",
                "content",
                "entity",
                "relation",
            )
        ]
        with pytest.raises(psycopg.errors.CheckViolation):
            connection.execute("update clique_chunks set value = 'dear'")


def test_contexts_that_a_model_left_in_earlier_releases_are_taken_up(
    empty_url: str, tmp_path: Path
) -> None:
    before = tmp_path / "before"
    before.mkdir()
    for path in sorted((sql_directory() / "migrations").glob("000[1-7]_*.sql")):
        (before / path.name).write_bytes(path.read_bytes())
    with psycopg.connect(empty_url, autocommit=True) as connection:
        connection.execute("create extension if not exists vector")
    run(empty_url, before)
    # one that a model finished, one that it left half, one that it was never asked about
    stages = {"done": ["qwen", "qwen"], "half": ["qwen", "headings"], "old": ["headings"]}
    with psycopg.connect(empty_url) as connection:
        for name, written_by in stages.items():
            connection.execute(
                "insert into documents (document_id, app_id, content_sha256, size_bytes,"
                " arrival_on) values (%s, 'default', %s, 1, '2026-01-01')",
                (name, name),
            )
            connection.execute(
                "insert into document_sources values ('default', %s, %s, %s, '1')",
                (f"file:///{name}.pdf", name, f"{name}.pdf"),
            )
            connection.execute(
                "insert into document_revisions (document_id, revision, page_count, kind, language,"
                " published_on, published_on_printed) values (%s, 'r', 1, 'other', 'zh',"
                " '2026-01-01', true)",
                (name,),
            )
            connection.execute("insert into pages values (%s, 'r', 1, 1, 1)", (name,))
            for ordinal, by in enumerate(written_by):
                connection.execute(
                    "insert into clique_chunks (document_id, revision, ordinal, page, places,"
                    " meta, content, token_count, parent_page, context_by)"
                    " values (%s, 'r', %s, 1, '[]', '', '', 1, 1, %s)",
                    (name, ordinal, by),
                )
            for stage in ["clique_chunks", *(["chunk_contexts"] if name != "old" else [])]:
                connection.execute(
                    "insert into document_stages values (%s, 'r', %s, 2, 0)", (name, stage)
                )
    assert 8 in run(empty_url, sql_directory() / "migrations")
    with psycopg.connect(empty_url) as connection:
        left = connection.execute(
            "select document_id, stage, left_count, tries from unfinished_stages"
        ).fetchall()
        finished = connection.execute(
            "select document_id from document_stages where stage = 'chunk_contexts'"
        ).fetchall()
    assert (left, finished) == ([("half", "chunk_contexts", 1, 0)], [("done",)])


def test_the_project_has_migrations() -> None:
    assert read_migrations(sql_directory() / "migrations")
