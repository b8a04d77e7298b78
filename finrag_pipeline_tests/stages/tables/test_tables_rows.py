"""Rows that no rule parts, typed tables, and tables between horizontal rules alone."""

from __future__ import annotations

from pathlib import Path

import pymupdf

from finrag_pipeline_tests.stages.read_pages import make_pdf, write
from finrag_pipeline_tests.stages.table_files import tables_of, texts
from finrag_pipeline_tests.stages.tables.test_tables_repair import Texts, drawn, placed

HEAD = ["Item", "2003", "2004"]
ROWS = [["Coal", "1,204", "1,118"], ["Oil", "310", "295"], ["Gas", "88", "97"]]


def typed(path: Path, text: str) -> list[list[str]]:
    """Rows of the one table in a text file as a typewriter prints it."""

    def draw(target: pymupdf.Page) -> None:
        for number, line in enumerate(text.strip("\n").split("\n")):
            target.insert_text((60, 200 + 11 * number), line, fontsize=9, fontname="cour")

    (table,) = tables_of(make_pdf(path / "a.pdf", draw))
    return texts(table)


def framed(words: Texts, low: float = 300) -> tuple[Texts, tuple[float, ...], tuple[float, ...]]:
    """Texts in a frame with columns and a rule below the heads, none between rows."""
    return words, (60, 170, 280, 390), (200, 222, low)


def test_rows_of_a_frame_without_rules_between_them_are_parted(tmp_path: Path) -> None:
    (table,) = drawn(tmp_path, *framed(placed([HEAD, *ROWS])))
    assert texts(table) == [HEAD, *ROWS]


def test_a_label_alone_in_a_frame_names_a_group(tmp_path: Path) -> None:
    rows = [["Fuels"], *ROWS[:2], ["Other"], ROWS[2]]
    (table,) = drawn(tmp_path, *framed(placed([HEAD, *rows]), 330))
    assert [row[0] for row in texts(table)] == ["Item", "Fuels", "Coal", "Oil", "Other", "Gas"]


def test_a_label_that_goes_on_in_a_frame_stays_with_its_figures(tmp_path: Path) -> None:
    words = placed([HEAD, ROWS[0]])
    words += [(66, 254, "Homes with"), (66, 264, "employees")]
    words += [(176, 254, "12"), (286, 254, "14"), *placed([ROWS[1]], top=284)]
    (table,) = drawn(tmp_path, *framed(words))
    labels = [row[0] for row in texts(table)]
    assert labels == ["Item", "Coal", "Homes with employees", "Oil"]


def test_bulleted_texts_of_one_ruled_cell_stay_one_row(tmp_path: Path) -> None:
    words: Texts = [(66, 214, "Topic"), (176, 214, "Measures"), (286, 214, "Share")]
    for row, topic in enumerate(("Training", "Audit")):
        top = 236 + 60 * row
        words += [(66, top, topic), (286, top, "12")]
        words += [(176, top + 12 * n, f"- step {n} of it") for n in range(4)]
    (table,) = drawn(tmp_path, words, (60, 170, 280, 390), (200, 222, 282, 342))
    assert len(texts(table)) == 3
    assert texts(table)[1][1].count("step") == 4


def test_a_label_at_the_middle_of_several_rows_spans_them(tmp_path: Path) -> None:
    words: Texts = [(66, 214, "Index"), (176, 214, "Return"), (286, 214, "Risk")]
    for row, label in enumerate(("Large", "Small")):
        top = 236 + 40 * row
        words += [(66, top + 8, label), (176, top, "7.1%"), (286, top, "2.2%")]
        words += [(176, top + 16, "9.3%"), (286, top + 16, "1.4%")]
    (table,) = drawn(tmp_path, words, (60, 170, 280, 390), (200, 222, 262, 302))
    tall = [(cell.text, cell.row_span) for cell in table.cells if cell.row_span > 1]
    assert tall == [("Large", 2), ("Small", 2)]
    assert len({cell.row for cell in table.cells}) == 5


def test_a_grid_without_its_upper_side_keeps_its_first_row(tmp_path: Path) -> None:
    def draw(target: pymupdf.Page) -> None:
        for y in (222, 242, 262, 282):
            target.draw_line((60, y), (390, y))
        for x in (170, 280):
            target.draw_line((x, 200), (x, 282))
        for x, y, text in placed([HEAD, *ROWS]):
            target.insert_text((x, y), text, fontsize=9)

    (table,) = tables_of(make_pdf(tmp_path / "a.pdf", draw))
    assert texts(table) == [HEAD, *ROWS]


def test_typed_rules_and_leaders_are_no_text(tmp_path: Path) -> None:
    rows = typed(
        tmp_path,
        """
---------------------------------------
Item                    2003      2004
---------------------------------------
Coal.............      1,204     1,118
Oil . . . . . . .        310       295
Gas..............         88        97
---------------------------------------
""",
    )
    assert rows == [HEAD, *ROWS]


def test_typed_bars_part_columns(tmp_path: Path) -> None:
    rows = typed(
        tmp_path,
        """
=======================================
Item               |   2003 |    2004
=======================================
Coal               |  1,204 |   1,118
Oil                |    310 |     295
Gas                |     88 |      97
=======================================
""",
    )
    assert rows == [HEAD, *ROWS]


def test_heads_in_several_typed_lines_are_one_row(tmp_path: Path) -> None:
    rows = typed(
        tmp_path,
        """
---------------------------------------
                      Number    Average
                          of       cost
Item                   mines     (tons)
---------------------------------------
Coal                   1,204     1,118
Oil                      310       295
Gas                       88        97
---------------------------------------
""",
    )
    assert rows == [["Item", "Number of mines", "Average cost (tons)"], *ROWS]


def test_dashes_that_stand_for_no_figure_stay(tmp_path: Path) -> None:
    rows = typed(
        tmp_path,
        """
Item                    2003      2004
Coal                   1,204       ---
Oil                      ---       295
Gas                       88        97
Wood                      12        13
""",
    )
    assert [row[1:] for row in rows][1:3] == [["1,204", "---"], ["---", "295"]]


def test_a_table_of_words_between_rules_alone_is_found(tmp_path: Path) -> None:
    words = [["Group", "Lower", "Upper"], ["Young", "9 or less", "19 or less"], ["Old", "", ""]]
    words[2] = ["Old", "more than 9", "more than 19"]

    def draw(target: pymupdf.Page) -> None:
        for y in (200, 222, 264):
            target.draw_line((60, y), (390, y))
        for x, y, text in placed(words):
            target.insert_text((x, y), text, fontsize=9)

    (table,) = tables_of(make_pdf(tmp_path / "a.pdf", draw))
    assert texts(table) == words


def test_titles_and_sources_of_figures_between_rules_are_no_table(tmp_path: Path) -> None:
    def draw(target: pymupdf.Page) -> None:
        for y in (200, 222, 400, 422):
            target.draw_line((60, y), (280, y))
            target.draw_line((300, y), (520, y))
        for x in (66, 306):
            target.insert_text((x, 215), "Figure 3: Output and growth", fontsize=9)
            target.insert_text((x, 415), "Source: company reports", fontsize=9)

    assert tables_of(make_pdf(tmp_path / "a.pdf", draw)) == ()


def test_tables_under_one_another_are_several(tmp_path: Path) -> None:
    def draw(target: pymupdf.Page) -> None:
        target.insert_text((66, 264 + 30), "Reserves by fuel", fontsize=9)
        for top in (204, 314):
            for x, y, text in placed([HEAD, *ROWS], top=top):
                target.insert_text((x, y), text, fontsize=9)

    one, two = tables_of(make_pdf(tmp_path / "a.pdf", draw))
    assert texts(one) == texts(two) == [HEAD, *ROWS]


def test_figures_close_together_are_two_and_thousands_are_one(tmp_path: Path) -> None:
    def draw(target: pymupdf.Page) -> None:
        for row, (label, one, two) in enumerate(
            (("Coal", "1 204", "1,118"), ("Oil", "310", "29.54"), ("Gas", "8 812", "97.2"))
        ):
            y = 214 + 20 * row
            target.insert_text((66, y), label, fontsize=9)
            target.insert_text((200 - 5 * len(one), y), one, fontsize=9)
            target.insert_text((206, y), two, fontsize=9)
            target.insert_text((260, y), "12", fontsize=9)

    (table,) = tables_of(make_pdf(tmp_path / "a.pdf", draw))
    assert [row[:3] for row in texts(table)] == [
        ["Coal", "1 204", "1,118"],
        ["Oil", "310", "29.54"],
        ["Gas", "8 812", "97.2"],
    ]


def test_figures_that_their_cells_are_too_narrow_for_are_whole(tmp_path: Path) -> None:
    heads = ["", "2022年", "2021年", "增减"]
    rows = [
        (("营业", "收入"), ("18,079,461,4", "82.75"), ("15,319,993,6", "34.64"), "18.01%"),
        (("净利", "润"), ("2,448,802,10", "3.34"), ("2,046,867,98", "2.56"), "19.64%"),
    ]

    def draw(page: pymupdf.Page) -> None:
        for column, text in enumerate(heads):
            page.draw_rect((60 + 80 * column, 200, 140 + 80 * column, 222), width=0.5)
            write(page, text, (70 + 80 * column, 215))
        for row, cells in enumerate(rows):
            top = 222 + 36 * row
            for column, held in enumerate(cells):
                left = 60 + 80 * column
                page.draw_rect((left, top, left + 80, top + 36), width=0.5)
                lines = (held,) if isinstance(held, str) else held
                for line, text in enumerate(lines):
                    at = top + (22 if len(lines) == 1 else 14 + 15 * line)
                    write(page, text, (left + 8, at), 8)

    (table,) = tables_of(make_pdf(tmp_path / "a.pdf", draw))
    assert texts(table) == [
        heads,
        ["营业收入", "18,079,461,482.75", "15,319,993,634.64", "18.01%"],
        ["净利润", "2,448,802,103.34", "2,046,867,982.56", "19.64%"],
    ]
