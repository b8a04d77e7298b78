"""Rows of tables told as sentences that stand alone."""

from __future__ import annotations

from pathlib import Path

import pymupdf
from hypothesis import given
from hypothesis import strategies as st

from finrag_pipeline.records import Cell, Place, Table
from finrag_pipeline.stages.tables.headers import with_header
from finrag_pipeline.stages.tables.reading import with_statements
from finrag_pipeline_tests.stages.read_pages import make_pdf
from finrag_pipeline_tests.stages.table_files import ROWS, draw_table, tables_of


def table(*rows: str, title: str | None = None, unit: str | None = None) -> Table:
    """A table of rows whose texts are parted by bars, each row 10 pt high, 20 rows a page."""
    cells = tuple(
        Cell(r, c, text, (50 * c, 10 * (r % 20), 50 * c + 50, 10 * (r % 20) + 10), page=1 + r // 20)
        for r, row in enumerate(rows)
        for c, text in enumerate(row.split("|"))
    )
    return Table(0, 1, (0, 0, 150, 200), with_header(cells), title=title, unit=unit)


def told(source: Table, entity: str | None = "星河医药") -> list[str]:
    (done,) = with_statements([source], entity)
    return [statement.text for statement in done.statements]


def test_entity_title_unit_header_path_and_value_are_told() -> None:
    source = table(
        "项目|收入|收入",
        "|2024A|2025E",
        "试剂|1.5|2.5",
        "抗体|3.5|—",
        title="分部收入",
        unit="亿元",
    )
    assert told(source) == [
        "星河医药 分部收入（单位：亿元）：试剂，收入 2024A 1.5，收入 2025E 2.5；"
        "抗体，收入 2024A 3.5，收入 2025E —。"
    ]


def test_english_tables_are_told_in_english() -> None:
    source = table("Item|2024|2025E", "Revenue|1.5|2.5", title="Results", unit="RMB mn")
    assert told(source, "Star Pharma") == [
        "Star Pharma Results (unit: RMB mn): Revenue, 2024 1.5, 2025E 2.5."
    ]


def test_a_unit_that_the_title_states_is_told_once_and_nobody_is_left_out() -> None:
    source = table("项目|2024A", "试剂|1.5", title="收入（亿元）", unit="亿元")
    assert told(source, None) == ["收入（亿元）：试剂，2024A 1.5。"]


def test_rows_under_a_section_carry_its_name_and_stand_apart() -> None:
    source = table("项目|2024A", "流动资产：|", "现金|1.5", "存货|2.5", "流动负债：|", "借款|3.5")
    assert told(source, None) == [
        "流动资产：现金，2024A 1.5；存货，2024A 2.5。",
        "流动负债：借款，2024A 3.5。",
    ]


def test_a_label_over_several_rows_names_each(tmp_path: Path) -> None:
    rows = [["分部", "项目", "2024A"], ["试剂", "收入", "1.5"], ["", "成本", "0.5"]]

    def draw(target: pymupdf.Page) -> None:
        draw_table(target, rows, spans={(1, 0): (2, 1)})

    (source,) = tables_of(make_pdf(tmp_path / "a.pdf", draw))
    (text,) = told(source, None)
    assert "试剂 收入，2024A 1.5" in text and "试剂 成本，2024A 0.5" in text


def test_a_statement_points_at_its_rows_on_paper(tmp_path: Path) -> None:
    path = make_pdf(tmp_path / "a.pdf", lambda page: draw_table(page, ROWS))
    (source,) = with_statements(tables_of(path), "星河医药")
    (statement,) = source.statements
    assert (statement.first_row, statement.last_row) == (1, 4)
    assert statement.place == Place(1, (60, 222, 500, 310))


def test_a_long_row_goes_on_under_the_same_label_and_no_figure_is_cut() -> None:
    figures = [f"{n},{n}{n}{n}.25" for n in range(1, 10)] * 9
    source = table(
        "|".join(["项目", *(f"2024年{n}栏" for n in range(81))]), "|".join(["收入", *figures])
    )
    parts = told(source)
    assert len(parts) > 3 and all(len(part) < 700 for part in parts)
    assert all(part.startswith("星河医药：收入，") for part in parts)
    assert [piece.rsplit(" ")[-1] for p in parts for piece in p[:-1].split("，")[1:]] == figures


def test_a_page_break_inside_a_group_keeps_the_place_where_it_begins() -> None:
    source = table("项目|2024A", *(f"行{n}|{n}.5" for n in range(30)))
    (done,) = with_statements([source], None)
    begins = next(s for s in done.statements if s.first_row < 20 <= s.last_row)
    assert begins.place.page == 1 and begins.place.bbox[3] == 200


FIGURES = st.decimals(0, 10**9, places=2, allow_nan=False).map(lambda value: f"{value:,}")
LABELS = st.text("营收成本利润资产负债", min_size=1, max_size=12)


@given(st.lists(st.tuples(LABELS, FIGURES, FIGURES), min_size=1, max_size=60))
def test_every_row_is_told_once_in_order_with_all_its_figures(
    rows: list[tuple[str, str, str]],
) -> None:
    source = table("项目|2024A|2025E", *("|".join(row) for row in rows))
    (done,) = with_statements([source], "星河医药")
    numbers = [n for s in done.statements for n in range(s.first_row, s.last_row + 1)]
    assert numbers == list(range(1, len(rows) + 1))
    pieces = [piece for s in done.statements for piece in s.text[5:-1].split("；")]
    assert pieces == [f"{label}，2024A {a}，2025E {b}" for label, a, b in rows]
    for statement in done.statements:
        assert statement.place.page == 1 + statement.first_row // 20
