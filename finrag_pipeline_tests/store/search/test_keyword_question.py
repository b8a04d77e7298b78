"""What questions are searched by, and that entries are found by it."""

from __future__ import annotations

import json

import pytest
import tantivy
from hypothesis import given
from hypothesis import settings as settings_of
from hypothesis import strategies as st

from finrag_pipeline.settings import Settings
from finrag_pipeline.store.database.connections import Database
from finrag_pipeline.store.database.reader import Reader
from finrag_pipeline.store.search.filters import Filter
from finrag_pipeline.store.search.keyword_entries import schema
from finrag_pipeline.store.search.keyword_index import KeywordIndex
from finrag_pipeline.store.search.keyword_question import KeywordQuestion, read_question
from finrag_pipeline.store.search.keyword_search import search_entries
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


@settings_of(max_examples=60, deadline=None)
@given(st.data())
def test_words_and_marks_apart_find_what_they_find_together(data: st.DataObject) -> None:
    """Two searches, each of which passes over entries, find the best that one over all would."""
    words = ("营收", "毛利率", "净利", "出货", "费用")
    marks = ("revenue", "gross_margin")
    entries = data.draw(
        st.lists(
            st.tuples(
                st.lists(st.sampled_from(words), min_size=1, max_size=12),
                st.sets(st.sampled_from(marks)),
            ),
            min_size=1,
            max_size=40,
        )
    )
    index = tantivy.Index(schema())
    writer = index.writer(15_000_000, 1)
    for ordinal, (said, held) in enumerate(entries):
        writer.add_document(
            tantivy.Document(
                app_id="default",
                document_id="d",
                revision="r",
                kind="table",
                ordinal=ordinal,
                digest="",
                published_on=1,
                metrics=sorted(held),
                words=" ".join(said),
            )
        )
    writer.commit()
    writer.wait_merging_threads()
    index.reload()
    asked = KeywordQuestion(
        tuple(data.draw(st.sets(st.sampled_from(words), min_size=1))),
        {mark: 1.0 for mark in data.draw(st.sets(st.sampled_from(marks)))},
        about_metrics=1.0,
    )
    every = search_entries(index, asked, len(entries), WHERE, 0.7)
    by_ordinal = {hit.ordinal: hit.score for hit in every}
    for ordinal, (said, held) in enumerate(entries):
        assert (ordinal in by_ordinal) == bool(
            set(asked.words) & set(said) or set(asked.metrics) & held
        )
    scores = sorted(by_ordinal.values(), reverse=True)
    most = data.draw(st.integers(1, len(entries)))
    few = search_entries(index, asked, most, WHERE, 0.7)
    assert [hit.score for hit in few] == pytest.approx(scores[:most], abs=2e-4)
