"""Tells tables that stand side by side in one frame: lanes of columns, each with its own labels.

Rows of neighbours are printed at one height but have nothing to do with each other; what stands
under one another within a lane is told apart in `stacked`.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import replace

from finrag_pipeline.records import Box, Cell
from finrag_pipeline.stages.cleaning.contacts import is_contact_text
from finrag_pipeline.stages.tables.names import is_label_heading, is_statement_name, same_name
from finrag_pipeline.stages.tables.periods import heading_periods
from finrag_pipeline.stages.tables.phrases import is_number, is_value
from finrag_pipeline.stages.tables.ruled import Grid, Span

#: A column of labels names at least so many rows, hardly ever the same way, and is words.
_LABELS, _DISTINCT, _WORDS = 3, 0.7, 0.8
#: Share of the rows of figures beside it that it names: wrapped labels leave some of them out.
_NAMED = 0.6
#: Share of contacts in a margin: names and titles stand between them.
_CONTACTS = 0.4
#: Edges nearer than this, in points, are one.
_EDGE_PT = 1.0

_Rows = Sequence[Mapping[int, str]]


def lanes(cells: Sequence[Cell]) -> tuple[int, ...]:
    """First columns of the tables that stand side by side; (0,) where one stands alone.

    A lane begins with a column of labels that has figures on both sides, when its neighbours name
    the same periods, or it repeats the heading over the first labels, or a statement is named in
    it. A second column of words alone (a rating, a code) begins none.
    """
    rows = _rows(cells)
    width = max((cell.column + cell.column_span for cell in cells), default=0)
    starts = [column for column in range(1, width - 1) if _names_rows(rows, column, width)]
    firsts = [0]
    for column in starts:
        stop = next((other for other in starts if other > column), width)
        between = range(firsts[-1] + 1, column)
        beside = range(column + 1, stop)
        if (
            sum(_figures(row, between) for row in rows) >= _LABELS
            and sum(_figures(row, beside) for row in rows) >= _LABELS
            and (_stands_alone(rows, firsts[-1], column, stop) or _is_named(cells, column))
        ):
            firsts.append(column)
    return tuple(firsts)


def is_beside_contacts(cells: Sequence[Cell]) -> bool:
    """Whether the first column is contacts in a page's margin and the second has the labels."""
    rows = _rows(cells)
    width = max((cell.column + cell.column_span for cell in cells), default=0)
    first = [row[0] for row in rows if 0 in row]
    contacts = sum(map(is_contact_text, first))
    return contacts > 1 and _CONTACTS * len(first) <= contacts and _names_rows(rows, 1, width)


def lane_of(grid: Grid, cells: Sequence[Box], left: float, right: float) -> Grid:
    """The part of a grid between two edges in points, with what spans columns cut at them.

    Args:
        grid: the frame.
        cells: boxes of the cells that were read in all of it; they show rows that nobody drew.
        left: edge of the lane, in the coordinates of the grid.
        right: its other edge.
    """
    xs = (left, *(x for x in grid.xs if left + _EDGE_PT < x < right - _EDGE_PT), right)
    ys = list(grid.ys)
    for y in sorted({y for box in cells for y in (box[1], box[3])}):
        at = bisect_left(ys, y)
        if all(abs(y - near) > _EDGE_PT for near in ys[max(at - 1, 0) : at + 1]):
            ys.insert(at, y)
    spans: list[Span] = []
    for r0, r1, c0, c1 in grid.spans:
        if grid.xs[c1] > left + _EDGE_PT and grid.xs[c0] < right - _EDGE_PT:
            a, b = (_nearest(xs, grid.xs[c]) for c in (c0, c1))
            top, bottom = (_nearest(ys, grid.ys[r]) for r in (r0, r1))
            spans.append((top, bottom, a, b))
    kept = tuple(span for span in spans if (span[1] - span[0]) * (span[3] - span[2]) > 1)
    return replace(grid, xs=xs, ys=tuple(ys), spans=kept)


def _nearest(edges: Sequence[float], at: float) -> int:
    return min(range(len(edges)), key=lambda index: abs(edges[index] - at))


def _rows(cells: Sequence[Cell]) -> _Rows:
    rows: dict[int, dict[int, str]] = {}
    for cell in cells:
        if cell.text:
            rows.setdefault(cell.row, {})[cell.column] = cell.text
    return [rows[number] for number in sorted(rows)]


def _figures(row: Mapping[int, str], columns: range) -> bool:
    return any(is_number(row[column]) for column in columns if column in row)


def _names_rows(rows: _Rows, column: int, width: int) -> bool:
    """Whether a column holds labels of the rows of figures to its right."""
    beside = [row for row in rows if _figures(row, range(column + 1, width))]
    texts = [row[column] for row in beside if column in row and not heading_periods(row[column])]
    words = [text for text in texts if not is_value(text) and any(map(str.isalpha, text))]
    return len(words) >= max(_LABELS, _WORDS * len(texts), _NAMED * len(beside)) and len(
        set(words)
    ) >= _DISTINCT * len(words)


def _stands_alone(rows: _Rows, first: int, column: int, stop: int) -> bool:
    """Whether what begins in a column is a table of its own beside the one that begins at first."""
    left = _periods(rows, range(first + 1, column))
    right = _periods(rows, range(column + 1, stop))
    if len(left) > 1 and len(right) > 1 and left & right:
        return True
    heads = ((row[first], row[column]) for row in rows if first in row and column in row)
    one, two = next(heads, ("", ""))
    return same_name(one, two) and is_label_heading(one)


def _is_named(cells: Sequence[Cell], column: int) -> bool:
    """Whether the name of a statement stands in a column or over it."""
    return any(
        cell.column <= column < cell.column + cell.column_span and is_statement_name(cell.text)
        for cell in cells
        if cell.column > 0
    )


def _periods(rows: _Rows, columns: range) -> set[str]:
    """The periods of the row of some columns that names most."""
    found = [
        {period for column in columns for period in heading_periods(row.get(column, ""))}
        for row in rows
        if not _figures(row, columns)
    ]
    return max(found, key=len, default=set())
