"""Cells that touch: what a producer prints as one word over a rule is read as two texts."""

from __future__ import annotations

from pathlib import Path

import pymupdf
import pytest

from finrag_pipeline_tests.stages.read_pages import PROSE, make_pdf, write
from finrag_pipeline_tests.stages.table_files import HIGH, LEFT, WIDE, draw_table, tables_of, texts

HEADER = ["主要产品", "单位", "生产量", "销售量"]
#: Points of a Chinese character of the size that rows are printed in.
SIZE = 9.0


def touching(path: Path, words: list[str], top: float = 200) -> Path:
    """A ruled table whose last row prints the texts of two cells as one word over their rule."""

    def draw(target: pymupdf.Page) -> None:
        write(target, PROSE[:40], (60, 80))
        draw_table(
            target, [HEADER, ["液体乳", "吨", "9,527", "9,494"], ["冷饮产品", "", "", ""]], top
        )
        y = top + 2 * HIGH + 14
        for column, word in enumerate(words, 1):
            # what stands before the digits ends right at the rule
            lead = sum(SIZE for each in word if not each.isascii())
            write(target, word, (LEFT + (column + 1) * WIDE - lead, y), SIZE)

    return make_pdf(path, draw)


def test_a_unit_and_the_figure_beside_it_are_two_cells(tmp_path: Path) -> None:
    (table,) = tables_of(touching(tmp_path / "a.pdf", ["吨644,407"]))
    assert texts(table)[-1][:3] == ["冷饮产品", "吨", "644,407"]


@pytest.mark.parametrize("figure", ["12,345,678.90", "0.1234567891"])
def test_a_figure_too_wide_for_its_column_stays_whole(tmp_path: Path, figure: str) -> None:
    def draw(target: pymupdf.Page) -> None:
        write(target, PROSE[:40], (60, 80))
        rows = [["项目", "2024A", "2025A"], ["收入", "1.0", "2.0"], ["利润", "", "3.0"]]
        draw_table(target, rows, 200)
        x = LEFT + 2 * WIDE - SIZE
        write(target, figure, (x - 20, 200 + 2 * HIGH + 14), SIZE)

    (table,) = tables_of(make_pdf(tmp_path / "a.pdf", draw))
    assert any(figure in cell for cell in texts(table)[-1]), texts(table)


def test_a_table_whose_columns_are_set_anew_overleaf_goes_on(tmp_path: Path) -> None:
    """The same template makes the columns of each page by what they hold; the sides stay."""
    with pymupdf.open() as document:
        first = document.new_page(width=595, height=842)
        write(first, PROSE[:40], (60, 300))
        write(first, "产销量情况", (60, 690))
        _ruled(first, 700, (60, 160, 260, 360, 460), [HEADER, ["液体乳", "吨", "9,527", "9,494"]])
        second = document.new_page(width=595, height=842)
        _ruled(second, 90, (60, 260, 320, 390, 460), [["冷饮产品", "吨", "644,407", "597,539"]] * 2)
        write(second, PROSE[:40], (60, 500))
        document.save(tmp_path / "a.pdf")
    (table,) = tables_of(tmp_path / "a.pdf")
    assert texts(table) == [
        HEADER,
        ["液体乳", "吨", "9,527", "9,494"],
        ["冷饮产品", "吨", "644,407", "597,539"],
        ["冷饮产品", "吨", "644,407", "597,539"],
    ]


def _ruled(page: pymupdf.Page, top: float, edges: tuple[float, ...], rows: list[list[str]]) -> None:
    bottom = top + HIGH * len(rows)
    for x in edges:
        page.draw_line((x, top), (x, bottom))
    for number in range(len(rows) + 1):
        page.draw_line((edges[0], top + HIGH * number), (edges[-1], top + HIGH * number))
    for number, row in enumerate(rows):
        for x, text in zip(edges, row, strict=False):
            write(page, text, (x + 4, top + HIGH * number + 14), SIZE)
