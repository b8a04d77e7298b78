"""The measure of relations from tables: what counts as right, wrong and missed."""

from __future__ import annotations

import json
from pathlib import Path

from finrag_pipeline.evaluation.graph.tables import read_labels, report
from finrag_pipeline.evaluation.reading.documents import ReadDocument
from finrag_pipeline_tests.stages.extraction.tables.made import OWN, table


def label(relations: list[list[str]], top: float = 100.0, page: int = 3) -> str:
    place = {"page": page, "bbox": [0.0, top, 900.0, top + 42.0]}
    rest = {"file": "a.pdf", "first_cell": "客户名称", "relations": relations, "half": "open"}
    return json.dumps(rest | place)


def test_directions_names_and_places_count(tmp_path: Path):
    labels = tmp_path / "labels.jsonl"
    supplied = ["@own", "supplies", "锐芯 股份"]
    lines = (
        label([supplied, ["远山股份", "supplies", "@own"]]),
        label([], top=600.0),
        label([], page=4),
    )
    labels.write_text("\n".join(lines), encoding="utf-8")
    made = table("前五名客户", "客户名称|销售额", "锐芯股份|12.5", "远山股份|9.9")
    document = ReadDocument(tmp_path / "a.pdf", metadata=OWN, tables=(made,))
    measured = report(read_labels(labels), tmp_path, [document])
    assert measured.rows == (
        ("open", "all", 3, "50.0 % (1 of 2)", "50.0 % (1 of 2)"),
        ("open", "looks alike", 2, "none", "none"),
        ("open", "states relations", 1, "50.0 % (1 of 2)", "50.0 % (1 of 2)"),
    )
    assert [line.split(":")[0] for line in measured.misses] == ["wrong", "missed"]
