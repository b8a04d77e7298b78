"""Deleting an app: nothing of it is left, nothing else is touched, and it can begin again."""

from __future__ import annotations

import shutil
import threading
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from psycopg import Connection

from finrag_pipeline.errors import NotFound
from finrag_pipeline.pipelines.documents.raw_pdfs import register_paths
from finrag_pipeline.pipelines.run.run import Run
from finrag_pipeline.pipelines.weeks.chain_reports import report_week
from finrag_pipeline.pipelines.weeks.community_summaries import summarise_week
from finrag_pipeline.pipelines.weeks.leiden_communities import cluster_week
from finrag_pipeline.records.communities import week_of
from finrag_pipeline.store.access import api_tokens
from finrag_pipeline.store.database.connections import Database
from finrag_pipeline.store.database.queries import load_queries
from finrag_pipeline.store.database.reader import Reader
from finrag_pipeline.store.documents import applications, documents
from finrag_pipeline.store.documents.documents import Scope
from finrag_pipeline.store.evaluation import feedback, retrieval_evaluations
from finrag_pipeline.store.evaluation.feedback import Mark
from finrag_pipeline.store.evaluation.retrieval_evaluations import Evaluation
from finrag_pipeline.store.search.filters import Filter
from finrag_pipeline.store.search.keyword_index import KeywordIndex
from finrag_pipeline_tests.paths import SAMPLE_PDFS
from finrag_pipeline_tests.pipelines.conftest import make_pdf
from finrag_pipeline_tests.pipelines.graph_documents import graph_rows
from finrag_pipeline_tests.pipelines.rows import rows_of
from finrag_pipeline_tests.pipelines.stages import DAY, ingest

APP, OTHER = "default", "other"
REPORT = "canglan_xinghe_q3_20251030.pdf"
WEEK = week_of(date(2026, 3, 9))

Row = dict[str, Any]
#: Columns by which a row is an app's, where it has no `app_id`.
KEYS = {"document_id", "new_document_id", "old_document_id", "build_id"}


def fill(run: Run, folder: Path) -> None:
    """Versions of a file, a broken one, a week's build, a decision by hand, usage, feedback."""
    folder.mkdir(exist_ok=True)
    shutil.copy(SAMPLE_PDFS / REPORT, folder)
    (folder / "broken.pdf").write_text("no pdf at all")
    make_pdf(folder / "a.pdf", "初稿：星河新材料股份有限公司（688991.SH）收入增长。")
    ingest(run, [folder])
    make_pdf(folder / "a.pdf", "定稿：星河新材料股份有限公司（688991.SH）收入下降。")
    ingest(run, [folder])
    cluster_week(run, WEEK)
    summarise_week(run, WEEK)
    report_week(run, WEEK)
    with run.database.transaction() as connection:
        connection.execute(
            "insert into entity_decisions (app_id, kind, name_id, other_id, name, other_name) "
            "values (%s, 'split', 'one', 'two', '', '')",
            (run.scope.app_id,),
        )
        connection.execute(
            "insert into model_usage values (%s, 'run', 'asset', null, 'm', 1, 0, 1, 1, 1, 0)",
            (run.scope.app_id,),
        )
        connection.execute(
            "insert into structured_financials values (%s, 'a.csv', %s, 0, %s, 'revenue',"
            " '688991.SH', '688991.SH', '星河新材', 2025, 'FY', null, %s, 1, 'CNY', 'CNY', '1',"
            " '元', 'vendor', 5, 'actual', 'consolidated', '', false, null, '', 2, '', '')",
            (run.scope.app_id, f"v{run.scope.app_id}", DAY, DAY),
        )
        connection.execute(
            "insert into enterprise_graph values (%s, 'enterprise://records/c1/profile', 'c1',"
            " 'company_profile', '{}')",
            (run.scope.app_id,),
        )
        feedback.add(connection, run.scope.app_id, Mark("毛利率？", "bad"))
        api_tokens.create(connection, run.scope.app_id, ["read"])
        retrieval_evaluations.replace_week(
            connection,
            run.scope.app_id,
            WEEK,
            [Evaluation(WEEK, "q", "as shipped", {"R@10": 0.5}, 2, 0, "", "0", "")],
        )


@pytest.fixture
def run(database: Database, settings) -> Run:
    return Run(database, settings, Scope(APP))


@pytest.fixture
def filled(run: Run, tmp_path: Path) -> Run:
    for app in (APP, OTHER):
        fill(replace(run, scope=Scope(app)), tmp_path / "reports")
    return run


def tables(connection: Connection[Row]) -> dict[str, set[str]]:
    """Every table with its columns."""
    rows = connection.execute(
        "select t.table_name, array_agg(c.column_name::text) as columns "
        "from information_schema.tables t join information_schema.columns c "
        "using (table_schema, table_name) "
        "where table_schema = 'public' and table_type = 'BASE TABLE' group by 1"
    )
    return {row["table_name"]: set(row["columns"]) for row in rows}


def all_rows(database: Database, app_id: str) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """Rows of every table: those of an app, and all others."""
    own: dict[str, list[str]] = {}
    others: dict[str, list[str]] = {}
    with database.connection() as connection:
        query: Any = "select {} as id from {} where app_id = %s"
        ids = {
            row["id"]
            for key, table in (("document_id", "documents"), ("build_id", "community_builds"))
            for row in connection.execute(query.format(key, table), (app_id,))
        }
        for table in tables(connection):
            every: Any = f"select to_jsonb(t) as row from {table} t"
            for row in connection.execute(every):
                keys = {row["row"].get(key) for key in KEYS}
                mine = row["row"].get("app_id") == app_id or keys & ids
                (own if mine else others).setdefault(table, []).append(str(row["row"]))
    return own, {table: sorted(rows) for table, rows in others.items()}


def made(database: Database) -> dict[str, list[str]]:
    """What an ingestion makes of files, whenever they were written and how often they came."""
    rows = rows_of(database, APP)
    return {table: rows[table] for table in set(rows) - {"document_sources", "index_changes"}}


def delete(database: Database, app_id: str = APP) -> None:
    with database.transaction() as connection:
        applications.delete(connection, app_id)


def test_nothing_is_left_of_an_app_and_another_one_is_as_it_was(
    filled: Run, tmp_path: Path, reader: Reader
) -> None:
    database = filled.database
    copy = KeywordIndex(tmp_path / "keyword", reader)
    both, one = (Filter(app_id=app) for app in (APP, OTHER))
    assert copy.search("星河新材", 5, both)
    with database.connection() as connection:
        counts = applications.counts(connection, APP)
        of_tables = tables(connection)
    assert all(counts.values()), counts
    own, others = all_rows(database, APP)
    untold = {
        table for table, columns in of_tables.items()
        if columns & (KEYS | {"app_id"}) and table not in own
    }  # fmt: skip
    # what these documents give no rows of; `test_every_table_of_an_app_is_deleted` knows them, too
    assert untold <= {
        "entity_aliases", "alias_links", "edge_descriptions", "element_summaries",
        "financial_facts", "extraction_problems", "community_events",
        "entity_members", "entity_summaries", "chain_reports", "unfinished_stages",
        "unfinished_elements",
    }  # fmt: skip

    delete(database)
    left, after = all_rows(database, APP)
    assert left == {}
    # the log tells keyword copies of ids that are gone, and of nothing else
    assert len(after.pop("index_changes")) > len(others.pop("index_changes"))
    assert after == others
    assert copy.search("星河新材", 5, both) == []
    assert copy.search("星河新材", 5, one)
    assert copy.of(OTHER).verify(date(2026, 3, 2)).equal
    with database.connection() as connection, pytest.raises(NotFound, match="there are other"):
        applications.counts(connection, APP)


def test_every_table_of_an_app_is_deleted(database: Database) -> None:
    """By a block of its own, or with the row that it belongs to: also those with no row today."""
    with database.connection() as connection:
        cascades = connection.execute(
            "select conrelid::regclass::text as table, confrelid::regclass::text as parent "
            "from pg_constraint where contype = 'f' and confdeltype = 'c'"
        ).fetchall()
        of_apps = {
            table for table, columns in tables(connection).items() if columns & (KEYS | {"app_id"})
        }
    blocks = " ".join(block.sql for block in load_queries("documents/applications"))
    gone = {table for table in of_apps if f"delete from {table} " in f"{blocks} "}
    gone.add("community_members")  # by the trigger of `community_builds`
    while more := {row["table"] for row in cascades if row["parent"] in gone} - gone:
        gone |= more
    assert of_apps - gone == set()


def test_an_app_begins_again_as_on_a_fresh_store(filled: Run, tmp_path: Path) -> None:
    database = filled.database
    rows, graph = made(database), graph_rows(database)
    delete(database)
    with database.connection() as connection:
        assert documents.list_documents(connection, Scope(APP)) == []
    fill(filled, tmp_path / "reports")
    assert made(database) == rows
    assert graph_rows(database) == graph


def test_what_arrives_meanwhile_waits_and_is_the_beginning(filled: Run, tmp_path: Path) -> None:
    """A registration under way neither survives half nor makes the deletion fail."""
    database = filled.database
    arrived = make_pdf(tmp_path / "new" / "late.pdf", "迟到的报告。")
    late = threading.Thread(target=lambda: register_paths(filled, [str(arrived)], DAY))
    with database.transaction() as connection:
        applications.delete(connection, APP)
        late.start()
        late.join(1.0)
        assert late.is_alive()
    late.join(30)
    with database.connection() as connection:
        (row,) = documents.list_documents(connection, Scope(APP))
    assert (row["sources"], row["status"]) == (["late.pdf"], "registered")
