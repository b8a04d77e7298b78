"""Rendering of tables: escaping, spans, header paths, the skeleton without figures."""

from __future__ import annotations

from html.parser import HTMLParser

from hypothesis import given
from hypothesis import strategies as st

from finrag_pipeline.records import Cell, PeriodColumn
from finrag_pipeline.stages.tables.headers import (
    header_depth,
    header_paths,
    label_columns,
    period_columns,
    with_header,
)
from finrag_pipeline.stages.tables.rendering import row_labels, to_grid, to_html, to_markdown

ALLOWED = {"table", "caption", "thead", "tbody", "tr", "th", "td"}
CELLS = (
    Cell(0, 0, "单位：百万元", header=True, row_span=2),
    Cell(0, 1, "收入", header=True, column_span=2),
    Cell(1, 1, "2024A", header=True),
    Cell(1, 2, "2025E", header=True),
    Cell(2, 0, "试剂"),
    Cell(2, 1, "1,234.5"),
    Cell(2, 2, "-"),
)


class Reader(HTMLParser):
    """Collects tags, attributes and text as a browser would."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[str] = []
        self.attributes: set[str] = set()
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_data(self, data: str) -> None:
        self.text += data


def grid(*rows: str) -> tuple[Cell, ...]:
    """Cells of rows whose texts are parted by bars; an empty text is an empty cell."""
    return tuple(
        Cell(r, c, text.strip())
        for r, row in enumerate(rows)
        for c, text in enumerate(row.split("|"))
    )


def test_html_has_header_rows_and_spans() -> None:
    assert to_html(CELLS, "分部收入") == (
        "<table><caption>分部收入</caption>"
        '<thead><tr><th rowspan="2">单位：百万元</th><th colspan="2">收入</th></tr>'
        "<tr><th>2024A</th><th>2025E</th></tr></thead>"
        "<tbody><tr><td>试剂</td><td>1,234.5</td><td>-</td></tr></tbody></table>"
    )


def test_skeleton_names_everything_but_figures() -> None:
    assert to_markdown(CELLS, "分部收入", "百万元", "资料来源：公司公告") == (
        "**分部收入**\n单位：百万元\n| 单位：百万元 | 收入 |\n"
        "| 2024A | 2025E |\n试剂\n资料来源：公司公告"
    )


def test_row_labels_are_told_once_and_without_figures() -> None:
    cells = with_header(grid("分部|项目|2024A", "试剂|收入|1.5", "试剂|成本|0.5", "3|毛利|1.0"))
    assert row_labels(cells) == ("试剂", "收入", "成本", "毛利")


def test_header_depth_counts_what_spans_down() -> None:
    assert header_depth(CELLS) == 2
    assert header_depth(CELLS[4:]) == 0
    assert row_labels(CELLS) == ("试剂",)


def test_header_paths_run_from_the_top_over_every_column() -> None:
    assert header_paths(CELLS) == {
        0: ("单位：百万元",),
        1: ("收入", "2024A"),
        2: ("收入", "2025E"),
    }
    twice = (Cell(0, 0, "收入", header=True), Cell(1, 0, "收入", header=True))
    assert header_paths(twice) == {0: ("收入",)}


def test_a_first_row_of_names_and_periods_is_the_header() -> None:
    plain = grid("项目|2024A", "收入|12.3")
    assert [cell.header for cell in with_header(plain)] == [True, True, False, False]
    figures = grid("收入|12.3", "成本|4.5")
    assert with_header(figures) == figures
    assert with_header(CELLS) == CELLS


def test_headings_of_two_rows_are_the_header_and_a_section_is_not() -> None:
    cells = with_header(
        grid("项目|本期|上期", "|2025年1-9月|2024年1-9月", "一、资产||", "现金|1.5|2.5")
    )
    assert header_depth(cells) == 2
    named = with_header(grid("项目|本期", "一、资产|", "现金|甲", "存货|乙", "负债|2.5"))
    assert header_depth(named) == 1
    assert period_columns(cells) == (
        PeriodColumn(1, "2025-01-01/2025-09-30"),
        PeriodColumn(2, "2024-01-01/2024-09-30"),
    )


def test_columns_of_words_before_the_figures_are_labels() -> None:
    cells = with_header(grid("代码|公司|附注|2024A", "A1|甲|七、1|1.5", "A2|乙|七、2|2.5"))
    assert label_columns(cells) == 3
    assert [column.column for column in period_columns(cells)] == [3]


def test_a_table_of_words_has_its_short_first_row_as_header() -> None:
    words = with_header(grid("产品|用途", "试剂|科研", "抗体|检测"))
    assert [cell.header for cell in words] == [True, True] + [False] * 4
    ragged = with_header(grid("产品|", "试剂|科研", "抗体|检测"))
    assert not any(cell.header for cell in ragged)


@given(st.text(max_size=60), st.text(max_size=60))
def test_no_text_becomes_markup(text: str, title: str) -> None:
    cells = (Cell(0, 0, text, header=True), Cell(1, 0, "<script>alert(1)</script>" + text))
    reader = Reader()
    reader.feed(to_html(cells, f"<i>{title}"))
    reader.close()
    assert set(reader.tags) <= ALLOWED
    assert reader.attributes <= {"colspan", "rowspan"}
    assert "<script>" in reader.text and "<i>" in reader.text
    skeleton = to_markdown(cells, title, text, text)
    assert "<" not in skeleton.replace("&lt;", "")


FIGURES = st.decimals(-(10**7), 10**7, places=2, allow_nan=False).map(lambda value: f"{value:,}")


@given(st.lists(st.tuples(FIGURES, FIGURES), min_size=1, max_size=8))
def test_the_skeleton_holds_no_figure_of_the_body(rows: list[tuple[str, str]]) -> None:
    cells = with_header(
        grid("项目|甲栏|乙栏", *(f"行{'上中下'[n % 3]}|{a}|{b}" for n, (a, b) in enumerate(rows)))
    )
    skeleton = to_markdown(cells, "表", "元", "注：无")
    assert not any(char.isdigit() for char in skeleton)
    html = to_html(cells)
    assert all(f"<td>{text}</td>" in html for row in rows for text in row)


def test_a_grid_has_one_line_of_headings_and_every_text_of_the_body_once() -> None:
    cells = (
        Cell(0, 0, "项目", row_span=2, header=True),
        Cell(0, 1, "收入", column_span=2, header=True),
        Cell(1, 1, "2024A", header=True),
        Cell(1, 2, "2025E", header=True),
        Cell(2, 0, "试剂", row_span=2),
        Cell(2, 1, "1.5"),
        Cell(2, 2, "2.5"),
        Cell(3, 1, "10.2%"),
        Cell(3, 2, "14.9%"),
        Cell(4, 0, " "),
    )
    assert to_grid(cells) == (
        ("项目", "收入 2024A", "收入 2025E"),
        [("试剂", "1.5", "2.5"), ("", "10.2%", "14.9%")],
    )
    assert to_grid(()) == ((), [])
