"""`finrag feedback` and `finrag evaluate retrieval`: a mark becomes a case, gold and a measure."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from finrag_pipeline.errors import ConfigurationError
from finrag_pipeline.serve.cli.main import app
from finrag_pipeline.settings import Settings
from finrag_pipeline_tests.query.conftest import AddDocument, add

__all__ = ["add"]

MARGIN = "薄膜毛利率为什么下降？"


@pytest.fixture(autouse=True)
def _store(
    add: AddDocument, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("FINRAG_HOME", str(settings.home))
    monkeypatch.setenv("FINRAG_DATABASE_URL", settings.database_url or "")
    add("a1", ["薄膜业务毛利率下降至31.5%，主要因原材料涨价。", "产能充足。"], source="a.pdf")


def finrag(*arguments: str, code: int = 0) -> Any:
    outcome = CliRunner().invoke(app, list(arguments))
    if outcome.exception and not isinstance(outcome.exception, SystemExit):
        raise outcome.exception
    assert outcome.exit_code == code, outcome.output
    return json.loads(outcome.stdout) if "--json" in arguments else outcome.output


def test_a_mark_becomes_a_case_gold_and_a_measure(tmp_path: Path) -> None:
    marked = finrag("feedback", MARGIN, "--bad", "--expected-page", "a.pdf:2", "--json")
    assert marked == {"id": 1, "verdict": "bad", "status": "answered"}
    good = ("--good", "薄膜业务涨价了吗？", "--comment", "right", "--expected-page", "a.pdf:1")
    assert "kept as 2: good" in finrag("feedback", *good)
    (newest, first) = finrag("feedback", "list", "--json")["feedback"]
    assert (newest["comment"], newest["verdict"]) == ("right", "good")
    assert first["expected_pages"] == [{"source": "a.pdf", "page": 2}]
    assert MARGIN in finrag("feedback", "list")
    (case,) = finrag("feedback", "report", "--json")["cases"]
    assert (case["id"], case["status_then"], case["rank"]) == (1, "answered", 2)
    assert "the answer cites others | 1 |" in finrag("feedback", "report")

    finrag("feedback", "export", "gold.jsonl")
    measured = finrag("evaluate", "retrieval", "gold.jsonl", "--k", "1", "--k", "3", "--json")
    shipped, plain = measured["rows"]
    assert (shipped["variant"], plain["variant"]) == ("as shipped", "plain BM25")
    assert (shipped["n"], shipped["R@1"], shipped["R@3"]) == (2, "0.500", "1.000")
    written = finrag("evaluate", "retrieval", "gold.jsonl", "--output", "out", "--repeat", "1")
    assert "wrote out/latency_breakdown.png" in written
    assert (tmp_path / "out" / "latency_breakdown.png").stat().st_size > 1000


def test_a_mark_says_one_of_both_and_gold_needs_pages() -> None:
    assert "say one of --bad and --good" in finrag("feedback", MARGIN, code=2)
    finrag("feedback", MARGIN, "--bad")
    with pytest.raises(ConfigurationError, match="none of 1 marks tells a page"):
        finrag("feedback", "export", "gold.jsonl")
