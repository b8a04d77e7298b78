"""A ruled row of heads that stands alone at the foot of a page: its table begins overleaf."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from finrag_pipeline.records import Cell
from finrag_pipeline.stages.cleaning.geometry import overlap
from finrag_pipeline.stages.tables.frames import Framed
from finrag_pipeline.stages.tables.grid import read_cells
from finrag_pipeline.stages.tables.ink import View
from finrag_pipeline.stages.tables.phrases import is_value
from finrag_pipeline.stages.tables.ruled import ruled_grids

#: Columns that heads of a table have at least.
_LEAST = 3
#: Characters of the longest head.
_LONGEST = 40


def head_at_foot(view: View, page: int, tables: Sequence[Framed]) -> Framed | None:
    """The heads that rules draw as one row below everything else; None where there are none.

    Args:
        tables: of the page, which hold no such row.
    """
    rows = [each for each in ruled_grids(view.horizontal, view.vertical) if len(each.ys) == 2]
    if not rows:
        return None
    grid = max(rows, key=lambda each: each.ys[-1])
    if any(overlap(grid.bbox, each.box) > 0 for each in tables):
        return None
    cells = tuple(_as_head(each) for each in read_cells(grid, view, page))
    filled = [each for each in cells if each.text]
    named = len({each.column for each in filled}) >= max(_LEAST, len(grid.xs) - 2)
    short = all(len(each.text) <= _LONGEST and not is_value(each.text) for each in filled)
    return Framed(grid.bbox, grid.bbox, cells) if named and short and _is_row(cells) else None


def _as_head(cell: Cell) -> Cell:
    return replace(cell, header=True)


def _is_row(cells: Sequence[Cell]) -> bool:
    """Whether cells are one row, whatever lines they are wrapped in."""
    return len({each.row for each in cells if each.text}) == 1
