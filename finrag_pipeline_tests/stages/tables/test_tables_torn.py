"""Cells that hold torn figures, several figures, or a figure glued to its label."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from finrag_pipeline.records import Cell
from finrag_pipeline.stages.tables.torn import joined, mended


def cells_of(rows: list[list[str]], wide: float = 50) -> list[Cell]:
    return [
        Cell(r, c, text, (c * wide, r * 10.0, (c + 1) * wide, r * 10.0 + 10))
        for r, row in enumerate(rows)
        for c, text in enumerate(row)
    ]


def rows_of(cells: tuple[Cell, ...]) -> list[list[str]]:
    rows: dict[int, list[str]] = {}
    for cell in sorted(cells, key=lambda cell: (cell.row, cell.column)):
        rows.setdefault(cell.row, []).append(cell.text)
    return [rows[row] for row in sorted(rows)]


@given(st.integers(10**6, 10**12), st.data())
def test_a_figure_torn_anywhere_is_whole_again(value: int, data: st.DataObject) -> None:
    whole = f"{value:,}"
    groups = [at for at, char in enumerate(whole) if char == ","]
    # a blank between groups may part two figures; inside one it parts none
    inside = [at for at in range(1, len(whole)) if at not in groups and at - 1 not in groups]
    inside = [at for at in inside if at > groups[0]]
    at = data.draw(st.sampled_from(inside))
    assert joined(f"{whole[:at]} {whole[at:]}") == whole


@given(st.lists(st.integers(1_000, 10**9), min_size=2, max_size=4))
def test_whole_figures_side_by_side_stay_apart(values: list[int]) -> None:
    text = " ".join(f"{value:,}" for value in values)
    assert joined(text) == text


def test_a_column_with_two_figures_in_each_cell_is_two() -> None:
    rows = [
        ["公司", "25E 26E", "27E"],
        ["甲公司", "0.93 1.84", "3.03"],
        ["乙公司", "1.32 1.66", "1.88"],
    ]
    assert rows_of(mended(cells_of(rows))) == [
        ["公司", "25E", "26E", "27E"],
        ["甲公司", "0.93", "1.84", "3.03"],
        ["乙公司", "1.32", "1.66", "1.88"],
    ]


def test_a_heading_over_a_parted_column_spans_its_parts() -> None:
    rows = [["公司", "每股收益"], ["甲公司", "0.93 1.84"], ["乙公司", "1.32 1.66"]]
    heading = next(cell for cell in mended(cells_of(rows)) if cell.text == "每股收益")
    assert (heading.column, heading.column_span) == (1, 2)


def test_cells_that_hold_different_numbers_of_figures_stay() -> None:
    rows = [["区间", "收益"], ["一", "10% 20%"], ["二", "5%"], ["三", "1% 2% 3%"]]
    assert rows_of(mended(cells_of(rows))) == rows


def test_figures_over_the_columns_that_a_cell_spans_stand_in_one_each() -> None:
    cells = cells_of([["毛利率", "41.0%", "42.5%"], ["净利率", "", ""]])
    cells[4:] = [Cell(1, 1, "86.47% -106.47%", (50, 10, 150, 20), column_span=2)]
    found = mended(cells)
    assert rows_of(found)[1] == ["净利率", "86.47%", "-106.47%"]
    assert [cell.bbox for cell in found[-2:]] == [(50, 10, 100, 20), (100, 10, 150, 20)]


def test_a_figure_behind_its_label_moves_into_the_empty_column_beside_it() -> None:
    rows = [["营业收入12,345", ""], ["营业成本", "8,000"], ["费用", "1,200"]]
    assert rows_of(mended(cells_of(rows)))[0] == ["营业收入", "12,345"]


def test_a_label_that_ends_with_a_number_keeps_it() -> None:
    rows = [["COVID-19", ""], ["标准普尔500", ""], ["营业成本", "8,000"], ["费用", "1,200"]]
    assert rows_of(mended(cells_of(rows))) == rows


_TEXTS = st.sampled_from(
    ["", "营业收入", "1,234", "(0.5)", "1.2 3.4", "12,3 45", "2024A", "—", "a b"]
)


@given(st.lists(st.lists(_TEXTS, min_size=3, max_size=3), min_size=1, max_size=5))
def test_mending_loses_no_character_and_covers_every_slot_once(rows: list[list[str]]) -> None:
    found = mended(cells_of(rows))
    told = Counter("".join(cell.text for cell in found))
    printed = Counter("".join(text for row in rows for text in row))
    told.pop(" ", None)
    printed.pop(" ", None)
    assert told == printed
    slots = [(c.row, c.column + n) for c in found for n in range(c.column_span)]
    width = max(column for _, column in slots) + 1
    assert sorted(slots) == [(r, c) for r in range(len(rows)) for c in range(width)]
