"""What answers have to say, asked of a real store: patterns, pages, company and time."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from finrag_pipeline.errors import ConfigurationError
from finrag_pipeline.evaluation.answering.told import is_telling, measure, read_tellings
from finrag_pipeline.settings import Settings
from finrag_pipeline_tests.query.conftest import AddDocument, add

__all__ = ["add"]

MARGIN = "薄膜业务毛利率下降至31.5%，主要因原材料涨价。"


def _write(path: Path, *rows: dict[str, Any]) -> Path:
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))
    return path


def _row(id: str, question: str, **more: Any) -> dict[str, Any]:
    return {"id": id, "question": question, "kind": "reason", "status": "answered"} | more


@pytest.fixture
def documents(add: AddDocument) -> None:
    add("a1", [MARGIN], source="a.pdf")


@pytest.mark.usefixtures("documents")
def test_what_is_said_is_compared_with_what_has_to_be(settings: Settings, tmp_path: Path) -> None:
    question = "薄膜业务毛利率为什么下降？"
    page = {"pages": [{"source": "a.pdf", "page": 1}]}
    gold = _write(
        tmp_path / "gold.jsonl",
        _row("right", question, must=["原材料(涨价|价格上涨)"], **page),
        _row("lacks", question, must=["产能过剩"], **page),
        _row("forbidden", question, must_not=["31[.]5%"]),
        _row("elsewhere", question, must=["原材料"], pages=[{"source": "a.pdf", "page": 2}]),
        _row("items", question, some={"of": ["薄膜", "原材料", "汇率"], "least": 2}),
        _row("few", question, some={"of": ["薄膜", "运费", "汇率"], "least": 2}),
        _row("absent", "星河智造的存货周转天数是多少？", status="insufficient_evidence"),
    )
    told: list[tuple[str, int, int]] = []
    report = measure([gold], settings, lambda *each: told.append(each))
    # kind, asked, right, cited, wrong when answered, status, on company and period, errors
    counts = ("57.1 % (4 of 7)", "66.7 % (2 of 3)", "50.0 % (3 of 6)")
    counts += ("100.0 % (7 of 7)", "100.0 % (6 of 6)")
    assert report.rows == (("reason", 7, *counts, 0), ("all", 7, *counts, 0))
    assert [miss.split()[0] for miss in report.misses] == ["lacks", "forbidden", "elsewhere", "few"]
    assert told[-1] == ("gold.jsonl", 7, 7)


def test_a_line_that_is_no_gold_is_named(tmp_path: Path) -> None:
    good = _row("one", "？", must=["a"])
    for bad in ({"id": "x"}, _row("x", "？", must=["("]), _row("x", "？", pages=[{"page": 1}])):
        path = _write(tmp_path / "gold.jsonl", good, bad)
        with pytest.raises(ConfigurationError, match="line 2 is no question"):
            read_tellings(path)
    assert is_telling(_write(tmp_path / "gold.jsonl", good))
    values = _write(tmp_path / "values.jsonl", {"id": "1", "question": "？", "value": 1})
    assert not is_telling(values)
