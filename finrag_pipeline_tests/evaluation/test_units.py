"""The measurement of units by labels, on tables made for it."""

from __future__ import annotations

import json
from pathlib import Path

import pymupdf
import pytest

from finrag_pipeline.errors import ConfigurationError, SourceUnavailable
from finrag_pipeline.evaluation.reading.units import LabelledUnits, UnitLabels, measure, report
from finrag_pipeline.records import Cell, Table
from finrag_pipeline.settings import Settings
from finrag_pipeline.stages.tables.headers import with_header
from finrag_pipeline_tests.stages.read_pages import make_pdf
from finrag_pipeline_tests.stages.table_files import draw_table

ROWS = [
    ["项目", "2024A", "2025E"],
    ["营业收入（亿元）", "5.8", "6.7"],
    ["毛利率", "42.4%", "43.2%"],
    ["每股收益", "0.7", "0.8"],
    ["试剂", "1.5", "2.5"],
]
TABLE = Table(
    0,
    1,
    (0, 0, 1, 1),
    with_header([Cell(r, c, t) for r, row in enumerate(ROWS) for c, t in enumerate(row)]),
)


def page(**units: object) -> LabelledUnits:
    return LabelledUnits.model_validate({"file": "a.pdf", "page": 1, "half": "open", **units})


def test_rows_count_by_their_worst_figure_and_signs_apart() -> None:
    rows = {"亿元": ["营业收入（亿元）"], "%": ["毛利率"], "元/股": ["每股收益"], "倍": ["试剂"]}
    found = report([page(rows=rows)], {"a.pdf": [TABLE]})
    assert found.rows == (
        ("open", "without", "3", "2", "0", "1", "66.7 % (2 of 3)"),
        ("open", "with their sign", "1", "1", "0", "0", "100.0 % (1 of 1)"),
    )
    (miss,) = found.misses
    assert "试剂 > 2024A: 1.5 is none, not 倍" in miss


def test_columns_go_before_rows_and_the_rest_is_every_other_row() -> None:
    labels = page(columns={"%": ["2025E"]}, rows={"": ["试剂"]}, rest="亿元")
    (without, signed) = report([labels], {"a.pdf": [TABLE]}).rows
    assert (without[2:6], signed[2:6]) == (("3", "0", "2", "1"), ("1", "0", "1", "0"))


def test_files_below_a_folder_are_read_and_missing_ones_named(tmp_path: Path) -> None:
    def draw(target: pymupdf.Page) -> None:
        draw_table(target, ROWS)

    make_pdf(tmp_path / "a.pdf", draw)
    labels = tmp_path / "labels.json"
    labels.write_text(
        UnitLabels(pages=(page(rows={"亿元": ["营业收入（亿元）"]}),)).model_dump_json()
    )
    found = measure(tmp_path, labels, Settings(_env_file=None, workers=1))  # type: ignore[call-arg]
    assert found.rows[0][2:4] == ("1", "1")
    labels.write_text(json.dumps({"pages": [{"file": "b.pdf", "page": 1, "half": "open"}]}))
    with pytest.raises(SourceUnavailable, match=r"b\.pdf"):
        measure(tmp_path, labels, Settings(_env_file=None))  # type: ignore[call-arg]
    labels.write_text("{}")
    with pytest.raises(ConfigurationError, match="holds no labels"):
        measure(tmp_path, labels, Settings(_env_file=None))  # type: ignore[call-arg]
