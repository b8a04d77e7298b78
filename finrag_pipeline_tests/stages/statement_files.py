"""Draws frames of statements as broker reports print them: side by side, stacked, with one head."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pymupdf

#: Years of a report: what was, and what is expected.
YEARS = ("2023A", "2024A", "2025E", "2026E")
#: Labels of made statements, by name.
LINES = {
    "资产负债表": (
        "货币资金",
        "应收账款",
        "存货",
        "流动资产合计",
        "固定资产",
        "资产总计",
        "负债合计",
        "负债和股东权益总计",
    ),
    "利润表": ("营业收入", "营业成本", "销售费用", "营业利润", "利润总额", "净利润"),
    "现金流量表": (
        "经营活动现金流",
        "资本支出",
        "投资活动现金流",
        "筹资活动现金流",
        "现金净增加额",
    ),
    "主要财务比率": ("毛利率", "净利率", "资产负债率", "每股收益（元）", "P/E", "EV/EBITDA"),
    "Balance Sheet": ("Cash", "Receivables", "Inventories", "Total assets", "Total liabilities"),
    "Income Statement": ("Revenue", "Cost of sales", "Operating profit", "Net profit"),
    "Cash Flow Statement": ("Operating cash flow", "Capex", "Net change in cash"),
}


@dataclass(frozen=True)
class Made:
    """A made table: its name, where the name is printed, its years and its rows.

    `head` is ``row`` where the name begins the row of years, ``above`` where it stands in a row
    over them beside a unit, ``none`` where years are printed over another table alone.
    """

    name: str
    years: tuple[str, ...] = YEARS
    head: str = "row"
    unit: str = "百万元"

    @property
    def body(self) -> list[list[str]]:
        """Labels and figures; every figure of a page is another one."""
        start = 1000 * (1 + list(LINES).index(self.name))
        return [
            [label, *(f"{start + 97 * row + 11 * year:,}" for year in range(len(self.years)))]
            for row, label in enumerate(LINES[self.name])
        ]

    def rows(self) -> list[list[str]]:
        """All rows as printed, the name and the years with them."""
        blank = [""] * len(self.years)
        unit = f" ({self.unit})" if self.name.isascii() else f"（{self.unit}）"
        if self.head == "row":
            top = [[self.name + unit, *self.years]]
        elif self.head == "above":
            top = [
                [self.name, *blank[1:], f"单位:{self.unit}"],
                ["会计年度", *self.years],
            ]
        else:
            top = [[self.name, *blank]]
        return [*top, *self.body]


def draw_frame(
    target: pymupdf.Page,
    lanes: Sequence[Sequence[Made]],
    *,
    rules: str = "none",
    top: float = 120,
    left: float = 40,
    width: float = 515,
    high: float = 14,
    gap: int = 1,
) -> tuple[float, float, float, float]:
    """Draw tables side by side, those of a lane under one another, a blank row between them.

    Args:
        target: an A4 page.
        lanes: tables from the left, each lane from the top.
        rules: ``all`` for a frame around every cell, ``bands`` for the same with a filled band
            behind each head and no rule below it, ``lines`` for a rule under each head, ``none``.
        top: of the frame.
        left: of the frame.
        width: of the frame.
        high: of a row.
        gap: blank rows between tables of a lane.

    Returns:
        The box of the frame.
    """
    wide = width / len(lanes)
    size_pt = min(7.0, wide / 33)
    columns: list[list[list[str]]] = []
    for lane in lanes:
        size = len(lane[0].years) + 1
        rows: list[list[str]] = []
        for made in lane:
            rows += [[""] * size] * (gap if rows else 0) + made.rows()
        columns.append(rows)
    count = max(map(len, columns))
    bottom = top + high * count
    for at, rows in enumerate(columns):
        x = left + at * wide
        size = len(rows[0])
        first = 0.44 * wide
        step = (wide - first - 8) / (size - 1)
        edges = [x, *(x + first + step * n for n in range(size))]
        for number, row in enumerate(rows):
            if rules == "bands" and row[-1] in YEARS:
                y = top + high * number
                target.draw_rect((x, y, x + wide, y + high), color=None, fill=(0.9, 0.8, 0.6))
            base = top + high * number + 0.7 * high
            for column, text in enumerate(row):
                # letters of the Chinese font are as wide as its characters
                font = "helv" if text.isascii() else "china-s"
                length = pymupdf.get_text_length(text, font, size_pt)
                start = edges[column + 1] - 3 - length if column else x + 3
                target.insert_text((start, base), text, fontsize=size_pt, fontname=font)
            if rules == "lines" and len(row) > 1 and row[1] in YEARS:
                y = top + high * (number + 1)
                target.draw_line((x, y), (edges[-1], y))
        if rules in ("all", "bands"):
            for edge in [*edges[:-1], x + wide]:
                target.draw_line((edge, top), (edge, bottom))
        for number in range(len(rows) + 1 if rules in ("all", "bands") else 0):
            y = top + high * number
            if rules == "all" or not number or rows[number - 1][-1] not in YEARS:
                target.draw_line((x, y), (x + wide, y))
    return (left, top, left + width, bottom)
