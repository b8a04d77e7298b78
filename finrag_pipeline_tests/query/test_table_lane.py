"""The table lane: the table of a figure, silent where no figure of a table is asked for."""

from __future__ import annotations

import pytest

from finrag_pipeline.query.engine import QueryEngine
from finrag_pipeline.query.question.options import Options
from finrag_pipeline_tests.documents import simple_table
from finrag_pipeline_tests.query.conftest import AddDocument

INCOME = simple_table(
    "Consolidated Statements of Earnings",
    [["", "2023"], ["Net sales", "90"], ["Cost of sales", "60"], ["Gross profit", "30"]],
)
STAFF = simple_table("Employees by region", [["", "2023"], ["Europe", "12"], ["Asia", "7"]])


@pytest.fixture
def filed(add: AddDocument) -> None:
    add("d1", ["The gross profit fell since energy was dear."], tables=[INCOME, STAFF])


def test_tables_are_found_by_lines_under_other_names(filed: None, engine: QueryEngine) -> None:
    only = engine.search("What was COGS in 2023?", Options(lane="table")).results
    assert [each.item.key.id[2] for each in only][:1] == [0]
    assert {each.kind for each in only} == {"table"}


def test_it_joins_a_search_for_a_figure(filed: None, engine: QueryEngine) -> None:
    first = engine.search("What were total revenues in 2023?").results[0]
    assert first.kind == "table" and first.lanes["table"] == 1


@pytest.mark.parametrize("question", ["Why did the gross profit fall?", "Who works in Europe?"])
def test_it_is_silent_beside_others_where_prose_is_asked_for(
    filed: None, engine: QueryEngine, question: str
) -> None:
    found = engine.search(question)
    assert not any("table" in each.lanes for each in found.results)
    assert engine.search(question, Options(lane="table")).results
