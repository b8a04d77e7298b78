"""From a table to the graph: what its rows state, quoted by the row, gone when the file is."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path

import pymupdf
import pytest

from finrag_pipeline.pipelines.documents.indexed_documents import withdraw_document
from finrag_pipeline.pipelines.graph.graph_check import differences
from finrag_pipeline.pipelines.graph.graph_rebuild import rebuild_graph
from finrag_pipeline.pipelines.run.run import Run
from finrag_pipeline.query.engine import QueryEngine
from finrag_pipeline.query.question.options import Options
from finrag_pipeline.records.graph import table_of
from finrag_pipeline.store.database.reader import Reader
from finrag_pipeline.store.weeks import chain_reports
from finrag_pipeline_tests.pipelines.graph_documents import graph_rows
from finrag_pipeline_tests.pipelines.stages import ingest
from finrag_pipeline_tests.stages.table_files import draw_table

REGISTRY = "code,full_names,short_names\n688991,星河新材料科技股份有限公司,星河新材\n"
ROWS = [
    ["序号", "客户名称", "销售额", "占比（%）"],
    ["1", "澄光储能有限公司", "1,234.56", "23.45"],
    ["2", "远岫能源有限公司", "734.10", "13.90"],
    ["3", "客户C", "12.30", "0.25"],
]


@pytest.fixture
def with_customers(run: Run, inbox: Path, tmp_path: Path) -> Run:
    registry = tmp_path / "registry.csv"
    registry.write_text(REGISTRY, encoding="utf-8")
    run = replace(run, settings=run.settings.model_copy(update={"registry": registry}))
    document = pymupdf.open()
    page = document.new_page()
    lines = (
        "星河新材（688991.SH）",
        "2026年年度报告",
        "公司专注于正极材料的研发和生产。",
        "公司前五名客户情况",
    )
    for n, line in enumerate(lines):
        page.insert_text((60, 80 + 28 * n), line, fontname="china-s", fontsize=14 if n < 2 else 10)
    draw_table(page, ROWS, top=190)
    document.save(inbox / "customers.pdf")
    ingest(run, [inbox])
    return run


def statements(run: Run) -> list[chain_reports.StatedAt]:
    with run.database.connection() as connection:
        day = date(2030, 1, 1)
        app = run.scope.app_id
        return list(chain_reports.statements_of_day(connection, app, ["supplies"], day))


def test_rows_are_evidence_with_their_own_text(with_customers: Run):
    said = sorted(statements(with_customers), key=lambda each: -each.chunk)
    assert [each.content[each.start : each.end] for each in said] == [
        f"星河新材 公司前五名客户情况：序号 {n}，客户名称 {who}，销售额 {sum_}，占比（%） {share}。"
        for n, who, sum_, share in ROWS[1:3]
    ]
    assert [table_of(each.chunk) for each in said] == [0, 0]
    assert [each.page for each in said] == [1, 1]


def test_the_graph_is_that_of_a_clean_rebuild(with_customers: Run):
    database = with_customers.database
    assert differences(database, "default", most=9) == []
    before = graph_rows(database)
    rebuild_graph(with_customers)
    assert graph_rows(database) == before
    ingest(with_customers, [])
    assert graph_rows(database) == before


def test_a_question_through_the_graph_comes_to_the_table(with_customers: Run, reader: Reader):
    engine = QueryEngine(reader, with_customers.settings)
    found = engine.search("澄光储能有限公司", Options(lane="graph")).to_dict()
    assert found["results"][0]["kind"] == "table"


def test_what_is_withdrawn_states_nothing(with_customers: Run):
    database, document_id = with_customers.database, statements(with_customers)[0].document_id
    withdraw_document(database, with_customers.scope.app_id, document_id)
    assert statements(with_customers) == []
    assert differences(with_customers.database, "default", most=9) == []
