"""Heads of tables that no rules draw: bands over them, and groups of the same periods."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pymupdf
import pytest

from finrag_pipeline.records import Table
from finrag_pipeline.stages.tables.headers import header_paths
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
