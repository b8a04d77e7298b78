"""Tables read from one page of real PDF files that the tests draw."""

from __future__ import annotations

import re
from pathlib import Path

import pymupdf
import pytest

from finrag_pipeline.records import Table
from finrag_pipeline.stages.pages.pdf import read_pages
from finrag_pipeline.stages.tables.reading import read_tables
from finrag_pipeline_tests.stages.read_pages import PROSE, make_pdf, write
from finrag_pipeline_tests.stages.table_files import (
    HIGH,
    LEFT,
    ROWS,
    WIDE,
    assert_covers_its_grid,
    draw_table,
    group,
    tables_of,
    texts,
)


def draw_statement(target: pymupdf.Page, ruled: bool = True) -> None:
    write(target, PROSE[:40], (60, 80))
    write(target, "表1：主要财务指标（单位：百万元）", (60, 190))
    draw_table(target, ROWS, 200, ruled=ruled)
    write(target, "资料来源：公司公告", (60, 325), 9)
    write(target, PROSE[:40], (60, 420))


@pytest.fixture
def statement(tmp_path: Path) -> Path:
    return make_pdf(tmp_path / "a.pdf", draw_statement)


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


def test_cells_have_the_page_and_box_they_are_printed_in(statement: Path) -> None:
    (table,) = tables_of(statement)
    (place,) = table.places
    assert (place.page, place.bbox) == (1, table.bbox)
    for cell in table.cells:
        assert cell.page == 1
        x0, y0 = LEFT + WIDE * cell.column, 200 + HIGH * cell.row
        assert cell.bbox == pytest.approx((x0, y0, x0 + WIDE, y0 + HIGH), abs=1)


def test_the_layout_model_changes_nothing_about_a_ruled_table(statement: Path) -> None:
    (reading,) = read_pages(statement, 1, 1)
    (table,) = read_tables(statement, [(1, reading.raw_layout)])
    assert any(box.kind == "table" for box in reading.layout)
    assert table == tables_of(statement)[0]


def test_figures_without_rules_form_a_table(tmp_path: Path) -> None:
    path = make_pdf(tmp_path / "a.pdf", lambda page: draw_statement(page, ruled=False))
    (table,) = tables_of(path)
    assert texts(table) == ROWS
    assert table.title == "表1：主要财务指标（单位：百万元）"
    assert table.footnote == "资料来源：公司公告"


def test_white_space_or_the_model_draw_the_grid_in_a_layout_box(tmp_path: Path) -> None:
    names = [["产品", "用途"], ["试剂", "科研"], ["抗体", "检测"], ["蛋白", "药物开发"]]

    def draw(target: pymupdf.Page) -> None:
        draw_table(target, names, 200, ruled=False)

    path = make_pdf(tmp_path / "a.pdf", draw)
    assert tables_of(path) == ()  # words alone, without rules: only the model can tell
    box = (LEFT, 200, LEFT + 2 * WIDE, 200 + 4 * HIGH)
    (spaced,) = tables_of(path, group("table", box))
    assert texts(spaced) == names
    (drawn,) = tables_of(path, group("table", box, h_lines=[22, 44, 66], v_lines=[WIDE]))
    assert texts(drawn) == names
    assert drawn.cells[0].bbox == pytest.approx((LEFT, 200, LEFT + WIDE, 222))


def test_a_layout_box_over_two_text_columns_loses_the_running_text(tmp_path: Path) -> None:
    narrow = [row[:3] for row in ROWS + ROWS[1:] + ROWS[1:2]]

    def draw(target: pymupdf.Page) -> None:
        for number, row in enumerate(narrow):
            for column, text in enumerate(row):
                target.insert_text(
                    (50 + 80 * column, 210 + 20 * number), text, fontsize=9, fontname="china-ss"
                )
        for number in range(16):
            write(target, PROSE[:24], (310, 208 + 12.5 * number), 9)

    path = make_pdf(tmp_path / "a.pdf", draw)
    rules = {"h_lines": [20.0 * n for n in range(1, 10)], "v_lines": [75.0, 155.0, 255.0]}
    (table,) = tables_of(path, group("table", (45, 195, 535, 405), **rules))
    assert texts(table) == narrow
    assert table.bbox[2] < 310


def test_merged_cells_span_columns_and_rows(tmp_path: Path) -> None:
    rows = [
        ["指标", "历史", "", "预测"],
        ["", "2023A", "2024A", "2025E"],
        ["收入", "1.5", "2.5", "3.5"],
        ["成本", "1.0", "2.0", "3.0"],
    ]
    spans = {(0, 0): (2, 1), (0, 1): (1, 2)}
    path = make_pdf(tmp_path / "a.pdf", lambda page: draw_table(page, rows, spans=spans))
    (table,) = tables_of(path)
    assert_covers_its_grid(table)
    held = {cell.text: (cell.row_span, cell.column_span) for cell in table.cells}
    assert held["指标"] == (2, 1) and held["历史"] == (1, 2) and held["预测"] == (1, 1)
    assert table.html.startswith(
        '<table><thead><tr><th rowspan="2">指标</th><th colspan="2">历史</th><th>预测</th></tr>'
        "<tr><th>2023A</th><th>2024A</th><th>2025E</th></tr></thead>"
    )


@pytest.mark.parametrize(("columns", "underlined"), [(2, False), (2, True), (3, True)])
def test_a_heading_without_a_frame_spans_what_it_stands_over_or_underlines(
    tmp_path: Path, columns: int, underlined: bool
) -> None:
    def draw(target: pymupdf.Page) -> None:
        draw_table(target, ROWS, 200, ruled=False)
        middle = LEFT + (1 + columns / 2) * WIDE
        write(target, "历史数据", (middle - 20, 192))
        if underlined:
            start = LEFT + WIDE + 5
            target.draw_line((start, 197), (start + columns * WIDE - 10, 197))

    (table,) = tables_of(make_pdf(tmp_path / "a.pdf", draw))
    assert_covers_its_grid(table)
    (heading,) = [cell for cell in table.cells if cell.text == "历史数据"]
    assert heading.header
    assert (heading.row, heading.column, heading.column_span) == (0, 1, columns)


def test_two_headings_over_one_rule_share_the_columns_under_it(tmp_path: Path) -> None:
    rows = [
        ["品种", "金额", "占比", "同比", "2024", "2023", "变动"],
        ["按揭", "512.6", "43.9", "2.2", "1.05", "0.82", "23"],
        ["信用卡", "71.2", "6.1", "-5.6", "3.05", "2.98", "7"],
    ]
    wide = 70

    def draw(target: pymupdf.Page) -> None:
        for number, row in enumerate(rows):
            for column, text in enumerate(row):
                write(target, text, (60 + column * wide, 200 + 18 * number))
        # each over the middle of three columns, the second over that of its own one, too
        write(target, "年末余额", (60 + 2 * wide - 8, 182))
        write(target, "不良率", (60 + 5 * wide - 4, 182))
        target.draw_line((60 + wide - 10, 187), (60 + 7 * wide - 20, 187))

    (table,) = tables_of(make_pdf(tmp_path / "a.pdf", draw))
    assert_covers_its_grid(table)
    held = {cell.text: (cell.column, cell.column_span) for cell in table.cells if cell.row == 0}
    assert held["年末余额"] == (1, 3) and held["不良率"] == (4, 3)


@pytest.mark.parametrize("turn", [90, 180, 270])
def test_a_page_turned_by_its_entry_reads_as_the_reader_sees_it(
    statement: Path, tmp_path: Path, turn: int
) -> None:
    turned = tmp_path / "turned.pdf"
    with pymupdf.open(statement) as document, pymupdf.open() as sheet:
        # content laid sideways under a page that is turned back: the reader sees it upright
        size = (842, 595) if turn % 180 else (595, 842)
        target = sheet.new_page(width=size[0], height=size[1])
        target.show_pdf_page(target.rect, document, 0, rotate=turn)
        target.set_rotation(turn)
        sheet.save(turned)
    (table,) = tables_of(turned)
    (upright,) = tables_of(statement)
    assert texts(table) == ROWS
    assert table.title == upright.title
    assert table.cells[5].bbox == pytest.approx(upright.cells[5].bbox, abs=1)


@pytest.mark.parametrize("ruled", [True, False])
@pytest.mark.parametrize("turn", [90, 270])
def test_a_table_printed_up_or_down_the_page_is_read(
    tmp_path: Path, turn: int, ruled: bool
) -> None:
    upright = make_pdf(tmp_path / "a.pdf", lambda page: draw_statement(page, ruled))
    sideways = tmp_path / "sideways.pdf"
    with pymupdf.open(upright) as document, pymupdf.open() as sheet:
        target = sheet.new_page(width=842, height=595)
        target.show_pdf_page(target.rect, document, 0, rotate=turn)
        sheet.save(sideways)
    (table,) = tables_of(sideways)
    assert texts(table) == ROWS
    assert table.title == "表1：主要财务指标（单位：百万元）"
    assert table.footnote == "资料来源：公司公告"
    x0, y0, x1, y1 = table.bbox  # in the coordinates of the page
    assert (x1 - x0, y1 - y0) == pytest.approx((HIGH * len(ROWS), WIDE * 4), abs=12)
    assert x0 >= 0 and x1 <= 842 and y0 >= 0 and y1 <= 595


def test_figures_keep_points_signs_and_marks(tmp_path: Path) -> None:
    figures = ["1,234.56", "(0.05)", "-12.3%", "3.1415926", "1.5x", "—", "+8.0pct", "12,345,678.90"]
    rows = [["项目", "2024A"], *([f"第{n}项", text] for n, text in enumerate(figures))]
    (table,) = tables_of(make_pdf(tmp_path / "a.pdf", lambda page: draw_table(page, rows)))
    assert [row[1] for row in texts(table)[1:]] == figures


def test_a_figure_printed_in_pieces_stays_one(tmp_path: Path) -> None:
    def draw(target: pymupdf.Page) -> None:
        draw_table(target, [row[:3] for row in ROWS[:4]], 200)
        draw_table(target, [["净利率", "", ""]], 200 + 4 * HIGH)
        for x, piece in ((180, "12"), (192, "."), (195, "5"), (201, "%")):
            write(target, piece, (x, 304))

    (table,) = tables_of(make_pdf(tmp_path / "a.pdf", draw))
    value = texts(table)[4][1]
    assert re.sub(r"\s", "", value) == "12.5%"


def test_a_watermark_across_a_table_is_in_no_cell(tmp_path: Path) -> None:
    def draw(target: pymupdf.Page) -> None:
        draw_table(target, ROWS)
        middle = pymupdf.Point(280, 260)
        target.insert_text((200, 260), "DRAFT", morph=(middle, pymupdf.Matrix(30)))
        target.insert_text((150, 290), "COPY", fontsize=80)

    (table,) = tables_of(make_pdf(tmp_path / "a.pdf", draw))
    assert texts(table) == ROWS


def test_markup_in_a_cell_stays_text(tmp_path: Path) -> None:
    rows = [*ROWS, ["<b>x</b>", "1", "2", "3"]]
    path = make_pdf(tmp_path / "a.pdf", lambda page: draw_table(page, rows))
    (table,) = tables_of(path)
    assert "<b>" not in table.html and "&lt;b&gt;" in table.html


def test_two_tables_side_by_side_stay_two(tmp_path: Path) -> None:
    def draw(target: pymupdf.Page) -> None:
        for left in (40, 310):
            draw_table(target, [row[:2] for row in ROWS], left=left)

    found = tables_of(make_pdf(tmp_path / "a.pdf", draw))
    assert [texts(table) for table in found] == [[row[:2] for row in ROWS]] * 2
    assert [table.ordinal for table in found] == [0, 1]


def drawn(tmp_path: Path, kind: str) -> tuple[Table, ...]:
    def draw(target: pymupdf.Page) -> None:
        if kind == "frame":
            target.draw_rect((50, 150, 545, 400))
            target.draw_line((50, 180), (545, 180))
            write(target, "投资要点", (60, 170))
        if kind in ("frame", "text"):
            for row in range(8):
                write(target, PROSE[:44], (60, 200 + 18 * row))
        if kind == "chart":
            for n in range(7):
                target.draw_line((100, 200 + 20 * n), (400, 200 + 20 * n))
                write(target, f"{60 - 10 * n}", (80, 203 + 20 * n), 8)
                write(target, f"{2019 + n}", (105 + 45 * n, 335), 8)
            for n in range(7):
                target.draw_line((100 + 50 * n, 200), (100 + 50 * n, 320))

    return tables_of(make_pdf(tmp_path / "a.pdf", draw))


@pytest.mark.parametrize("kind", ["frame", "text", "chart", "nothing"])
def test_what_is_no_table_gives_none(tmp_path: Path, kind: str) -> None:
    assert drawn(tmp_path, kind) == ()
