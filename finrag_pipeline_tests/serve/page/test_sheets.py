"""Boxes in percent of their own page, and the cells that they cite."""

from __future__ import annotations

import pytest

from finrag_pipeline.records import Cell, Place, Table
from finrag_pipeline.serve.page.sheets import Box, box_on, shown_table


@pytest.mark.parametrize(
    ("size", "box"),
    [
        ((200.0, 400.0), Box(25.0, 12.5, 25.0, 25.0)),
        ((400.0, 200.0), Box(12.5, 25.0, 12.5, 50.0)),
    ],
)
def test_a_box_is_in_percent_of_its_own_page(size: tuple[float, float], box: Box) -> None:
    assert box_on(Place(1, (50.0, 50.0, 100.0, 150.0)), size) == box


def test_a_box_never_leaves_its_page() -> None:
    assert box_on(Place(1, (-20.0, 90.0, 120.0, 130.0)), (100.0, 100.0)) == Box(0, 90, 100, 10)


def test_cells_that_boxes_cover_are_cited_and_headings_are_not() -> None:
    table = Table(
        0,
        1,
        (0, 0, 100, 40),
        (
            Cell(0, 0, "收入", (0, 0, 50, 20), header=True),
            Cell(1, 0, "12", (0, 20, 50, 40)),
            Cell(1, 1, "13", (50, 20, 100, 40)),
        ),
    )
    shown = shown_table(table, None, [Place(1, (0, 0, 52, 40))])
    assert [[cell.cited for cell in row] for row in shown.rows] == [[False], [True, False]]
