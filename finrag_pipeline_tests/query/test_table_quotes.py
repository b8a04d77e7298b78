"""Rows of tables in words: what they stand under, and what their figures are counted in."""

from __future__ import annotations

from finrag_pipeline.query.evidence.keys import content_key
from finrag_pipeline.query.evidence.table import TableItem
from finrag_pipeline.records import Place

ROWS = [
    ["项目", "2023A", "2024A"],
    ["营业收入", "5,805", "6,671"],
    ["管理费用率", "17.2%", "17.0%"],
    ["每股收益（元）", "0.71", "0.88"],
    ["市盈率", "30", "26"],
    ["成长能力", "", ""],
    ["营业收入增长率", "10.2", "14.9"],
]


def test_rows_are_told_with_their_own_units_under_their_headings() -> None:
    cells = tuple(
        {"row": r, "column": c, "text": text, "header": r == 0, "bbox": [0, 0, 1, 1], "page": 1}
        for r, row in enumerate(ROWS)
        for c, text in enumerate(row)
    )
    key = content_key("table", "d1", "r1", 0)
    place = (Place(1, (0, 0, 1, 1)),)
    item = TableItem(key, "", "d1.pdf", place, caption="利润表", unit="百万元", cells=cells)
    assert [each.told for each in item.quotes("2024年各项是多少？")] == [
        "利润表：营业收入：2024A 6,671（百万元）",
        "利润表：管理费用率：2024A 17.0%",
        "利润表：每股收益（元）：2024A 0.88",
        "利润表：市盈率：2024A 26（倍）",
        "利润表：成长能力 营业收入增长率：2024A 14.9（%）",
    ]
