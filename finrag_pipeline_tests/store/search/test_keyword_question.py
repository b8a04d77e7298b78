"""What questions are searched by, and that entries are found by it."""

from __future__ import annotations

import json

import pytest

from finrag_pipeline.settings import Settings
from finrag_pipeline.store.database.connections import Database
from finrag_pipeline.store.database.reader import Reader
from finrag_pipeline.store.search.filters import Filter
from finrag_pipeline.store.search.keyword_index import KeywordIndex
from finrag_pipeline.store.search.keyword_question import read_question
from finrag_pipeline_tests.documents import add_document, simple_table

WHERE = Filter("default")


@pytest.fixture
def index(settings: Settings, reader: Reader) -> KeywordIndex:
    return KeywordIndex(settings.home / "keyword", reader)


def add(database: Database, document_id: str, tables: list[object]) -> None:
    with database.transaction() as connection:
        add_document(connection, document_id, ["Other matters."], tables=tables)


def found(index: KeywordIndex, question: str, metric_share: float = 0.0) -> list[tuple[str, int]]:
    hits = index.search(question, 10, WHERE, metric_share)
    return [(hit.document_id, hit.ordinal) for hit in hits if hit.kind == "table"]


def test_words_that_say_how_to_answer_are_left_out_unless_nothing_else_is_asked() -> None:
    asked = read_question("Please calculate total assets. Round your answer to two decimal places.")
    assert set(asked.words) == {"total", "asset", "two"}
    assert read_question("percentage points").words == ("point",)
    assert read_question("percent").words == ("percent",)


@pytest.mark.parametrize(
    ("question", "share"),
    [
        ("What is the FY2018 current ratio?", 1.0),
        ("凯莱英2024年的营业收入是多少？", 1.0),
        ("Which senior notes are outstanding?", 0.0),
    ],
)
def test_how_far_a_question_is_about_metrics(question: str, share: float) -> None:
    assert read_question(question).about_metrics == share


def test_a_metric_that_is_only_mentioned_counts_less() -> None:
    mentioned = read_question(
        "Which of the distributors in Europe that sell revenue management software left in spring?"
    )
    assert 0 < mentioned.about_metrics < 0.5


def test_lines_are_found_under_other_names_and_statements_by_their_lines(
    index: KeywordIndex, database: Database
) -> None:
    balance = [
        ["", "2023", "2022"],
        ["Inventories", "12", "11"],
        ["Goodwill", "7", "7"],
        ["Total current assets", "30", "28"],
        ["Accounts payable", "9", "8"],
    ]
    add(database, "d1", [simple_table("Quarterly data", [["", "2023"], ["Spent", "3"]])])
    add(database, "d2", [simple_table("", balance)])
    # none of its words stand in it
    assert found(index, "working capital") == []
    assert found(index, "working capital", 1.0) == [("d2", 0)]
    assert found(index, "statement of financial position", 1.0) == [("d2", 0)]


def test_figures_and_years_are_found_however_they_are_written(
    index: KeywordIndex, database: Database
) -> None:
    table = simple_table("预测", [["指标", "2025E"], ["出货量", "1,234.50"]])
    with database.transaction() as connection:
        add_document(connection, "d1", ["其他事项。"], tables=[table])
        told = json.dumps([{"text": "预测：出货量，2025E 1,234.50。"}])
        connection.execute("update html_tables set statements = %s", (told,))
    for question in ("1234.5", "1,234.5", "FY2025", "2025年"):
        assert found(index, question) == [("d1", 0)], question
    assert found(index, "1234") == []
