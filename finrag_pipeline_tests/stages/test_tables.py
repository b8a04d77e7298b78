"""Tables read from real PDF files that the tests draw."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pymupdf
import pytest

from finrag_pipeline.records import Table
from finrag_pipeline.stages.pdf import read_pages
from finrag_pipeline.stages.tables import may_hold_tables, read_tables
from finrag_pipeline_tests.stages.pages import PROSE, make_pdf, write

ROWS = [
    ["项目", "2023A", "2024A", "2025E"],
    ["营业收入", "1,234.56", "2,345.67", "3,456.78"],
    ["营业成本", "(734.10)", "(1,045.00)", "(1,500.20)"],
    ["毛利率", "40.5%", "55.4%", "56.6%"],
    ["归母净利润", "-12.3", "45.6", "78.9"],
]


def draw_grid(
    target: pymupdf.Page, rows: list[list[str]], top: float, merged: bool = False
) -> None:
    """A ruled grid of columns 110 pt wide and rows 22 pt high, left edge 60."""
    bottom = top + 22 * len(rows)
    for n in range(len(rows) + 1):
        target.draw_line((60, top + 22 * n), (500, top + 22 * n))
    for n in range(5):
        start = top + 22 if merged and n in (2, 3) else top
        target.draw_line((60 + 110 * n, start), (60 + 110 * n, bottom))
    for r, row in enumerate(rows):
        for c, text in enumerate(row):
            write(target, text, (66 + 110 * c, top + 15 + 22 * r))


def tables_of(path: Path) -> tuple[Table, ...]:
    readings = read_pages(path, 1, 1)
    return read_tables(path, [(r.page, r.raw_layout) for r in readings])


def texts(table: Table) -> list[list[str]]:
    rows: dict[int, list[str]] = {}
    for cell in table.cells:
        rows.setdefault(cell.row, []).append(cell.text)
    return list(rows.values())


def assert_covers_its_grid(table: Table) -> None:
    slots = Counter(
        (cell.row + down, cell.column + right)
        for cell in table.cells
        for down in range(cell.row_span)
        for right in range(cell.column_span)
    )
    height = max(row for row, _ in slots) + 1
    width = max(column for _, column in slots) + 1
    assert slots == Counter({(r, c): 1 for r in range(height) for c in range(width)})


@pytest.fixture
def statement(tmp_path: Path) -> Path:
    def draw(target: pymupdf.Page) -> None:
        write(target, PROSE[:40], (60, 80))
        write(target, "表1：主要财务指标（单位：百万元）", (60, 190))
        draw_grid(target, ROWS, 200)
        write(target, "资料来源：公司公告", (60, 325), 9)
        write(target, PROSE[:40], (60, 420))

    return make_pdf(tmp_path / "a.pdf", draw)


def test_reads_cells_title_unit_and_source(statement: Path) -> None:
    (table,) = tables_of(statement)
    assert texts(table) == ROWS
    assert (table.page, table.ordinal) == (1, 0)
    assert table.title == "表1：主要财务指标（单位：百万元）"
    assert table.unit == "百万元"
    assert table.footnote == "资料来源：公司公告"
    assert table.header == ("项目", "2023A", "2024A", "2025E")
    assert_covers_its_grid(table)
    assert "1,234.56" in table.html and "1,234.56" not in table.markdown


def test_the_stored_layout_gives_what_the_model_gives(statement: Path) -> None:
    assert read_tables(statement, [(1, None)]) == tables_of(statement)
    assert may_hold_tables(read_pages(statement, 1, 1)[0])


def test_merged_header_cells_span_columns(tmp_path: Path) -> None:
    rows = [["指标", "", "历史与预测", ""], *ROWS]

    def draw(target: pymupdf.Page) -> None:
        draw_grid(target, rows, 200, merged=True)

    (table,) = tables_of(make_pdf(tmp_path / "a.pdf", draw))
    assert_covers_its_grid(table)
    spans = {cell.text: cell.column_span for cell in table.cells}
    assert spans["历史与预测"] == 3
    assert 'colspan="3"' in table.html


def test_markup_in_a_cell_stays_text(tmp_path: Path) -> None:
    rows = [*ROWS, ["<b>x</b>", "1", "2", "3"]]
    (table,) = tables_of(make_pdf(tmp_path / "a.pdf", lambda page: draw_grid(page, rows, 200)))
    assert "<b>" not in table.html and "&lt;b&gt;" in table.html


def test_a_rotated_page_reads_the_same(statement: Path, tmp_path: Path) -> None:
    turned = tmp_path / "turned.pdf"
    with pymupdf.open(statement) as document:
        page = document[0]
        # sideways content under a page turned back: the reader sees it upright
        sheet = pymupdf.open()
        target = sheet.new_page(width=842, height=595)
        target.show_pdf_page(target.rect, document, page.number, rotate=90)
        target.set_rotation(90)
        sheet.save(turned)
    (table,) = tables_of(turned)
    assert texts(table) == ROWS


def test_a_frame_around_text_is_no_table(tmp_path: Path) -> None:
    def draw(target: pymupdf.Page) -> None:
        target.draw_rect((50, 150, 545, 400))
        target.draw_line((50, 180), (545, 180))
        write(target, "投资要点", (60, 170))
        for row in range(8):
            write(target, PROSE[:44], (60, 200 + 18 * row))

    assert tables_of(make_pdf(tmp_path / "a.pdf", draw)) == ()


def test_a_page_without_tables_gives_none(tmp_path: Path) -> None:
    assert (
        tables_of(make_pdf(tmp_path / "a.pdf", lambda page: write(page, PROSE[:40], (60, 90))))
        == ()
    )
