"""Mends the rows of a grid: those that hold several, and those that are half of one.

Which lines are one row is told in `wrapping`; rows of headings are mended in `heads`.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from finrag_pipeline.stages.tables.crossing import Rule
from finrag_pipeline.stages.tables.phrases import Word, box_of, overlap_of, text_rows
from finrag_pipeline.stages.tables.repair import slot_of
from finrag_pipeline.stages.tables.ruled import Grid
from finrag_pipeline.stages.tables.torn import WHOLE
from finrag_pipeline.stages.tables.wrapping import Line, ends, pitch_of, rows_of

#: The middle of a label lies so near that of the lines it stands for, in their height.
_HALF = 0.5


def split_rows(grid: Grid, words: Sequence[Word]) -> Grid:
    """Part each row whose lines hold figures in the same columns: it is several rows.

    Frames often have no rule between rows. Lines with a label alone go on with the row above or
    below them, or name a group of rows.
    """
    tall = {r for r0, r1, _, _ in grid.spans if r1 - r0 > 1 for r in range(r0, r1)}
    rows: dict[int, list[Word]] = {}
    columns: dict[int, list[Word]] = {}
    for word in words:
        row, column = slot_of(grid, word)
        rows.setdefault(row, []).append(word)
        columns.setdefault(column, []).append(word)
    rights = ends(columns, grid.xs) if grid.ruled else []
    wide = {r for r0, r1, c0, _ in grid.spans if c0 == 0 for r in range(r0, r1)}
    edges: list[float] = []
    labelled: list[tuple[float, float]] = []
    for number, held in rows.items():
        if number in tall:
            continue
        lines = [line_of(grid, row) for row in text_rows(held)]
        if grid.ruled and _torn(lines):
            continue
        if grid.ruled and number not in wide and _label_for_all(lines):
            lines = [line for line in lines if line.figures]
            labelled.append((grid.ys[number], grid.ys[number + 1]))
            edges += [(a.levels[1] + b.levels[0]) / 2 for a, b in pairwise(lines)]
        else:
            edges += _row_edges(lines, rights, first=number == 0)
    for edge in sorted(edges):
        at = bisect_right(grid.ys, edge)
        spans = tuple((r0 + (r0 >= at), r1 + (r1 >= at), c0, c1) for r0, r1, c0, c1 in grid.spans)
        grid = replace(grid, ys=(*grid.ys[:at], edge, *grid.ys[at:]), spans=spans)
    labels = tuple((grid.ys.index(top), grid.ys.index(end), 0, 1) for top, end in labelled)
    return replace(grid, spans=grid.spans + labels)


def _torn(lines: Sequence[Line]) -> bool:
    """Whether most figures that stand under one another are one that its cell is too narrow for:
    18,079,461,4 over 82.75."""
    columns: dict[int, list[str]] = {}
    for line in lines:
        for column in line.cells:
            if column:
                text = "".join(word.text for word in line.cells[column])
                columns.setdefault(column, []).append(text)
    pairs = [pair for texts in columns.values() for pair in pairwise(texts)]
    torn = sum(
        not WHOLE.match(upper) and bool(WHOLE.match(upper + lower)) for upper, lower in pairs
    )
    return torn > 0 and 2 * torn > len(pairs)


def _label_for_all(lines: Sequence[Line]) -> bool:
    """Whether one label stands at the middle of several lines of figures between two rules."""
    body = [line for line in lines if line.figures]
    named = [line for line in lines if 0 in line.cells]
    beside = [line for line in named if line.figures]
    alone = all(line.figures or set(line.cells) == {0} for line in lines)
    if len(body) < 2 or not alone or not named or len(beside) > 1:
        return False
    if any(len(line.figures) < 2 for line in body):
        return False  # a text of several lines, perhaps
    middle = (named[0].levels[0] + named[-1].levels[1]) / 2
    return abs(middle - (body[0].levels[0] + body[-1].levels[1]) / 2) < _HALF * lines[0].height


def _row_edges(lines: Sequence[Line], rights: Sequence[float], first: bool) -> list[float]:
    """Where the rows in one row of a grid part."""
    body = [line for line in lines if line.figures]
    columns = {column for line in lines for column in line.cells} - {0}
    if first and len(lines) > 1 and all(2 * len(x.figures) > len(columns) for x in lines[1:]):
        body = lines  # headings above rows of figures
    # a text in several lines beside one figure is one row; figures in all columns are not
    held = [sum(c in (line.figures or line.cells) for line in body) for c in columns]
    if max(held, default=0) < 2:
        return []  # the figures of one row stand at different heights
    stacked = sum(2 * count >= len(body) for count in held)
    plain = all(line.figures or set(line.cells) <= {0} for line in lines[1:])
    if len(body) < (3 if len(columns) == 1 else 2) or not plain or 2 * stacked < len(columns):
        return []
    groups = rows_of(lines, rights, pitch_of(lines))
    boxes = [box_of(w for line in g for cell in line.cells.values() for w in cell) for g in groups]
    return [(above[3] + below[1]) / 2 for above, below in pairwise(boxes)]


def line_of(grid: Grid, words: Sequence[Word]) -> Line:
    """A printed line by the columns of a grid."""
    cells: dict[int, list[Word]] = {}
    for word in words:
        cells.setdefault(slot_of(grid, word)[1], []).append(word)
    return Line(cells)


def join_wrapped(grid: Grid, words: Sequence[Word], horizontal: Sequence[Rule], top: int) -> Grid:
    """Join rows of a grid that nobody ruled where the lower one only goes on in the upper one.

    Args:
        grid: one row a printed line at most.
        words: in it.
        horizontal: rules, which part rows.
        top: rows of headings, which are left alone.
    """
    if grid.ruled or grid.spans or len(grid.ys) < 4:
        return grid
    rows: dict[int, list[Word]] = {}
    for word in words:
        row = slot_of(grid, word)[0]
        if row >= top:
            rows.setdefault(row, []).append(word)
    lines = {row: line_of(grid, held) for row, held in sorted(rows.items())}
    pitch = pitch_of(list(lines.values()))
    bands: list[list[int]] = []
    for row in lines:
        joint = bands and not ruled_between(
            horizontal, grid, box_of(rows[bands[-1][-1]]), box_of(rows[row])
        )
        bands = [*bands[:-1], [*bands[-1], row]] if joint else [*bands, [row]]
    drop: set[int] = set()
    for band in bands:
        held = iter(band)
        for group in rows_of([lines[row] for row in band], [], pitch):
            numbers = [next(held) for _ in group]
            drop |= set(range(numbers[0] + 1, numbers[-1] + 1))
    return replace(grid, ys=tuple(y for i, y in enumerate(grid.ys) if i not in drop))


def ruled_between(
    horizontal: Sequence[Rule], grid: Grid, above: Sequence[float], below: Sequence[float]
) -> bool:
    """Whether rules run between two boxes on a tenth of a grid's width."""
    low, high = (above[1] + above[3]) / 2, (below[1] + below[3]) / 2
    width = grid.xs[-1] - grid.xs[0]
    held = sum(
        overlap_of(rule.start, rule.stop, grid.xs[0], grid.xs[-1])
        for rule in horizontal
        if low < rule.at < high
    )
    return held > 0.1 * width
