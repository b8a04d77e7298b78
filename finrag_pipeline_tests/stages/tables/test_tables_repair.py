"""Grids that rules or white space draw wrongly, mended by what stands in them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pymupdf

from finrag_pipeline.records import Table
from finrag_pipeline.stages.tables.figures import figures
from finrag_pipeline_tests.stages.read_pages import PROSE, make_pdf
from finrag_pipeline_tests.stages.table_files import ROWS, group, tables_of, texts

Texts = list[tuple[float, float, str]]


def drawn(
    path: Path,
    words: Texts,
    xs: tuple[float, ...] = (),
    ys: tuple[float, ...] = (),
    box: tuple[float, float, float, float] | None = None,
) -> tuple[Table, ...]:
    """The tables of a page with texts and full rules at some places, perhaps in a layout box."""

    def draw(target: pymupdf.Page) -> None:
        for x in xs:
            target.draw_line((x, ys[0]), (x, ys[-1]))
        for y in ys:
            target.draw_line((xs[0], y), (xs[-1], y))
        for x, y, text in words:
            target.insert_text((x, y), text, fontsize=9, fontname="china-ss")

    return tables_of(make_pdf(path / "a.pdf", draw), *([group("table", box)] if box else []))


def placed(rows: list[list[str]], top: float = 214, high: float = 20, left: float = 66) -> Texts:
    return [
        (left + 110 * c, top + high * r, text)
        for r, row in enumerate(rows)
        for c, text in enumerate(row)
        if text
    ]


def test_rows_that_one_pair_of_rules_holds_are_parted(tmp_path: Path) -> None:
    (table,) = drawn(tmp_path, placed(ROWS), (60, 170, 280, 390, 500), (200, 220, 302))
    assert texts(table) == ROWS


def test_columns_that_one_pair_of_rules_holds_are_parted(tmp_path: Path) -> None:
    ys = (200, 220, 240, 260, 280, 302)
    (table,) = drawn(tmp_path, placed(ROWS), (60, 170, 500), ys)
    assert texts(table) == ROWS


def test_an_outline_around_headings_does_not_merge_them(tmp_path: Path) -> None:
    def draw(target: pymupdf.Page) -> None:
        for n in range(6):
            target.draw_line((60, 200 + 20 * n), (500, 200 + 20 * n))
        for x in (60, 170, 280, 390, 500):
            # the first row has no inner rules
            target.draw_line((x, 200 if x in (60, 500) else 220), (x, 300))
        for x, y, text in placed(ROWS):
            target.insert_text((x, y), text, fontsize=9, fontname="china-ss")

    (table,) = tables_of(make_pdf(tmp_path / "a.pdf", draw))
    assert texts(table) == ROWS


def test_a_double_rule_is_no_row(tmp_path: Path) -> None:
    ys = (200, 220, 225, 240, 260, 280, 302)
    words = placed(ROWS)
    (table,) = drawn(tmp_path, words, (60, 170, 280, 390, 500), ys)
    assert texts(table) == ROWS


def test_an_empty_ruled_row_is_the_authors(tmp_path: Path) -> None:
    rows = [*ROWS[:3], ["", "", "", ""], *ROWS[3:]]
    ys = tuple(200 + 20 * n for n in range(7))
    (table,) = drawn(tmp_path, placed(rows), (60, 170, 280, 390, 500), ys)
    assert texts(table) == rows


def test_a_label_of_two_lines_stays_one_cell_in_a_layout_box(tmp_path: Path) -> None:
    words = placed(ROWS, high=30)
    words += [(66, 225 + 30, "其中主营业务")]  # 11 pt under its first line
    (table,) = drawn(tmp_path, words, box=(60, 195, 500, 350))
    assert [row[0] for row in texts(table)] == [
        "项目",
        "营业收入其中主营业务",
        "营业成本",
        "毛利率",
        "归母净利润",
    ]


def test_figures_beside_the_middle_of_a_label_of_two_lines_are_its_row(tmp_path: Path) -> None:
    words: Texts = placed([ROWS[0]])
    for n, row in enumerate(ROWS[1:]):
        y = 244 + 34 * n
        words += [(66, y - 5.5, row[0]), (66, y + 5.5, "合计数")]
        words += [(66 + 110 * c, y, text) for c, text in enumerate(row) if c]
    (table,) = drawn(tmp_path, words)
    assert [row[1:] for row in texts(table)] == [row[1:] for row in ROWS]
    assert [row[0] for row in texts(table)[1:]] == [f"{row[0]}合计数" for row in ROWS[1:]]


def test_figures_beside_the_text_of_another_column_are_no_table(tmp_path: Path) -> None:
    words: Texts = []
    for n in range(8):
        words += [(50, 200 + 14 * n, f"{n}.5"), (310, 200 + 14 * n, PROSE[n : n + 24])]
        words += [(120, 200 + 14 * n, f"第{n}"), (200, 200 + 14 * n, f"{n}.25")]
    assert drawn(tmp_path, words) == ()


def test_contact_lines_in_a_grid_are_no_table(tmp_path: Path) -> None:
    rows = [["分析师", "电话"], ["王小明", "021-12345678"], ["李小红", "010-87654321"]]
    rows = [[*row, mail] for row, mail in zip(rows, ("邮箱", "w@a.com", "l@a.com"), strict=True)]
    ys = (200, 220, 240, 260)
    assert drawn(tmp_path, placed(rows), (60, 170, 280, 390), ys) == ()


#: What directors are paid, in the form of Shenzhen's filings: one amount beside words.
PAY = [
    ["姓名", "性别", "年龄", "任职状态", "从公司获得的税前报酬总额"],
    ["陈一山", "女", "70", "现任", "1,437.20"],
    ["周二水", "男", "48", "现任", "862.32"],
    ["吴三川", "男", "68", "离任", "-"],
    ["郑四海", "男", "64", "现任", "20.00"],
]


def test_an_amount_ends_the_heads_of_a_table_of_words(tmp_path: Path) -> None:
    xs = (60.0, 150.0, 240.0, 330.0, 420.0, 560.0)
    words = [
        (xs[c] + 4, 214 + 20 * r, text) for r, row in enumerate(PAY) for c, text in enumerate(row)
    ]
    (table,) = drawn(tmp_path, words, xs, tuple(200.0 + 20 * n for n in range(6)))
    assert texts(table) == PAY
    assert {cell.row for cell in table.cells if cell.header} == {0}
    told = {each.text: each.measure for each in figures(replace(table, unit="万元"))}
    assert told["70"] is None
    assert told["1,437.20"] is not None


def test_a_head_beside_the_column_of_its_figures_is_joined_to_it(tmp_path: Path) -> None:
    # each column ruled twice: the head of the pay and its total in the right half, all else left
    xs = (60.0, 130.0, 160.0, 200.0, 230.0, 270.0, 300.0, 370.0, 400.0, 450.0, 560.0)
    words = [
        (xs[2 * c + (c > 2 and r == 0)] + 3, 214 + 20 * r, text)
        for r, row in enumerate(PAY)
        for c, text in enumerate(row)
    ]
    words += [(xs[9] + 3, 314, "2,319.52")]
    (table,) = drawn(tmp_path, words, xs, tuple(200.0 + 20 * n for n in range(7)))
    pay = {(cell.row, cell.text): cell.column for cell in table.cells if cell.text}
    columns = {pay[key] for key in ((0, PAY[0][4]), (1, "1,437.20"), (4, "20.00"), (5, "2,319.52"))}
    assert len(columns) == 1
    assert pay[0, "任职状态"] == pay[1, "现任"] != columns.pop()
