"""Cleaning and tables agree on every character: what tables hold, and what comes back from them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from finrag_pipeline.records import Box, Cell, Place, Region, Table
from finrag_pipeline.stages.cleaning.settle import settle_tables
from finrag_pipeline_tests.stages.read_pages import PROSE, characters

GRID: Box = (50, 100, 500, 160)
ABOVE: Box = (50, 60, 500, 80)


def region(
    text: str, rule: str | None = None, bbox: Box = GRID, page: int = 1, ordinal: int = 0
) -> Region:
    kind = {"table": "table", "chart": "picture"}.get(rule or "", "text")
    return Region(ordinal, page, bbox, kind, text, rule)


def table(
    *rows: str, header: str = "", bbox: Box = GRID, page: int = 1, title: str | None = None
) -> Table:
    """A table whose cells are the words of its rows."""
    cells = [
        Cell(r, c, text, header=r == 0 and bool(header), page=page)
        for r, row in enumerate([header, *rows] if header else rows)
        for c, text in enumerate(row.split())
    ]
    places = (Place(page, bbox),)
    return Table(
        0, page, bbox, tuple(cells), title=title, header=tuple(header.split()), places=places
    )


def settled(regions: list[Region], *tables: Table) -> list[tuple[str, str | None]]:
    return [(each.text, each.rule) for each in settle_tables(regions, tables)]


def test_what_a_table_holds_stays_its_own() -> None:
    rows = "项目 2025A\n营业收入 1,234\n净利润 120"
    held = table("营业收入 1,234", "净利润 120", header="项目 2025A")
    assert settled([region(rows, "table")], held) == [(rows, "table")]


def test_rows_that_no_table_holds_come_back_with_their_share_of_the_height() -> None:
    rows = "营业收入 1,234\n注：以上为预测\n净利润 120"
    parts = settle_tables([region(rows, "table")], [table("营业收入 1,234", "净利润 120")])
    assert [(p.ordinal, p.text, p.kind, p.rule, p.bbox) for p in parts] == [
        (0, "营业收入 1,234", "table", "table", (50, 100, 500, 120)),
        (1, "注：以上为预测", "text", None, (50, 120, 500, 140)),
        (2, "净利润 120", "table", "table", (50, 140, 500, 160)),
    ]


def test_all_comes_back_where_no_table_was_read() -> None:
    assert settled([region("营业收入 1,234", "table")]) == [("营业收入 1,234", None)]
    elsewhere = table("营业收入 1,234", page=2)
    assert settled([region("营业收入 1,234", "table")], elsewhere) == [("营业收入 1,234", None)]


@pytest.mark.parametrize(("page", "rule"), [(1, "cover_block"), (2, None)])
def test_data_of_the_cover_do_not_come_back_as_text(page: int, rule: str | None) -> None:
    assert settled([region("总市值 120", "table", page=page)]) == [("总市值 120", rule)]


@pytest.mark.parametrize("rule", [None, "chart"])
@pytest.mark.parametrize("text", ["营业收入 1,234", "营业收入\n1,234", "１，２３４"])
def test_text_and_labels_whose_words_are_all_in_a_table_are_its_own(
    text: str, rule: str | None
) -> None:
    assert settled([region(text, rule)], table("营业收入 1,234")) == [(text, "table")]


@pytest.mark.parametrize(
    ("text", "bbox"),
    [
        ("营业收入 1,234", ABOVE),  # a box apart
        ("营业收入 1,234", (50, 150, 500, 250)),  # a box that reaches far out of the table
        ("营业收入 1,235", GRID),  # another figure
        ("营业收入 1,234 1,234", GRID),  # a figure that the table has once
        (PROSE, GRID),
    ],
)
def test_other_text_is_kept(text: str, bbox: Box) -> None:
    assert settled([region(text, bbox=bbox)], table("营业收入 1,234")) == [(text, None)]


ANSWER = f"{PROSE}{PROSE}{PROSE}"


def test_paragraphs_of_a_form_are_text() -> None:
    minutes = table("地点 会议室", f"主要内容 {ANSWER}")
    assert settled([region(ANSWER)], minutes) == [(ANSWER, None)]


def test_lives_of_managers_stay_their_tables() -> None:
    lives = table(f"甲 {ANSWER}", f"乙 {ANSWER}", f"丙 {ANSWER}")
    assert settled([region(ANSWER)], lives) == [(ANSWER, "table")]


def test_what_other_rules_dropped_stays_as_it_is() -> None:
    head = region("营业收入 1,234", "page_header")
    assert settled([head], table("营业收入 1,234")) == [(head.text, "page_header")]


def test_a_word_of_a_table_is_claimed_once_and_first_by_what_was_left_to_it() -> None:
    label = region("1,234", ordinal=0)
    row = region("营业收入 1,234", "table", ordinal=1)
    assert settled([label, row], table("营业收入 1,234")) == [
        ("1,234", None),
        ("营业收入 1,234", "table"),
    ]


def test_column_headings_that_the_next_page_repeats_stay_the_tables() -> None:
    first = table("营业收入 1,234", header="项目 2025A")
    whole = Table(
        0,
        1,
        GRID,
        (*first.cells, Cell(2, 0, "净利润", page=2), Cell(2, 1, "120", page=2)),
        header=first.header,
        places=(Place(1, GRID), Place(2, GRID)),
    )
    regions = [
        region("项目 2025A\n营业收入 1,234", "table"),
        region("项目 2025A\n净利润 120", "table", page=2, ordinal=1),
    ]
    assert [rule for _, rule in settled(regions, whole)] == ["table", "table"]


def test_title_unit_and_footnote_are_of_the_table() -> None:
    titled = table("营业收入 1,234", title="利润表")
    assert settled([region("利润表\n营业收入 1,234", "table")], titled) == [
        ("利润表\n营业收入 1,234", "table")
    ]


TOKENS = st.sampled_from(["期末", "期初", "合计", "12", "3.4", "—"])
ROWS = st.lists(TOKENS, min_size=1, max_size=3).map(" ".join)
BOXES = st.tuples(*[st.integers(0, 2)] * 2, *[st.integers(1, 3)] * 2).map(
    lambda b: (100.0 * b[0], 100.0 * b[1], 100.0 * (b[0] + b[2]), 100.0 * (b[1] + b[3]))
)
RULES = st.sampled_from([None, None, "table", "table", "chart", "page_header"])


@st.composite
def read_documents(draw: st.DrawFn) -> tuple[list[Region], list[Table]]:
    regions: list[Region] = []
    for page in (1, 2):
        for rule in draw(st.lists(RULES, max_size=4)):
            rows = draw(st.lists(ROWS, min_size=1, max_size=3 if rule else 1))
            regions.append(region("\n".join(rows), rule, draw(BOXES), page, len(regions)))
    tables = [
        table(
            *draw(st.lists(ROWS, max_size=4)),
            header=draw(st.just("") | ROWS),
            bbox=draw(BOXES),
            page=draw(st.sampled_from([1, 2])),
            title=draw(st.none() | ROWS),
        )
        for _ in range(draw(st.integers(0, 2)))
    ]
    return regions, tables


@given(read_documents())
@example(
    (
        [region("期末"), region("期末 12", "table", ordinal=1)],
        [table("12", header="期末")],
    )
)
@settings(max_examples=200, deadline=None)
def test_no_character_is_lost_or_doubled_and_settling_twice_changes_nothing(
    made: tuple[list[Region], list[Table]],
) -> None:
    regions, tables = made
    once = settle_tables(regions, tables)
    for page in (1, 2):
        before = characters(r.text for r in regions if r.page == page)
        assert characters(r.text for r in once if r.page == page) == before
    assert [r.ordinal for r in once] == list(range(len(once)))
    assert settle_tables(once, tables) == once
    untouched = [r for r in regions if r.rule == "page_header"]
    assert [(r.text, r.bbox) for r in once if r.rule == "page_header"] == [
        (r.text, r.bbox) for r in untouched
    ]


@pytest.mark.parametrize("text", ["单位：元 币种：人民币", "（金额单位：千元）", "($ in millions)"])
@pytest.mark.parametrize(("measured", "rule"), [("元", "table"), (None, None)])
def test_the_line_of_units_above_a_table_that_has_them_is_the_tables(text, measured, rule) -> None:
    above = region(text, bbox=(300, 84, 500, 94))
    held = replace(table("营业收入 1,234", "净利润 120"), unit=measured)
    once = settle_tables([above], [held])
    assert [(each.text, each.rule) for each in once] == [(text, rule)]
    assert settle_tables(once, [held]) == once


def test_rows_that_are_no_text_keep_the_rule_that_says_so() -> None:
    rows = "√适用 □不适用\n资料来源：公司公告\n需求回暖"
    assert settled([region(rows, "table")]) == [
        ("√适用 □不适用", "form"),
        ("资料来源：公司公告", "source_line"),
        ("需求回暖", None),
    ]
