"""A store with three short documents, and questions over them."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from finrag_pipeline_tests.documents import simple_table
from finrag_pipeline_tests.query.conftest import AddDocument, add, engine

__all__ = ["add", "engine"]

MARGIN = "薄膜业务毛利率下降至31.5%，主要因原材料涨价。"
OUTPUT = "公司产能利用率保持在90%以上，新产线将于明年投产。"
DIVIDEND = "董事会建议每股派发现金红利0.85元。"
FORECAST = simple_table("盈利预测", [["指标", "2026E"], ["营业收入", "1,500"]], "百万元")

WriteQuestions = Callable[..., Path]


@pytest.fixture
def documents(add: AddDocument) -> None:
    """`a.pdf` of the margin (page 1) and output (page 2), `b.pdf` and the later `c.pdf`."""
    add("a1", [MARGIN, OUTPUT], source="a.pdf", tables=[FORECAST])
    add("b1", [DIVIDEND], source="b.pdf", company="澄光储能", code="301999.SZ")
    add("c1", ["海外订单增长，交付延后。"], source="c.pdf", published_on=date(2026, 4, 1))


@pytest.fixture
def write(tmp_path: Path) -> WriteQuestions:
    """Writes question files, one line a row."""

    def write(*rows: dict[str, Any], name: str = "questions.jsonl") -> Path:
        path = tmp_path / name
        path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))
        return path

    return write


def asking(question: str, source: str, page: int | None = None, **more: Any) -> dict[str, Any]:
    """A row of our own form; its id is the question unless another is given."""
    gold = (
        {"documents": [source]} if page is None else {"pages": [{"source": source, "page": page}]}
    )
    return {"id": question[:40], "question": question, **gold, **more}
