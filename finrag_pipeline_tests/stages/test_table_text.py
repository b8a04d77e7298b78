"""Rendering of tables: escaping, spans, the skeleton without figures."""

from __future__ import annotations

from html.parser import HTMLParser

from hypothesis import given
from hypothesis import strategies as st

from finrag_pipeline.records import Cell
from finrag_pipeline.stages.table_text import (
    header_depth,
    row_labels,
    to_html,
    to_markdown,
    with_header,
)

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


def test_header_depth_counts_what_spans_down() -> None:
    assert header_depth(CELLS) == 2
    assert header_depth(CELLS[4:]) == 0
    assert row_labels(CELLS) == ("试剂",)


def test_a_first_row_of_names_and_periods_is_the_header() -> None:
    plain = (Cell(0, 0, "项目"), Cell(0, 1, "2024A"), Cell(1, 0, "收入"), Cell(1, 1, "12.3"))
    assert [cell.header for cell in with_header(plain)] == [True, True, False, False]
    figures = (Cell(0, 0, "收入"), Cell(0, 1, "12.3"), *plain[2:])
    assert with_header(figures) == figures
    assert with_header(CELLS) == CELLS


@given(st.text(max_size=60), st.text(max_size=60))
def test_no_text_becomes_markup(text: str, title: str) -> None:
    cells = (Cell(0, 0, text, header=True), Cell(1, 0, "<script>alert(1)</script>" + text))
    reader = Reader()
    reader.feed(to_html(cells, title))
    reader.close()
    assert set(reader.tags) <= ALLOWED
    assert reader.attributes <= {"colspan", "rowspan"}
    assert "<script>" in reader.text
    skeleton = to_markdown(cells, title, text, text)
    assert "<" not in skeleton.replace("&lt;", "")
