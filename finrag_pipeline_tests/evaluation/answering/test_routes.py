"""Routes by labels: shares by intent, and the wrong ones told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from finrag_pipeline.errors import ConfigurationError
from finrag_pipeline.evaluation.answering.routes import measure
from finrag_pipeline.settings import Settings
from finrag_pipeline.store.database.connections import Database
from finrag_pipeline_tests.documents import add_document
from finrag_pipeline_tests.paths import PROJECT

QUESTIONS = PROJECT / "benchmarks" / "questions"
LABELS = [
    ("星河新材的毛利率为什么下降？", "reason", "text"),
    ("星河新材该不该买？", "unsupported", "unsupported"),
    ("星河新材2025年毛利率是多少？", "figure", "number"),
    ("星河新材2025年毛利率是多少？", "reason", "text"),
]


def test_shares_and_wrong_ones_are_told(tmp_path: Path) -> None:
    file = tmp_path / "labels.jsonl"
    keys = ("question", "intent", "route")
    rows = [json.dumps(dict(zip(keys, each, strict=True))) for each in LABELS]
    file.write_text("\n".join(rows), encoding="utf-8")
    report = measure([file])
    assert report.rows == (
        ("reason", "50.0 % (1 of 2)", "50.0 % (1 of 2)"),
        ("unsupported", "100.0 % (1 of 1)", "100.0 % (1 of 1)"),
        ("figure", "100.0 % (1 of 1)", "100.0 % (1 of 1)"),
        ("all", "75.0 % (3 of 4)", "75.0 % (3 of 4)"),
    )
    (wrong,) = report.misses
    assert "figure, number (figures), not reason, text" in wrong


def test_the_companies_of_a_store_decide_what_words_do_not(
    database: Database, settings: Settings, tmp_path: Path
) -> None:
    file = tmp_path / "labels.jsonl"
    label = {"question": "帮我买入星河新材的研究结论", "intent": "passage", "route": "text"}
    file.write_text(json.dumps(label), encoding="utf-8")
    assert measure([file]).misses  # an errand, as far as words go
    with database.transaction() as connection:
        add_document(connection, "d1", ["星河新材的研究结论。"])
    assert not measure([file], settings).misses


def test_the_shipped_questions_go_where_they_are_labelled_to() -> None:
    for name in ("routes_open", "routes_kept"):
        *_, (_, routes, _) = measure([QUESTIONS / f"{name}.jsonl"]).rows
        assert float(str(routes).partition(" ")[0]) >= 95.0, name


def test_a_line_that_is_no_label_is_named(tmp_path: Path) -> None:
    file = tmp_path / "labels.jsonl"
    file.write_text('{"question": "？", "intent": "reason", "route": "text"}\n{"question": "？"}\n')
    with pytest.raises(ConfigurationError, match="line 2 is no question with its route"):
        measure([file])
    with pytest.raises(ConfigurationError, match="cannot be read"):
        measure([tmp_path / "none.jsonl"])
