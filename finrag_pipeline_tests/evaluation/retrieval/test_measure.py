"""The table of variants over a real store: gold found, missed, refused, not there."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest

from finrag_pipeline.errors import ConfigurationError, VectorSpaceMismatch
from finrag_pipeline.evaluation.retrieval.measure import measure, write_output
from finrag_pipeline.evaluation.retrieval.plain_bm25 import PlainBm25
from finrag_pipeline.evaluation.retrieval.table import report
from finrag_pipeline.evaluation.retrieval.variants import BASELINES, FUSED, PLAIN_BM25, SHIPPED
from finrag_pipeline.query.question.options import MAX_QUESTION_CHARACTERS
from finrag_pipeline.settings import Settings
from finrag_pipeline.store.database.connections import Database
from finrag_pipeline.store.database.reader import Reader
from finrag_pipeline_tests.evaluation.retrieval.conftest import WriteQuestions, asking

MARGIN = asking("薄膜毛利率为什么下降？", "a.pdf", 1)
OUTPUT = asking("新产线何时投产？", "a.pdf", 2)
DIVIDEND = asking("每股派发多少现金红利？", "b.pdf")

pytestmark = pytest.mark.usefixtures("documents")


def test_every_variant_stands_in_one_table(settings: Settings, write: WriteQuestions) -> None:
    told: list[tuple[str, int, int]] = []
    path = write(MARGIN, OUTPUT, DIVIDEND)
    (measured,) = measure([path], settings, lanes=True, progress=lambda *each: told.append(each))
    assert told == [(measured.name, n, 3) for n in (1, 2, 3)]
    assert measured.name == f"{path.parent.name}/questions"
    lanes = [
        f"lane {name}" for name in ("keyword", "vector", "table", "fact", "graph", "community")
    ]
    assert list(measured.found) == [SHIPPED, FUSED, *lanes, PLAIN_BM25, *BASELINES]
    for variant in (SHIPPED, FUSED, "lane keyword", PLAIN_BM25, "D: BM25, dense and graph"):
        assert measured.figures(variant)["MRR@10"] == 1, variant
    assert measured.figures("lane community")["R@20"] == 0
    # one lane alone is what its baseline is
    first = next(iter(BASELINES))
    assert measured.found["lane vector"].rankings == measured.found[first].rankings
    table = report([measured])
    assert table.columns[:4] == ("questions", "variant", "n", "R@1")
    assert len(table.rows) == len(measured.found)
    assert table.misses == () and "keyword and vector" in table.notes[0]


def test_what_fails_is_a_miss_and_is_told(settings: Settings, write: WriteQuestions) -> None:
    too_long = asking("长" * (MAX_QUESTION_CHARACTERS + 1), "a.pdf", 1)
    elsewhere = asking("毛利率？", "nowhere.pdf", 1)
    wordless = asking("？？？", "a.pdf", 2)
    (measured,) = measure([write(MARGIN, too_long, elsewhere, wordless)], settings)
    found = measured.found[SHIPPED]
    assert measured.figures(SHIPPED)["R@10"] == 0.25
    assert list(found.errors) == [too_long["id"]]
    table = report([measured])
    row = dict(zip(table.columns, table.rows[0], strict=True))
    assert (row["n"], row["errors"]) == (4, 1)
    assert row["nothing"] == sum(not pieces for pieces in found.rankings.values()) - 1
    assert "1 documents of the gold are not in the store" in table.notes[0]
    assert "as shipped: 1 errors, such as: the question has 4001 characters" in table.notes[1]
    assert len(table.misses) == 3
    assert any("ask in 4000 at most" in line for line in table.misses)


def test_a_wrong_setting_is_told_and_not_measured(
    settings: Settings, write: WriteQuestions, database: Database
) -> None:
    with database.transaction() as connection:
        connection.execute("alter table embeddings drop constraint embeddings_space_id_fkey")
        connection.execute("update vector_spaces set space_id = 'made-by-another-model'")
    with pytest.raises(VectorSpaceMismatch, match="finrag reembed"):
        measure([write(MARGIN)], settings)


def test_a_question_is_asked_about_the_one_document_of_its_gold(
    settings: Settings, write: WriteQuestions
) -> None:
    both = {"id": "both", "question": "毛利率和红利？"}
    pages = [{"source": "a.pdf", "page": 1}, {"source": "b.pdf", "page": 1}]
    (measured,) = measure(
        [write(MARGIN, DIVIDEND, both | {"pages": pages})], settings, given_document=True
    )
    assert [task.given for task in measured.tasks] == ["a1", "b1"]
    assert measured.left_out == 1
    assert "1 questions are left out" in report([measured]).notes[0]
    for found in measured.found.values():
        for task in measured.tasks:
            pieces = found.rankings[task.question.id]
            assert pieces and {piece.document_id for piece in pieces} == {task.given}


def test_a_day_hides_what_came_later_from_every_variant(
    settings: Settings, write: WriteQuestions
) -> None:
    path = write(asking("海外订单交付", "c.pdf", 1))
    for day, recall in ((date(2026, 4, 1), 1.0), (date(2026, 3, 31), 0.0)):
        (measured,) = measure([path], settings, as_of=day)
        for variant in measured.found:
            assert measured.figures(variant)["R@20"] == recall, (variant, day)


def test_plain_bm25_reads_text_alone(reader: Reader) -> None:
    plain = PlainBm25(reader, "default")
    (first, *_) = plain.search("营业收入 1,500", 5)
    assert (first.document_id, first.pages) == ("a1", frozenset({1}))
    # whose report it is stands beside the text
    assert plain.search("澄光储能", 5) == []
    assert plain.search("董事会", 5, "a1") == [] and plain.search("董事会", 5, "b1")
    assert plain.search("？", 5) == []


def test_ranks_and_times_are_written(
    settings: Settings, write: WriteQuestions, tmp_path: Path
) -> None:
    measured = measure([write(MARGIN, DIVIDEND)], settings, repeat=3)
    folder = tmp_path / "out" / "today"
    names = [path.name for path in write_output(measured, folder)]
    assert names == ["rankings.jsonl", "latency_breakdown.json", "latency_breakdown.png"]
    ranks = [json.loads(line) for line in (folder / names[0]).read_text().splitlines()]
    assert [each["first_rank"][SHIPPED] for each in ranks] == [1, 1]
    (told,) = json.loads((folder / names[1]).read_text())
    assert (told["runs"], told["threshold_ms"]) == (6, 500.0)
    assert {"keyword", "vector", "evidence", "total"} <= set(told["stages"])
    assert [len(each["runs_ms"]) for each in told["by_question"]] == [3, 3]
    assert (folder / names[2]).read_bytes().startswith(b"\x89PNG")
    assert "ms P50/P95 of 6 runs" in report(measured).notes[-1]


def test_files_that_are_called_the_same_are_refused(
    settings: Settings, write: WriteQuestions, tmp_path: Path
) -> None:
    first = write(MARGIN)
    for name in ("x", "y"):
        (tmp_path / name / "q").mkdir(parents=True)
        (tmp_path / name / "q" / "a.jsonl").write_bytes(first.read_bytes())
    with pytest.raises(ConfigurationError, match="rename one"):
        measure([tmp_path / name / "q" / "a.jsonl" for name in ("x", "y")], settings)
