"""The measure of single figures tells right, wrong and missing apart."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from finrag_pipeline.errors import SourceUnavailable
from finrag_pipeline.evaluation.facts.figures import compare
from finrag_pipeline.evaluation.facts.gold import read_gold
from finrag_pipeline_tests.stages.facts.made_filings import facts_of, table

MAIN = """|2024年|2023年
营业收入（元）|3,000.50|2,500.00
归属于上市公司股东的净利润（元）|300.00|250.00
基本每股收益（元/股）|0.30|0.25"""


def _gold(folder: Path, *rows: dict[str, object]) -> Path:
    path = folder / "gold.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    return path


def test_a_gold_is_compared_by_kind(tmp_path: Path) -> None:
    base: dict[str, object] = {"file": "made.pdf", "period": "2024", "kind": "main"}
    gold = _gold(
        tmp_path,
        base | {"metric": "revenue", "value": 3000.50, "page": 1},
        base | {"metric": "eps", "value": "0.31"},
        base | {"metric": "total_assets", "value": "9"},
        base | {"metric": "revenue", "value": None, "scope": "parent", "kind": "absent"},
    )
    report = compare(read_gold(gold), {"made.pdf": facts_of([table(MAIN, None, None)])})
    rows = {row[0]: row[1:] for row in report.rows}
    third = "33.3 % (1 of 3)"
    assert rows["main"] == (3, third, "100.0 % (1 of 1)", third, third)
    assert rows["absent"][1] == "100.0 % (1 of 1)"
    assert rows["all"][0] == 4
    assert len(report.misses) == 2


@pytest.mark.parametrize("wrong", [{"period": "2024X"}, {"value": "much"}, {"metric": None}])
def test_a_gold_that_is_none_says_where(tmp_path: Path, wrong: dict[str, object]) -> None:
    row = {"file": "made.pdf", "metric": "revenue", "period": "2024", "value": "1"} | wrong
    if row["metric"] is None:
        del row["metric"]
    with pytest.raises(SourceUnavailable, match="line 1"):
        read_gold(_gold(tmp_path, row))
