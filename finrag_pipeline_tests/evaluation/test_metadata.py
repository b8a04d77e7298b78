"""The measurement of metadata on a folder made for it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pymupdf
import pytest

from finrag_pipeline.errors import ConfigurationError
from finrag_pipeline.evaluation.reading.metadata import measure
from finrag_pipeline.settings import Settings
from finrag_pipeline_tests.stages.read_pages import PROSE, make_pdf, write

ROWS = (
    ("星河医药（603999.SH）", 120, 12),
    ("买入（维持）", 140, 10),
    ("目标价：32.50 元", 156, 10),
    ("2025年10月30日", 172, 10),
    ("分析师：王小明", 188, 10),
    ("执业证书编号：S0100523050002", 204, 10),
    (PROSE[:45], 300, 10),
    (PROSE[45:], 314, 10),
    ("星海证券 请务必阅读正文之后的免责声明", 820, 8),
)
GOLD: dict[str, Any] = {
    "file": "a.pdf",
    "kind": "stock",
    "has_text": True,
    "stock_code": "603999",
    "stock_name": "星河医药",
    "broker": "星海证券",
    "broker_full": "星海证券股份有限公司",
    "analysts": ["王小明"],
    "rating_original": "买入(Buy)",
    "target_price": 32.5,
    "publish_date": "2025-10-31",
    "eps_this_year": None,
    "in_text": {
        "stock_code": True,
        "stock_name": True,
        "broker": True,
        "analysts": [True],
        "rating_original": False,
        "target_price": True,
        "eps_this_year": None,
    },
}


def folder_of(path: Path, **changes: object) -> Path:
    """A folder with one report and its gold, changed as told."""

    def draw(target: pymupdf.Page) -> None:
        write(target, "订单回暖全年可期业绩超预期", (60, 80), 20)
        for text, y, size in ROWS:
            write(target, text, (60, y), size)

    make_pdf(path / "a.pdf", draw)
    (path / "metadata_gold.jsonl").write_text(json.dumps(GOLD | changes), encoding="utf-8")
    return path


def test_counts_every_field_that_the_gold_has(tmp_path: Path) -> None:
    report = measure(folder_of(tmp_path), Settings(workers=1))
    fields = ("code", "name", "broker", "analysts", "rating", "target price", "publication date")
    assert report.rows == tuple((field, "100.0 % (1 of 1)") for field in fields)
    assert report.misses == ()


def test_names_each_miss_and_leaves_out_what_is_not_printed(tmp_path: Path) -> None:
    in_text = GOLD["in_text"] | {"broker": False, "analysts": [False]}
    folder = folder_of(tmp_path, target_price=40.0, publish_date="2025-10-29", in_text=in_text)
    report = measure(folder, Settings(workers=1))
    rows = dict(report.rows)
    assert "broker" not in rows and "analysts" not in rows
    assert rows["code"] == "100.0 % (1 of 1)"
    assert rows["target price"] == rows["publication date"] == "0.0 % (0 of 1)"
    assert report.misses[0] == "a.pdf: target price: read 32.5, gold 40.0"


def test_refuses_a_folder_without_gold(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"no metadata_gold\.jsonl"):
        measure(tmp_path, Settings(workers=1))
