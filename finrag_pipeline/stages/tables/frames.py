"""Reads what one frame of a page holds: one table, or several side by side and stacked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from finrag_pipeline.records import Box, Cell
from finrag_pipeline.stages.cleaning.geometry import bounds
from finrag_pipeline.stages.tables.blocks import (
    blocks,
    longer,
    may_be_title,
    with_years_of,
    without_empty_rows,
)
from finrag_pipeline.stages.tables.context import SOURCE, title_rows
from finrag_pipeline.stages.tables.grid import read_cells
from finrag_pipeline.stages.tables.ink import View
from finrag_pipeline.stages.tables.names import is_statement_name
from finrag_pipeline.stages.tables.periods import heading_periods
from finrag_pipeline.stages.tables.phrases import Word, is_value
from finrag_pipeline.stages.tables.repair import inside
from finrag_pipeline.stages.tables.ruled import Grid
from finrag_pipeline.stages.tables.side_by_side import is_beside_contacts, lane_of, lanes
from finrag_pipeline.stages.tables.torn import mended
from finrag_pipeline.stages.tables.wrapped import join_labels
from finrag_pipeline.stages.tables.year_heads import part_heads, with_years_above

#: Tables that differ by less at their sides, in points, are as wide as one another; parts of one
#: stand no further apart than a row.
_SHIFT_PT, _NEXT_PT = 24.0, 12.0
#: Rows of running feet that a frame takes in below its source, at most.
_FEET = 3


@dataclass(frozen=True, slots=True)
class Framed:
    """A table in a frame: both boxes in the view's coordinates, and what its own first rows say."""

    frame: Box
    box: Box
    cells: tuple[Cell, ...]
    title: str | None = None
    unit: str | None = None
    note: str | None = None


def read_frames(
    grids: Sequence[tuple[Grid, bool]], view: View, page: int
) -> Iterator[tuple[Framed, bool]]:
    """The tables of the frames of a page, lane by lane from the left, each lane from the top.

    Args:
        grids: frames as rules, the layout model or white space show them, from the top, and
            whether the layout model claims each.
        view: what is printed.
        page: number, for the cells.

    Yields:
        Tables, and whether their frame is claimed.
    """
    before: tuple[Grid, list[float]] | None = None
    for grid, claimed in grids:
        grid, whole = _read_whole(grid, view, page)
        title, unit, cells = title_rows(whole)
        lefts = [_lane_left(cells, first, view) for first in lanes(cells)[1:]]
        if not lefts and before is not None and _follows(grid, before[0]):
            # one frame, told as two: the lower has no names or years of its own to tell lanes by
            lefts = before[1]
        before = (grid, lefts)
        if lefts:
            found = _side_by_side(grid, cells, lefts, unit, view, page)
        else:
            parted = _parted(grid, view)
            if parted != grid:
                title, unit, cells = title_rows(mended(read_cells(parted, view, page)))
            found = _stacked(cells, grid.bbox, grid.bbox, view, title, unit)
        yield from ((framed, claimed) for framed in found)


def _read_whole(grid: Grid, view: View, page: int) -> tuple[Grid, tuple[Cell, ...]]:
    """A grid with the years above it and without contacts beside it, and its cells."""
    grid = with_years_above(grid, view)
    whole = mended(read_cells(grid, view, page))
    if is_beside_contacts(whole):
        grid = lane_of(grid, _boxes(whole, view), _left(whole, 1, view), grid.xs[-1])
        whole = _read(grid, view, page)
    return grid, whole


def _side_by_side(
    grid: Grid,
    cells: Sequence[Cell],
    lefts: Sequence[float],
    unit: str | None,
    view: View,
    page: int,
) -> list[Framed]:
    bottom = _source(cells, view)
    frame = _above(grid, bottom).bbox
    found: list[Framed] = []
    for left, right in pairwise((grid.xs[0], *lefts, grid.xs[-1])):
        lane = _above(lane_of(grid, _boxes(cells, view), left, right), bottom)
        held = without_empty_rows(_read(lane, view, page))
        found += _stacked(held, frame, lane.bbox, view, None, unit)
    return found


def _follows(grid: Grid, above: Grid) -> bool:
    """Whether a frame stands right below another that is as wide."""
    x0, y0, x1, _ = grid.bbox
    over = above.bbox
    return abs(x0 - over[0]) + abs(x1 - over[2]) < _SHIFT_PT and 0 <= y0 - over[3] + 2 < _NEXT_PT


def _boxes(cells: Sequence[Cell], view: View) -> list[Box]:
    return [view.from_page(cell.bbox) for cell in cells if cell.bbox is not None]


def continued(tables: Sequence[Framed], view: View) -> list[Framed]:
    """Tables of a page with those that another drew the years of: cut off it, or named below it.

    A table without years and name right below one with the same columns is the rest of it, with
    the heading of its rows where one stands between them; a statement without years has those of
    the one above.
    """
    found: list[Framed] = []
    for table in tables:
        above = _right_above(table, found)
        band = [] if above is None else _between(above, table, view)
        rest = None
        if above is not None and not table.title:
            rest = longer(above.cells, _under(table.cells, band))
        near = above is not None and table.box[1] - above.box[3] < _NEXT_PT * (1 + bool(band))
        if above is not None and rest and near:
            box = bounds((above.box, table.box))
            found[found.index(above)] = replace(
                above, box=box, cells=rest, note=table.note or above.note
            )
        elif above is not None and is_statement_name(table.title or ""):
            cells = with_years_of(table.cells, above.cells) or table.cells
            found.append(replace(table, cells=cells))
        else:
            found.append(table)
    return found


def _between(above: Framed, table: Framed, view: View) -> list[Cell]:
    """What a shaded row between two parts of a table says, which each of them leaves out: one
    heading at its left."""
    words = [
        each
        for each in view.words
        if above.box[3] - 1 < each.y < table.box[1] + 1 and table.box[0] < each.x < table.box[2]
    ]
    text = " ".join(each.text for each in sorted(words, key=lambda each: each.bbox[0]))
    left = min((each.bbox[0] for each in words), default=table.box[2])
    led = left - table.box[0] < _SHIFT_PT
    if not text or not led or not may_be_title(text) or SOURCE.match(text):
        return []
    page = next((cell.page for cell in table.cells), None)
    return [Cell(0, 0, text, view.to_page(bounds([each.bbox for each in words])), page=page)]


def _under(cells: Sequence[Cell], heading: Sequence[Cell]) -> tuple[Cell, ...]:
    return (*heading, *(replace(cell, row=cell.row + len(heading)) for cell in cells))


def _right_above(table: Framed, others: Sequence[Framed]) -> Framed | None:
    """The nearest table above one, as wide as it is."""
    x0, y0, x1, _ = table.box
    over = [
        other
        for other in others
        if other.box[3] <= y0 + 2 and abs(other.box[0] - x0) + abs(other.box[2] - x1) < _SHIFT_PT
    ]
    return max(over, key=lambda other: other.box[3], default=None)


def _read(grid: Grid, view: View, page: int) -> tuple[Cell, ...]:
    """The cells of a grid that holds one lane."""
    return mended(read_cells(_parted(grid, view), view, page))


def _parted(grid: Grid, view: View) -> Grid:
    """A grid of one lane with its years in a row of their own and wrapped labels in one."""
    words = inside(grid, view.words)
    return join_labels(part_heads(grid, words), words, view.horizontal)


def _stacked(
    cells: tuple[Cell, ...],
    frame: Box,
    box: Box,
    view: View,
    title: str | None,
    unit: str | None,
) -> list[Framed]:
    found = blocks(cells)
    if len(found) == 1:
        only = found[0]
        return [Framed(frame, box, only.cells, title or only.title, only.unit or unit)]
    return [
        Framed(
            frame,
            _box(block.cells, view) or box,
            without_empty_rows(block.cells),
            block.title or (title if block is found[0] else None),
            block.unit or unit,
        )
        for block in found
    ]


def _source(cells: Sequence[Cell], view: View) -> float | None:
    """Where the source of a frame begins, if it is among the last rows: what is below is none."""
    last = max((cell.row for cell in cells), default=0)
    tops = [
        view.from_page(cell.bbox)[1]
        for cell in cells
        if cell.row >= last - _FEET and cell.bbox is not None and SOURCE.match(cell.text)
    ]
    return min(tops, default=None)


def _above(grid: Grid, bottom: float | None) -> Grid:
    """The rows of a grid above a height."""
    if bottom is None:
        return grid
    ys = tuple(y for y in grid.ys if y < bottom + 1)
    spans = [(r0, min(r1, len(ys) - 1), c0, c1) for r0, r1, c0, c1 in grid.spans]
    kept = tuple(s for s in spans if s[0] < s[1] and (s[1] - s[0]) * (s[3] - s[2]) > 1)
    return replace(grid, ys=ys, spans=kept) if len(ys) > 2 else grid


def _lane_left(cells: Sequence[Cell], column: int, view: View) -> float:
    """Where the labels of a lane begin; the last figures of its neighbour may stand close by."""
    left = _left(cells, column, view)
    held = [cell for cell in cells if cell.column == column and cell.bbox is not None and cell.text]
    boxes = _boxes(held, view)
    rows = [
        sorted((w for w in view.words if _within(w, box)), key=lambda w: w.bbox[0]) for box in boxes
    ]
    pairs = [row[:2] for row in rows if len(row) > 1]
    led = [(figure, label) for figure, label in pairs if _is_led(figure.text, label.text)]
    if 2 * len(led) < len(rows):
        return left
    start = min(label.bbox[0] for _, label in led) - 0.5
    return start if all(figure.bbox[2] < start + 1 for figure, _ in led) else left


def _is_led(first: str, second: str) -> bool:
    """Whether a figure or a year stands before a label."""
    named = is_value(second) or heading_periods(second)
    return bool(is_value(first) or heading_periods(first)) and not named


def _within(word: Word, box: Box) -> bool:
    return box[0] <= word.x < box[2] and box[1] <= word.y < box[3]


def _left(cells: Sequence[Cell], column: int, view: View) -> float:
    """The left edge of a column in the view's coordinates."""
    return min(
        view.from_page(cell.bbox)[0]
        for cell in cells
        if cell.column == column and cell.bbox is not None
    )


def _box(cells: Sequence[Cell], view: View) -> Box | None:
    drawn = _boxes(cells, view)
    return bounds(drawn) if drawn else None
