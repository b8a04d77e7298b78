"""Headings that stand a column beside their figures."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from finrag_pipeline.records import Cell
from finrag_pipeline.stages.tables.beside import with_headings_joined


def cells_of(rows: Sequence[Sequence[str]], heads: int = 1) -> list[Cell]:
    return [
        Cell(r, c, text, (c * 50.0, r * 10.0, c * 50.0 + 50, r * 10.0 + 10), header=r < heads)
        for r, row in enumerate(rows)
        for c, text in enumerate(row)
    ]


def rows_of(cells: Sequence[Cell]) -> list[list[str]]:
    width = max(cell.column + cell.column_span for cell in cells)
    rows = [[""] * width for _ in range(1 + max(cell.row for cell in cells))]
    for cell in cells:
        for column in range(cell.column, cell.column + cell.column_span):
            rows[cell.row][column] = cell.text
    return rows


def test_headings_beside_their_figures_are_over_them() -> None:
    rows = [
        ["序号", "", "客户名称", "", "销售额（元）", "占年度销售总额比例"],
        ["1", "第一名", "", "11,643", "", "5.68%"],
        ["2", "第二名", "", "8,861", "", "4.32%"],
        ["合计", "", "--", "20,504", "", "10.00%"],
    ]
    assert rows_of(with_headings_joined(cells_of(rows))) == [
        ["序号", "客户名称", "销售额（元）", "占年度销售总额比例"],
        ["1", "第一名", "11,643", "5.68%"],
        ["2", "第二名", "8,861", "4.32%"],
        ["合计", "--", "20,504", "10.00%"],
    ]


def test_a_year_between_two_columns_heads_both() -> None:
    rows = [
        ["项目", "金额", "2022年", "", "占比", "", "金额", "2021年", "", "占比", "", "同比"],
        ["合计", "188", "", "", "", "100%", "187", "", "", "", "100%", "0.60%"],
        ["空调", "134", "", "71%", "", "", "131", "", "70%", "", "", "2.39%"],
    ]
    assert rows_of(with_headings_joined(cells_of(rows))) == [
        ["", "2022年", "2022年", "2021年", "2021年", ""],
        ["项目", "金额", "占比", "金额", "占比", "同比"],
        ["合计", "188", "100%", "187", "100%", "0.60%"],
        ["空调", "134", "71%", "131", "70%", "2.39%"],
    ]


def test_years_that_head_their_own_figures_head_no_groups() -> None:
    rows = [["项目", "注释", "2022年", "", "2021年", ""], ["收入", "七", "", "1", "", "2"]]
    assert rows_of(with_headings_joined(cells_of(rows))) == [
        ["项目", "注释", "2022年", "2021年"],
        ["收入", "七", "1", "2"],
    ]


def test_nothing_is_joined_where_nothing_tells_what_belongs_together() -> None:
    alone = [["项目", "", "2022年"], ["收入", "甲", "1"]]
    between = [["项目", "", "坏账准备", "", "合计"], ["一年内", "1", "", "2", "3"]]
    odd = [["项目", "", "甲", "", "乙", "", "丙"], ["收入", "1", "", "2", "", "3", "4"]]
    for rows in (alone, between, odd):
        cells = cells_of(rows)
        assert with_headings_joined(cells) == tuple(cells)


@given(st.lists(st.booleans(), min_size=1, max_size=5), st.integers(1, 4))
def test_joined_is_what_was_parted(parted: list[bool], height: int) -> None:
    whole = [
        ["项目", *(f"{'甲乙丙丁戊'[at]}类" for at in range(len(parted)))],
        *(
            [f"行{row}", *(str(10 * row + at + 1) for at in range(len(parted)))]
            for row in range(height)
        ),
    ]
    rows = [
        [
            row[0],
            *(
                text
                for column, split in zip(row[1:], parted, strict=True)
                for text in (([column, ""] if at == 0 else ["", column]) if split else [column])
            ),
        ]
        for at, row in enumerate(whole)
    ]
    once = with_headings_joined(cells_of(rows))
    assert rows_of(once) == whole
    assert with_headings_joined(once) == once
