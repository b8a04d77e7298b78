"""Finds the row of years of a grid where rules hide it: glued to the first row, or above the frame.

Colours draw such rows as often as rules do: white years on a dark band have no line below them.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from finrag_pipeline.stages.tables.ink import View
from finrag_pipeline.stages.tables.names import is_label_heading, is_statement_name
from finrag_pipeline.stages.tables.periods import heading_periods
from finrag_pipeline.stages.tables.phrases import Word, box_of, is_number, phrases, text_rows
from finrag_pipeline.stages.tables.repair import inside, slot_of
from finrag_pipeline.stages.tables.ruled import Grid, Span

#: Years stand at most so many of their line heights above the frame that they head.
_ABOVE = 2.0
#: Rows follow one another at one distance, give or take this share.
_EVEN = 0.2


def part_heads(grid: Grid, words: Sequence[Word]) -> Grid:
    """Part rows of years from the row below them that stands in the same slots.

    Args:
        grid: of one lane.
        words: those in it.
    """
    lines = [phrases(row) for row in text_rows(words)]
    for at, line in enumerate(lines[:-1]):
        if not _is_years(line):
            continue
        below = lines[at + 1]
        figures = sum(is_number(word.text) for word in below)
        alone = len(below) == 1 and not _is_tall(grid, below[0])
        if figures > 1 or (alone and _even(lines[at : at + 3])):
            grid = _cut(grid, (box_of(line)[3] + box_of(below)[1]) / 2, line, below)
    return grid


def with_years_above(grid: Grid, view: View) -> Grid:
    """A grid with the line of years right above it, where it names none itself.

    Each year stands over a column of its own.
    """
    own = text_rows(inside(grid, view.words))
    if any(_is_years(phrases(row)) for row in own[:3]):
        return grid
    x0, y0, x1, _ = grid.bbox
    over = [w for w in view.words if x0 - 2 < w.x < x1 + 2 and w.y < y0]
    line = phrases(text_rows(over)[-1]) if over else []
    if not _is_years(line) or not all(_heads(word.text) for word in line):
        return grid
    box = box_of(line)
    columns = [bisect_right(grid.xs, word.x) - 1 for word in line if heading_periods(word.text)]
    near = y0 - box[3] < _ABOVE * (box[3] - box[1])
    if not near or len(set(columns)) < len(columns) or 0 in columns:
        return grid
    spans = tuple((r0 + 1, r1 + 1, c0, c1) for r0, r1, c0, c1 in grid.spans)
    return replace(grid, ys=(box[1] - 1, *grid.ys), spans=spans)


def _is_tall(grid: Grid, word: Word) -> bool:
    """Whether a word stands in the middle of a cell that rules draw over several rows."""
    row, column = slot_of(grid, word)
    return any(
        r0 <= row < r1 and c0 <= column < c1 and r1 - r0 > 1 for r0, r1, c0, c1 in grid.spans
    )


def _is_years(line: Sequence[Word]) -> bool:
    named = [word for word in line if heading_periods(word.text)]
    return len(named) > 1 and len(named) >= len(line) - 1


def _heads(text: str) -> bool:
    return bool(heading_periods(text)) or is_label_heading(text) or is_statement_name(text)


def _even(lines: Sequence[Sequence[Word]]) -> bool:
    """Whether three lines follow one another as rows do."""
    if len(lines) < 3:
        return False
    middles = [(box_of(line)[1] + box_of(line)[3]) / 2 for line in lines]
    first, second = (b - a for a, b in pairwise(middles))
    return abs(first - second) < _EVEN * max(first, second)


def _cut(grid: Grid, at: float, above: Sequence[Word], below: Sequence[Word]) -> Grid:
    """A grid with an edge between two lines, and no span over it."""
    high, low = box_of(above), box_of(below)
    between = [y for y in grid.ys if (high[1] + high[3]) / 2 < y < (low[1] + low[3]) / 2]
    if between:
        row = grid.ys.index(between[0])
        spans = grid.spans
    else:
        row = bisect_left(grid.ys, at)
        spans = tuple((r0 + (r0 >= row), r1 + (r1 >= row), c0, c1) for r0, r1, c0, c1 in grid.spans)
        grid = replace(grid, ys=(*grid.ys[:row], at, *grid.ys[row:]))
    parted: list[Span] = []
    for r0, r1, c0, c1 in spans:
        ends = (r0, row, r1) if r0 < row < r1 else (r0, r1)
        parted += [(a, b, c0, c1) for a, b in pairwise(ends) if (b - a) * (c1 - c0) > 1]
    return replace(grid, spans=tuple(parted))
