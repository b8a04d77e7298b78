"""From files to the graph: who is named, what follows, and what happens when things change."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from finrag_pipeline.pipelines.documents.indexed_documents import withdraw_document
from finrag_pipeline.pipelines.graph.entity_mentions import read_otherwise
from finrag_pipeline.pipelines.graph.graph_check import differences
from finrag_pipeline.pipelines.graph.graph_rebuild import rebuild_graph
from finrag_pipeline.pipelines.run.run import Run
from finrag_pipeline.query.engine import QueryEngine
from finrag_pipeline.query.question.options import Options
from finrag_pipeline.store.database.connections import Database
from finrag_pipeline.store.documents import documents
from finrag_pipeline_tests.pipelines.conftest import make_pdf
from finrag_pipeline_tests.pipelines.graph_documents import graph_rows
from finrag_pipeline_tests.pipelines.stages import ingest

SUPPLY = "星河新材料科技股份有限公司（以下简称“星河新材”）向澄光储能供应磷酸铁锂正极材料。"
RIVALS = "星河新材与铄星材料在正极材料市场竞争激烈，2026年上半年星河新材的毛利率为18.5%。"
REGISTRY = "code,full_names,short_names\n688991,星河新材料科技股份有限公司,星河新材\n"
MORE = "688992,澄光储能科技股份有限公司,澄光储能\n688993,铄星材料股份有限公司,铄星材料\n"


@pytest.fixture
def with_registry(run: Run, tmp_path: Path) -> Callable[..., Run]:
    """The run with a registry of these rows and other settings."""

    def make(rows: str = REGISTRY + MORE, **changed: Any) -> Run:
        path = tmp_path / "registry.csv"
        path.write_text(rows, encoding="utf-8")
        settings = run.settings.model_copy(update={"registry": path} | changed)
        return replace(run, settings=settings)

    return make


def entities(database: Database) -> dict[str, list[str]]:
    with database.connection() as connection:
        rows = connection.execute("select name, codes from entities where type = 'company'")
        return {row["name"]: row["codes"] for row in rows}


def readable(run: Run) -> list[str]:
    with run.database.connection() as connection:
        return documents.looked_at(connection, run.scope.app_id, date(2026, 3, 2), 100)


def test_documents_are_read_into_one_graph(with_registry, inbox, database):
    run = with_registry()
    make_pdf(inbox / "a.pdf", SUPPLY)
    make_pdf(inbox / "b.pdf", RIVALS)
    ingest(run, [inbox])
    found = entities(database)
    assert found["星河新材"] == ["688991.SH"]
    assert found["澄光储能"] == ["688992.SH"]
    with database.connection() as connection:
        edges = connection.execute(
            "select s.name as src, edge_type, d.name as dst, evidence_chunk_ids from entity_edges e"
            " join entities s on s.entity_id = src_entity_id"
            " join entities d on d.entity_id = dst_entity_id where edge_type <> 'co_occurs'"
        ).fetchall()
        chunks = connection.execute("select chunk_id, page_no from entity_chunks").fetchall()
    assert ("星河新材", "supplies", "澄光储能") in {
        (edge["src"], edge["edge_type"], edge["dst"]) for edge in edges
    }
    known = {row["chunk_id"] for row in chunks}
    assert all(set(edge["evidence_chunk_ids"]) <= known for edge in edges)
    assert differences(database, "default", most=9) == []
    assert read_otherwise(run, readable(run)) == []


def test_a_document_that_is_withdrawn_leaves_nothing_in_the_graph(with_registry, inbox, database):
    run = with_registry()
    make_pdf(inbox / "a.pdf", SUPPLY)
    ingest(run, [inbox])
    alone = graph_rows(database)
    make_pdf(inbox / "b.pdf", RIVALS)
    ingest(run, [inbox])
    assert graph_rows(database) != alone
    with database.connection() as connection:
        row = connection.execute(
            "select document_id from current_documents where source = 'b.pdf'"
        ).fetchone()
    withdraw_document(database, "default", row["document_id"])
    ingest(run, [inbox / "a.pdf"])  # vectors and summaries of what is left
    assert graph_rows(database) == alone


def test_another_registry_is_told_and_a_rebuild_reads_with_it(with_registry, inbox, database):
    make_pdf(inbox / "a.pdf", SUPPLY)
    ingest(with_registry(REGISTRY), [inbox])
    assert entities(database)["星河新材"] == ["688991.SH"]
    assert "688992.SH" not in str(entities(database))
    run = with_registry()
    assert read_otherwise(run, readable(run)) == ["a.pdf"]
    assert rebuild_graph(run)["documents_read"] == 1
    assert read_otherwise(run, readable(run)) == []
    assert entities(database)["澄光储能"] == ["688992.SH"]


def test_listings_printed_together_are_one_company_wherever_one_is_named(
    with_registry, inbox, database
):
    run = with_registry()
    make_pdf(inbox / "a.pdf", "推荐港股03891.HK。")
    ingest(run, [inbox])
    apart = graph_rows(database)
    assert entities(database) == {"03891.HK": ["03891.HK"]}
    make_pdf(
        inbox / "b.pdf", "星河新材（688991.SH/03891.HK）2025年收入增长，并向澄光储能供应正极材料。"
    )
    ingest(run, [inbox])
    assert set(entities(database)) == {"星河新材", "澄光储能"}
    together = graph_rows(database)
    rebuild_graph(run)
    assert graph_rows(database) == together
    with database.connection() as connection:
        row = connection.execute(
            "select document_id from current_documents where source = 'b.pdf'"
        ).fetchone()
    withdraw_document(database, "default", row["document_id"])
    ingest(run, [inbox / "a.pdf"])
    assert graph_rows(database) == apart


def test_another_tagger_of_names_is_told(with_registry, inbox):
    run = with_registry()
    make_pdf(inbox / "a.pdf", SUPPLY)
    ingest(run, [inbox])
    assert read_otherwise(with_registry(names="rules"), readable(run)) == ["a.pdf"]


def test_lite_keeps_few_entities_a_chunk(with_registry, inbox, database):
    make_pdf(inbox / "a.pdf", SUPPLY + RIVALS)
    ingest(with_registry(graph="lite"), [inbox])
    with database.connection() as connection:
        counts = connection.execute(
            "select count(distinct name_id) as n from entity_chunks group by chunk_id"
        ).fetchall()
        types = connection.execute("select distinct edge_type from entity_edges").fetchall()
    assert counts and all(1 <= row["n"] <= 3 for row in counts)
    assert {row["edge_type"] for row in types} == {"co_occurs"}


def test_without_the_graph_the_other_lanes_find_the_same(with_registry, inbox, database, reader):
    make_pdf(inbox / "a.pdf", SUPPLY)
    run = with_registry(graph="off")
    ingest(run, [inbox])
    assert not any(graph_rows(database).values())

    def found() -> list[Any]:
        engine = QueryEngine(reader, run.settings)
        lanes = [
            engine.search("谁供应正极材料？", Options(lane=lane)) for lane in ("keyword", "vector")
        ]
        return [[(r.item.document_id, r.score, r.text) for r in lane.results] for lane in lanes]

    without = found()
    assert without[0] and without[1]
    rebuild_graph(with_registry())
    assert entities(database)
    assert found() == without
