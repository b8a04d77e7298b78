"""Heads of tables that no rules draw: bands over them, and groups of the same periods."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pymupdf
import pytest

from finrag_pipeline.records import Cell, Table
from finrag_pipeline.stages.tables.headers import header_paths, with_header
from finrag_pipeline.stages.tables.reading import read_tables
from finrag_pipeline_tests.stages.read_pages import make_pdf, write
from finrag_pipeline_tests.stages.table_files import tables_of, texts


def right(target: pymupdf.Page, text: str, end: float, y: float) -> None:
    write(target, text, (end - pymupdf.get_text_length(text, "china-s", 9), y), 9)


def band(target: pymupdf.Page, edges: list[float], levels: list[float]) -> None:
    """Cells on a dark ground, parted by white lines."""
    box = (edges[0], levels[0], edges[-1], levels[-1])
    target.draw_rect(box, color=None, fill=(0.75, 0, 0))
    for x in edges:
        target.draw_line((x, levels[0]), (x, levels[-1]), color=(1, 1, 1))
    for y in levels:
        target.draw_line((edges[0], y), (edges[-1], y), color=(1, 1, 1))


@pytest.fixture
def banded(tmp_path: Path) -> tuple[Table, ...]:
    """A slide: years and companies on a dark band, two tables side by side under it."""
    edges: list[float] = [60, 140, 210, 280, 370, 440, 510]
    years = ["", "2020", "2021", "", "2020", "2021"]
    names = ["", "甲眼科", "甲眼科", "", "乙眼科", "丙眼科"]
    rows = [
        ["收入（百万）", "727.43", "957.57", "收入（百万）", "177.32", "201.28"],
        ["手术量（例）", "83847", "107321", "手术量（例）", "10756", "13032"],
        ["单价（元）", "8675.66", "8922.45", "单价（元）", "16485.6", "15445.1"],
        ["毛利率", "47.94%", "48.94%", "毛利率", "52.93%", "46.58%"],
    ]

    def draw(target: pymupdf.Page) -> None:
        band(target, edges, [120, 134, 148])
        for n, held in enumerate((years, names)):
            for x, text in zip(edges[1:], held, strict=True):
                right(target, text, x - 3, 131 + 14 * n)
        for n, row in enumerate(rows):
            for at, end, text in zip(edges, edges[1:], row, strict=False):
                y = 160 + 16 * n
                if text[0].isdigit():
                    right(target, text, end - 2, y)
                else:
                    write(target, text, (at + 1, y), 9)

    return tables_of(make_pdf(tmp_path / "a.pdf", draw))


def test_a_drawn_band_heads_the_rows_under_it(banded: tuple[Table, ...]) -> None:
    left, other = banded
    assert texts(left)[:2] == [["", "2020", "2021"], ["", "甲眼科", "甲眼科"]]
    assert texts(other)[:2] == [["", "2020", "2021"], ["", "乙眼科", "丙眼科"]]
    assert all(cell.header for each in banded for cell in each.cells if cell.row < 2)
    assert texts(left)[3] == ["手术量（例）", "83847", "107321"]
    assert texts(other)[3] == ["手术量（例）", "10756", "13032"]


@pytest.mark.parametrize("groups", [("EPS", "PE"), ("每股收益", "市盈率", "市净率")])
def test_a_head_over_periods_that_come_again_is_of_all_of_them(
    tmp_path: Path, groups: tuple[str, ...]
) -> None:
    periods = ["24A", "25E", "26E", "27E"][: 4 if len(groups) == 2 else 3]
    figures = [f"{n + 1}.{n}{n}" for n in range(len(groups) * len(periods))]

    def draw(target: pymupdf.Page) -> None:
        target.draw_line((56, 112), (560, 112))
        target.draw_line((56, 146), (560, 146))
        write(target, "公司", (64, 132), 9)
        for number, group in enumerate(groups):
            first = 150 + 40 * len(periods) * number
            middle = first + 40 * len(periods) / 2
            write(target, group, (middle - 4.5 * len(group) / 1.2, 122), 9)
            for n, each in enumerate(periods):
                right(target, each, first + 40 * n + 30, 140)
        for n, name in enumerate(("诺唯赞", "药康生物", "百普赛斯")):
            write(target, name, (64, 160 + 14 * n), 9)
            for at, each in enumerate(figures):
                right(target, each, 150 + 40 * at + 30, 160 + 14 * n)
        target.draw_line((56, 194), (560, 194))

    (table,) = tables_of(make_pdf(tmp_path / "a.pdf", draw))
    heads, named, *rows = texts(table)
    assert [each for each in heads if each and each != "公司"] == list(groups)
    spans = {cell.text: cell.column_span for cell in table.cells if cell.text in groups}
    assert spans == dict.fromkeys(groups, len(periods))
    assert [each for each in named if each and each != "公司"] == periods * len(groups)
    assert rows[0] == ["诺唯赞", *figures]


def test_a_line_of_a_head_stands_under_no_other_head(tmp_path: Path) -> None:
    """Converters draw each line of a head as a row of its own, with heads beside their figures."""
    edges: list[float] = [40, 96, 190, 224, 280, 350, 384, 440]
    heads = [
        ["项目名称", "本期期末数", "", "本期末占", "上期期末数", "", "上期末占"],
        ["", "", "", "总资产", "", "", "总资产"],
        ["", "", "", "的比例", "", "", "的比例"],
        ["", "", "", "（%）", "", "", "（%）"],
    ]
    rows = [
        ["应收票据", "149,872,397.37", "0.30", "", "325,831,647.59", "0.74", ""],
        ["其他应收款", "66,413,247.50", "0.13", "", "438,253,339.88", "1.00", ""],
        ["在建工程", "1,687,525,956.97", "3.37", "", "1,100,994,714.83", "2.51", ""],
        ["开发支出", "3,837,558,941.33", "7.65", "", "2,492,549,260.85", "5.69", ""],
    ]

    def draw(target: pymupdf.Page) -> None:
        for n, row in enumerate([*heads, *rows]):
            top = 200 + 15 * n
            for (x0, x1), text in zip(pairwise(edges), row, strict=True):
                target.draw_rect((x0, top, x1, top + 15), width=0.5)
                if text[:1].isdigit():
                    length = pymupdf.get_text_length(text, fontsize=8)
                    target.insert_text((x1 - 1 - length, top + 11), text, fontsize=8)
                elif text:
                    write(target, text, (x0 + 2, top + 11), 9)

    (table,) = tables_of(make_pdf(tmp_path / "a.pdf", draw))
    paths = header_paths(table.cells)
    assert [paths[column] for column in (1, 2, 3, 4)] == [
        ("本期期末数",),
        ("本期末占", "总资产", "的比例", "（%）"),
        ("上期期末数",),
        ("上期末占", "总资产", "的比例", "（%）"),
    ]


def test_heads_in_a_filled_band_are_the_first_row_of_the_body_under_it(
    tmp_path: Path,
) -> None:
    edges: list[float] = [60, 240, 330, 420, 500]
    heads = ["", "Sept. 30, 2025", "Sept. 30, 2024", "Change"]
    rows = [
        ["Annual recurring revenue", "$612.4", "$493.9", "24.0%"],
        ["Net revenue retention", "112%", "109%", "3 pts"],
        ["Customers above $100,000", "1,284", "1,079", "19.0%"],
        ["Total customers", "5,930", "5,412", "9.6%"],
    ]

    def draw(target: pymupdf.Page) -> None:
        for left, end in pairwise(edges):
            target.draw_rect((left, 120, end, 135), color=None, fill=(0.1, 0.2, 0.3))
        for n in range(len(rows) + 1):
            target.draw_line((edges[0], 135 + 16 * n), (edges[-1], 135 + 16 * n), width=0.5)
        for x in edges:
            target.draw_line((x, 135), (x, 135 + 16 * len(rows)), width=0.5)
        for n, row in enumerate([heads, *rows]):
            for at, text in enumerate(row):
                place = (edges[at] + 3, 131 + 16 * n)
                target.insert_text(place, text, fontsize=9, color=(1, 1, 1) if n == 0 else None)

    path = make_pdf(tmp_path / "a.pdf", draw)
    box = {"class_name": "table", "group_bbox": (62, 122, 498, 135 + 16 * len(rows))}
    (table,) = read_tables(path, [(1, [box])])
    assert texts(table) == [heads, *rows]
    assert table.header == tuple(heads[1:])


def test_heads_in_a_band_may_stand_in_two_lines_beside_one(tmp_path: Path) -> None:
    edges: list[float] = [60, 110, 180, 250, 340]
    heads = [["序号"], ["厂房名", "称"], ["生产", "基地"], ["产能（万片/月）"]]
    rows = [
        ["1", "FAB7", "天津", "18"],
        ["2", "FABS1", "上海", "13.5"],
        ["3", "FAB15", "深圳", "7"],
    ]

    def draw(target: pymupdf.Page) -> None:
        target.draw_rect((edges[0], 110, edges[-1], 135), color=None, fill=(0.75, 0.75, 0.75))
        for at, lines in enumerate(heads):
            for n, line in enumerate(lines):
                write(target, line, (edges[at] + 3, (126 if len(lines) == 1 else 120) + 12 * n), 9)
        for n in range(len(rows) + 1):
            target.draw_line((edges[0], 135 + 16 * n), (edges[-1], 135 + 16 * n), width=0.5)
        for x in edges:
            target.draw_line((x, 135), (x, 135 + 16 * len(rows)), width=0.5)
        for n, row in enumerate(rows):
            for at, text in enumerate(row):
                write(target, text, (edges[at] + 3, 147 + 16 * n), 9)

    path = make_pdf(tmp_path / "a.pdf", draw)
    box = {"class_name": "table", "group_bbox": (62, 112, 338, 135 + 16 * len(rows))}
    (table,) = read_tables(path, [(1, [box])])
    assert texts(table) == [["".join(lines) for lines in heads], *rows]


def test_a_label_in_the_middle_of_two_rows_of_heads_parts_neither(tmp_path: Path) -> None:
    edges: list[float] = [60, 180, 240, 300, 360, 420]
    rows = [
        ["制造业", "58,426", "1.42", "51,280", "1.68"],
        ["建筑业", "21,307", "1.58", "19,865", "1.44"],
    ]

    def draw(target: pymupdf.Page) -> None:
        for n, y in enumerate((100, 118, 136, 154, 172)):
            target.draw_line((edges[0] if n != 1 else edges[1], y), (edges[-1], y), width=0.5)
        for n, x in enumerate(edges):
            target.draw_line((x, 118 if n in (2, 4) else 100), (x, 172), width=0.5)
        write(target, "行业", (90, 121), 9)
        write(target, "2024年末", (220, 112), 9)
        write(target, "2023年末", (340, 112), 9)
        for at, text in enumerate(("余额", "不良率") * 2):
            write(target, text, (edges[at + 1] + 4, 131), 9)
        for n, row in enumerate(rows):
            for at, text in enumerate(row):
                write(target, text, (edges[at] + 4, 149 + 18 * n), 9)

    (table,) = tables_of(make_pdf(tmp_path / "a.pdf", draw))
    paths = header_paths(table.cells)
    assert paths[2] == ("2024年末", "不良率")
    assert paths[4] == ("2023年末", "不良率")


def test_the_first_word_of_a_head_goes_back_to_it() -> None:
    heads = [("", 0), ("Three months ended June 30, Six", 1), ("months ended June 30,", 3)]
    cells = [Cell(0, column, text, None, 1, 1 + bool(text)) for text, column in heads]
    cells += [Cell(1, n, text, None) for n, text in enumerate(("", "2025", "2024", "2025", "2024"))]
    cells += [
        Cell(2, n, text, None) for n, text in enumerate(("Sales", "6.1", "5.2", "12.1", "10.4"))
    ]
    paths = header_paths(with_header(cells))
    assert paths[1] == ("Three months ended June 30,", "2025")
    assert paths[3] == ("Six months ended June 30,", "2025")
