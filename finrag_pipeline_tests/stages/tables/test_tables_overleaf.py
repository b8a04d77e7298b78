"""Titles and units that end a page, of the tables at the head of the next one."""

from __future__ import annotations

import pytest

from finrag_pipeline.records import Box, Cell, Region, Table
from finrag_pipeline.stages.tables.overleaf import captioned_before
from finrag_pipeline_tests.stages.read_pages import PROSE

BOX: Box = (50, 60, 500, 200)


def table(page: int = 2, title: str | None = None, unit: str | None = None) -> Table:
    cells = (Cell(0, 0, "账龄", None), Cell(0, 1, "年末", None), Cell(1, 0, "1至2年", None))
    return Table(0, page, BOX, cells, title, unit)


def page_end(*rows: tuple[str, str]) -> list[Region]:
    """The last regions of a page by kind and text, a foot, then the head and the table overleaf."""
    found = [
        Region(n, 1, (50, 700 + 20 * n, 500, 715 + 20 * n), kind, text)
        for n, (kind, text) in enumerate(rows)
    ]
    foot = Region(len(found), 1, (50, 800, 500, 810), "footer", "1 / 9", "page_footer")
    head = Region(len(found) + 1, 2, (50, 20, 500, 30), "header", "年报", "page_header")
    held = Region(len(found) + 2, 2, BOX, "table", "账龄 年末", "table")
    return [*found, foot, head, held]


@pytest.mark.parametrize(
    ("rows", "title", "unit"),
    [
        ((("caption", "表 5 分业务"), ("text", "单位:人民币万元")), "表 5 分业务", "人民币万元"),
        ((("heading", "附注 2 应收账款"), ("text", "单位：元")), "附注 2 应收账款", "元"),
        ((("text", PROSE), ("text", "单位：元")), None, "元"),
        ((("caption", "表 5 分业务"),), "表 5 分业务", None),
        ((("heading", "五、股东情况"),), None, None),
        ((("text", PROSE),), None, None),
        ((("text", "单位：元分行业情况"),), None, None),
    ],
)
def test_what_a_page_ends_with_is_of_the_table_overleaf(
    rows: tuple[tuple[str, str], ...], title: str | None, unit: str | None
) -> None:
    (found,) = captioned_before([table()], page_end(*rows))
    assert (found.title, found.unit) == (title, unit)
    assert ("<caption>" in found.html) == bool(title)


def test_a_table_that_says_what_it_is_keeps_that() -> None:
    ending = page_end(("caption", "表 5 分业务"), ("text", "单位:人民币万元"))
    (found,) = captioned_before([table(title="表 6 地区", unit="元")], ending)
    assert (found.title, found.unit) == ("表 6 地区", "元")


def test_a_table_below_text_is_not_of_the_page_before() -> None:
    ending = page_end(("caption", "表 5 分业务"), ("text", "单位:人民币万元"))
    above = Region(9, 2, (50, 40, 500, 55), "text", PROSE)
    (found,) = captioned_before([table()], [*ending, above])
    assert (found.title, found.unit) == (None, None)
