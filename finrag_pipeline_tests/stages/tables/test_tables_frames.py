"""Frames that hold several tables, read from PDF files that the tests draw."""

from __future__ import annotations

from pathlib import Path

import pymupdf
import pytest

from finrag_pipeline.records import Table
from finrag_pipeline_tests.stages.read_pages import make_pdf, write
from finrag_pipeline_tests.stages.statement_files import YEARS, Made, draw_frame
from finrag_pipeline_tests.stages.table_files import (
    assert_covers_its_grid,
    draw_table,
    group,
    tables_of,
    texts,
)

TWO = (
    (Made("资产负债表"), Made("现金流量表")),
    (Made("利润表"), Made("主要财务比率")),
)
THREE = tuple(
    (Made(name, YEARS[1:], unit="RMB mn"),)
    for name in ("Balance Sheet", "Income Statement", "Cash Flow Statement")
)
ABOVE = (
    (Made("资产负债表", head="above"), Made("现金流量表", head="above")),
    (Made("利润表", head="above"), Made("主要财务比率", head="above")),
)
#: Years stand once, over the first table of each lane.
ONCE = (
    (Made("利润表"), Made("资产负债表", head="none")),
    (Made("主要财务比率"), Made("现金流量表", head="none")),
)
#: One lane looks further back than its neighbour.
UNEVEN = (
    (Made("资产负债表", ("2022A", *YEARS)),),
    (Made("利润表"), Made("现金流量表")),
)
STACK = ((Made("资产负债表"), Made("利润表"), Made("现金流量表")),)
FRAMES = {
    "two": TWO, "three": THREE, "above": ABOVE, "once": ONCE, "uneven": UNEVEN, "stack": STACK,
}  # fmt: skip


def assert_reads(table: Table, made: Made) -> None:
    """The table has the made one's name, years, labels and figures, and its unit."""
    assert (table.title or "").startswith(made.name)
    years = [year.removesuffix("A") for year in made.years]
    assert [column.period for column in table.periods] == years
    assert [column.column for column in table.periods] == list(range(1, len(years) + 1))
    body = [cell for cell in table.cells if not cell.header]
    first = min(cell.row for cell in body)
    rows = [[c.text for c in body if c.row == row] for row in range(first, first + len(made.body))]
    assert rows == made.body
    assert len({cell.row for cell in body}) == len(made.body)
    assert_covers_its_grid(table)


@pytest.mark.parametrize("rules", ["none", "lines", "all"])
@pytest.mark.parametrize("name", FRAMES)
@pytest.mark.parametrize("width", [515, 430])
def test_tables_in_one_frame_have_their_own_names_years_and_labels(
    tmp_path: Path, name: str, rules: str, width: float
) -> None:
    lanes = FRAMES[name]
    if len(lanes) == 1:
        width = width / 2

    def draw(target: pymupdf.Page) -> None:
        draw_frame(target, lanes, rules=rules, width=width)

    found = tables_of(make_pdf(tmp_path / "a.pdf", draw))
    made = [table for lane in lanes for table in lane]
    held = {
        next((m.name for m in made if (t.title or "").startswith(m.name)), ""): t for t in found
    }
    assert len(found) == len(made)
    for table in made:
        assert_reads(held[table.name], table)


def test_a_frame_of_the_layout_model_is_parted_too(tmp_path: Path) -> None:
    boxes: list[tuple[float, float, float, float]] = []

    def draw(target: pymupdf.Page) -> None:
        write(target, "附：财务预测摘要", (40, 108))
        boxes.append(draw_frame(target, TWO))
        write(target, "资料来源：公司公告", (40, boxes[0][3] + 10), 8)

    path = make_pdf(tmp_path / "b.pdf", draw)
    found = tables_of(path, group("table", boxes[0]))
    assert [(table.title or "")[:4] for table in found] == [
        "资产负债",
        "现金流量",
        "利润表（",
        "主要财务",
    ]
    assert {table.unit for table in found} == {"百万元"}
    assert {table.footnote for table in found} == {"资料来源：公司公告"}
    x0, _, x1, _ = boxes[0]
    for table in found:
        assert x0 - 1 <= table.bbox[0] and table.bbox[2] <= x1 + 1
        assert table.bbox[2] - table.bbox[0] < (x1 - x0) / 2 + 9


#: One table each, whatever repeats in it.
WHOLE = {
    "a rating between figures": [
        ["公司", "2024A", "评级", "2024A", "2025E"],
        ["甲公司", "1.10", "买入", "20.1", "18.3"],
        ["乙公司", "0.84", "增持", "31.5", "27.0"],
        ["丙公司", "2.31", "买入", "15.2", "13.1"],
        ["丁公司", "0.42", "买入", "44.8", "36.9"],
    ],
    "years repeated under two headings": [
        ["公司", "每股收益", "", "市盈率", ""],
        ["", "2024A", "2025E", "2024A", "2025E"],
        ["甲公司", "1.10", "1.25", "20.1", "18.3"],
        ["乙公司", "0.84", "0.93", "31.5", "27.0"],
        ["丙公司", "2.31", "2.60", "15.2", "13.1"],
    ],
    "two columns of labels": [
        ["业务", "指标", "2024A", "2025E"],
        ["药品", "收入", "120.5", "140.2"],
        ["", "毛利率", "41.0%", "42.5%"],
        ["器械", "收入", "80.1", "91.7"],
        ["", "毛利率", "35.2%", "36.0%"],
    ],
    "amounts that look like years": [
        ["资产负债表（百万元）", "2023A", "2024A", "2025E"],
        ["货币资金", "1984", "1888", "1932"],
        ["资本公积", "2095", "2092", "2044"],
        ["未分配利润", "1990", "1991", "1993"],
        ["负债合计", "2813", "2915", "2969"],
    ],
}  # fmt: skip


@pytest.mark.parametrize("name", WHOLE)
def test_one_table_stays_one(tmp_path: Path, name: str) -> None:
    rows = WHOLE[name]
    path = make_pdf(tmp_path / "a.pdf", lambda page: draw_table(page, rows, left=40, size=7))
    (table,) = tables_of(path)
    assert [[text for text in row if text] for row in texts(table)] == [
        [text for text in row if text] for row in rows
    ]


def test_items_and_amounts_printed_twice_side_by_side_are_two_tables(tmp_path: Path) -> None:
    left = [["项目", "金额"], ["货币资金", "120.5"], ["应收账款", "80.1"], ["存货", "63.0"]]
    right = [["项目", "金额"], ["短期借款", "30.2"], ["应付账款", "44.7"], ["预收款项", "12.9"]]
    rows = [[*one, *two] for one, two in zip(left, right, strict=True)]
    found = tables_of(make_pdf(tmp_path / "a.pdf", lambda page: draw_table(page, rows)))
    assert [texts(table) for table in found] == [left, right]


@pytest.mark.parametrize("off", [0, 5])
def test_a_label_of_two_lines_in_one_lane_names_its_row_alone(tmp_path: Path, off: float) -> None:
    """Its figures stand beside its middle or, with `off`, its last line; its neighbour has one."""
    left = ["货币资金", "应收账款", "存货", "固定资产", "资产总计", "负债合计"]
    right = [
        ["营业收入"],
        ["营业税金及", "附加"],
        ["销售费用"],
        ["归属母公司", "净利润"],
        ["每股收益"],
    ]
    tops = [130 + 22 * n for n in range(6)]

    def draw(target: pymupdf.Page) -> None:
        for x, name in ((40, "资产负债表"), (300, "利润表")):
            write(target, name, (x, 116), 7)
            for n, year in enumerate(YEARS):
                write(target, year, (x + 90 + 36 * n, 116), 7)
        for n, (top, label) in enumerate(zip(tops, left, strict=True)):
            write(target, label, (40, top), 7)
            for m in range(4):
                write(target, f"{100 * n + 7 * m + 100}", (130 + 36 * m, top), 7)
        for n, (top, lines) in enumerate(zip(tops, right, strict=False)):
            first = top - 4.5 * (len(lines) - 1)
            for m, line in enumerate(lines):
                write(target, line, (300, first + 9 * m), 7)
            shift = off if len(lines) > 1 else 0
            for m in range(4):
                write(target, f"{100 * n + 7 * m + 900}", (390 + 36 * m, top + shift), 7)

    found = tables_of(make_pdf(tmp_path / "a.pdf", draw))
    assert [[row[0] for row in texts(table)][1:] for table in found] == [
        left,
        ["".join(lines) for lines in right],
    ]


def test_years_on_a_band_are_no_part_of_the_first_row(tmp_path: Path) -> None:
    """Rules frame the rows; below a band there is none."""
    lanes = ((Made("利润表"), Made("资产负债表")), (Made("现金流量表"), Made("主要财务比率")))
    path = make_pdf(
        tmp_path / "a.pdf", lambda page: draw_frame(page, lanes, rules="bands") and None
    )
    found = tables_of(path)
    for made in (table for lane in lanes for table in lane):
        assert_reads(next(t for t in found if (t.title or "").startswith(made.name)), made)


def test_years_right_above_the_frame_of_a_table_are_its_head(tmp_path: Path) -> None:
    made = Made("利润表")
    rows = [["项目\\年度", *YEARS], *made.body]

    def draw(target: pymupdf.Page) -> None:
        draw_table(target, rows[1:], 200, left=20, size=8)
        for column, text in enumerate(rows[0]):
            write(target, text, (24 + 110 * column + (60 if column else 0), 194), 8)

    (table,) = tables_of(make_pdf(tmp_path / "a.pdf", draw))
    assert [column.period for column in table.periods] == ["2023", "2024", "2025E", "2026E"]
    assert texts(table)[1:] == made.body


def test_contacts_in_the_margin_are_no_labels(tmp_path: Path) -> None:
    contacts = ["证券分析师：张三", "电话：021-5566", "邮箱：zs@a.com", "编号：S0123456"]
    rows = [["", "", "2024A", "2025E"]]
    for contact, row in zip(contacts, Made("利润表").body, strict=False):
        rows.append([contact, *row[:3]])

    def draw(target: pymupdf.Page) -> None:
        for number, row in enumerate(rows):
            for column, text in enumerate(row):
                write(target, text, ((30, 240, 330, 420)[column], 210 + 18 * number), 8)

    path = make_pdf(tmp_path / "a.pdf", draw)
    (table,) = tables_of(path, group("table", (25, 200, 470, 290)))
    assert [row[0] for row in texts(table)][1:] == [row[1] for row in rows[1:]]


def test_running_feet_below_the_source_are_no_rows(tmp_path: Path) -> None:
    def draw(target: pymupdf.Page) -> None:
        *_, bottom = draw_frame(target, TWO)
        write(target, "资料来源：公司公告", (43, bottom + 12), 7)
        write(target, "请务必阅读正文之后的声明", (43, bottom + 30), 7)
        write(target, "证券研究报告", (400, bottom + 30), 7)
        write(target, "2", (548, bottom + 30), 7)

    path = make_pdf(tmp_path / "a.pdf", draw)
    found = tables_of(path, group("table", (40, 118, 555, 350)))
    assert len(found) == 4
    for lane, at in ((TWO[0], 0), (TWO[1], 2)):
        for made, table in zip(lane, found[at : at + 2], strict=True):
            assert_reads(table, made)
            assert table.footnote == "资料来源：公司公告"


def test_the_last_figures_of_a_lane_may_touch_the_labels_of_the_next(tmp_path: Path) -> None:
    left, right = Made("资产负债表"), Made("利润表")

    def draw(target: pymupdf.Page) -> None:
        for x, made in ((40, left), (240, right)):
            for n, row in enumerate([[made.name, *made.years], *made.body]):
                write(target, row[0], (x, 120 + 16 * n), 7)
                for m, text in enumerate(row[1:]):
                    length = pymupdf.get_text_length(text, "helv", 7)
                    at = (x + 108 + 30 * m - length, 120 + 16 * n)
                    target.insert_text(at, text, fontsize=7, fontname="helv")

    found = tables_of(make_pdf(tmp_path / "a.pdf", draw))
    assert [len(table.periods) for table in found] == [4, 4]
    assert_reads(found[0], left)
    assert_reads(found[1], right)
