"""Docling's tables and boxes as the product's records, for PDFs and office files alike."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from finrag_pipeline.records import Box, Cell, Table
from finrag_pipeline.stages.pages.pdf_file import rounded, storable
from finrag_pipeline.stages.tables.units import unit_in

#: Box of what comes from a format without pages.
NO_BOX: Box = (0.0, 0.0, 0.0, 0.0)


def box_of(bbox: Any, page_height: float, scale: float = 1.0) -> Box:
    """A Docling box in points from the top left.

    Args:
        bbox: a `BoundingBox`, of either origin.
        page_height: in Docling's unit.
        scale: points in Docling's unit.
    """
    box = bbox.to_top_left_origin(page_height)
    return rounded((box.l * scale, box.t * scale, box.r * scale, box.b * scale))


def cells_of(data: Any, page: int, page_height: float = 0.0) -> tuple[Cell, ...]:
    """The cells of a Docling table in row-major order, each slot of the grid covered once.

    Args:
        data: a `TableData`.
        page: where the table stands, 1-based.
        page_height: in points; cells of formats without boxes need none.
    """
    cells: list[Cell] = []
    taken: set[tuple[int, int]] = set()
    by_start = sorted(
        data.table_cells, key=lambda cell: (cell.start_row_offset_idx, cell.start_col_offset_idx)
    )
    for cell in by_start:
        row, column = int(cell.start_row_offset_idx), int(cell.start_col_offset_idx)
        slots = {
            (row + down, column + right)
            for down in range(max(int(cell.row_span), 1))
            for right in range(max(int(cell.col_span), 1))
        }
        if slots & taken:
            continue
        taken |= slots
        cells.append(
            Cell(
                row,
                column,
                " ".join(storable(str(cell.text)).split()),
                box_of(cell.bbox, page_height) if cell.bbox is not None else None,
                max(int(cell.row_span), 1),
                max(int(cell.col_span), 1),
                header=bool(cell.column_header),
                page=page if cell.bbox is not None else None,
            )
        )
    height = max((row for row, _ in taken), default=-1) + 1
    width = max((column for _, column in taken), default=-1) + 1
    cells += [
        Cell(row, column, "")
        for row in range(height)
        for column in range(width)
        if (row, column) not in taken
    ]
    return tuple(sorted(cells, key=lambda cell: (cell.row, cell.column)))


def to_table(
    cells: Sequence[Cell], page: int, bbox: Box, title: str | None, around: Sequence[str] = ()
) -> Table | None:
    """A table for `tables.join_pages` to finish, or None for fewer than two rows or columns.

    Args:
        cells: in row-major order.
        page: 1-based.
        bbox: in points.
        title: printed above it.
        around: texts near it that may state the unit.
    """
    filled = [cell for cell in cells if cell.text]
    if len({c.row for c in filled}) < 2 or len({c.column for c in filled}) < 2:
        return None
    unit = unit_in([title or "", *around])
    return Table(ordinal=0, page=page, bbox=bbox, cells=tuple(cells), title=title, unit=unit)
