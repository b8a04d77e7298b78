"""Mends the columns and merged cells of a grid by what stands in them; `rows` mends its rows.

Each function takes a grid and the words in it and gives a grid; cells are filled in `grid`.
"""

from __future__ import annotations

import itertools
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from statistics import median

from finrag_pipeline.stages.tables.phrases import (
    Word,
    is_mark,
    is_value,
    phrases,
    text_rows,
)
from finrag_pipeline.stages.tables.ruled import Grid, Span

#: White space that parts two columns, as a share of the letters' height.
_STRIP = 0.8
#: Share of a column's rows that must show both sides of a strip, and may be crossed by it.
_BOTH, _CROSSED = 0.5, 0.2
#: Two lines of one cell stand closer than this share of what parts the table's rows.
_TIGHT = 0.6
#: Rules closer than this, in points, are a double one.
_SLIVER_PT = 7.0


def inside(grid: Grid, words: Sequence[Word]) -> list[Word]:
    """The words whose middle lies in a grid."""
    x0, y0, x1, y1 = (2 * edge for edge in grid.bbox)
    return [
        word
        for word in words
        if x0 <= word.bbox[0] + word.bbox[2] < x1 and y0 <= word.bbox[1] + word.bbox[3] < y1
    ]


def slot_of(grid: Grid, word: Word) -> tuple[int, int]:
    """Row and column that hold a word's middle."""
    # asked for every word of a page many times over: no properties, no calls but these
    x0, y0, x1, y1 = word.bbox
    rows, columns = len(grid.ys) - 1, len(grid.xs) - 1
    row = bisect_right(grid.ys, (y0 + y1) / 2, 1, rows) - 1
    column = bisect_right(grid.xs, (x0 + x1) / 2, 1, columns) - 1
    return row, column


def split_columns(grid: Grid, words: Sequence[Word]) -> Grid:
    """Part each column in which a strip of white space runs between two texts on most rows."""
    wide = {
        (r, c)
        for r0, r1, c0, c1 in grid.spans
        if c1 - c0 > 1
        for r in range(r0, r1)
        for c in range(c0, c1)
    }
    columns: dict[int, list[Word]] = {}
    for word in words:
        slot = slot_of(grid, word)
        if slot not in wide:
            columns.setdefault(slot[1], []).append(word)
    edges: list[float] = []
    for column in sorted(columns):
        edges += _strips(columns[column])
    return _with_columns(grid, edges)


def _strips(words: Sequence[Word]) -> list[float]:
    rows = [phrases(row, _STRIP) for row in text_rows(words)]
    gaps = [
        (left.bbox[2], right.bbox[0])
        for row in rows
        for left, right in itertools.pairwise(row)
        if not is_mark(left.text) and not is_mark(right.text)
    ]
    if len(rows) < 3 or 2 * len(gaps) < len(rows):
        return []
    edges: list[float] = []
    while gaps:
        # the strip that most gaps share: it ends where the first of them ends
        best, held = 0.0, list[tuple[float, float]]()
        for _, stop in gaps:
            sharing = [gap for gap in gaps if gap[0] < stop <= gap[1]]
            if len(sharing) > len(held):
                best, held = stop, sharing
        at = (max(start for start, _ in held) + best) / 2
        crossed = sum(any(p.bbox[0] < at < p.bbox[2] for p in row) for row in rows)
        if len(held) < max(2, _BOTH * len(rows)) or crossed > _CROSSED * len(rows):
            break
        right = [
            next(p for p in row if p.bbox[0] >= at)
            for row in rows
            if any(p.bbox[2] <= at for p in row) and any(p.bbox[0] >= at for p in row)
        ]
        if _level(right):
            edges.append(at)
        gaps = [gap for gap in gaps if not gap[0] < at < gap[1]]
    return edges


def _level(column: Sequence[Word]) -> bool:
    """Whether texts form a column: figures, or one edge in common."""
    if 10 * sum(is_value(word.text) for word in column) >= 6 * len(column):
        return True
    for side in (0, 2):
        middle = median(word.bbox[side] for word in column)
        if 10 * sum(abs(word.bbox[side] - middle) < 3 for word in column) >= 8 * len(column):
            return True
    return False


def _with_columns(grid: Grid, edges: Sequence[float]) -> Grid:
    for edge in sorted(edges):
        at = bisect_right(grid.xs, edge)
        if min(abs(edge - x) for x in grid.xs) < 1:
            continue
        spans = tuple((r0, r1, c0 + (c0 >= at), c1 + (c1 >= at)) for r0, r1, c0, c1 in grid.spans)
        # what spans rows in the parted column spans them on both sides
        tall = [s for s in spans if s[1] - s[0] > 1 and s[2] == at - 1 and s[3] == at + 1]
        kept = tuple(s for s in spans if s not in tall)
        halves = tuple(
            h for r0, r1, _, _ in tall for h in ((r0, r1, at - 1, at), (r0, r1, at, at + 1))
        )
        grid = replace(grid, xs=(*grid.xs[:at], edge, *grid.xs[at:]), spans=kept + halves)
    return grid


def part_spans(grid: Grid, words: Sequence[Word]) -> Grid:
    """Part each merged cell whose text stands in several columns, or in rows of figures.

    Rules often draw no more than the outline of a heading or a row; then white space over an edge
    of the grid tells where one cell ends.
    """
    spans: list[Span] = []
    for r0, r1, c0, c1 in grid.spans:
        held = [
            word
            for word in words
            if grid.ys[r0] <= word.y < grid.ys[r1] and grid.xs[c0] <= word.x < grid.xs[c1]
        ]
        lines = [phrases(line, _STRIP) for line in text_rows(held)]
        if r1 - r0 > 1 and len(lines) > 2 and _stacked(lines):
            spans += [(row, row + 1, c0, c1) for row in range(r0, r1) if c1 - c0 > 1]
            continue
        cuts = [c for c in range(c0 + 1, c1) if _parts(lines, grid, c, c0, c1)]
        sides = [c0, *cuts, c1]
        spans += [(r0, r1, a, b) for a, b in itertools.pairwise(sides) if (r1 - r0) * (b - a) > 1]
    return replace(grid, spans=tuple(spans))


def _stacked(lines: Sequence[Sequence[Word]]) -> bool:
    """Whether each line of a cell is an entry of its own: a figure, or begins with one."""
    entries = sum(any(char.isdigit() for char in line[0].text[:2]) for line in lines)
    return 5 * entries >= 4 * len(lines)


def _parts(lines: Sequence[Sequence[Word]], grid: Grid, column: int, low: int, high: int) -> bool:
    """Whether white space between two texts lies over a column edge, nearest to its middle."""
    votes = crossed = 0
    for line in lines:
        crossed += any(p.bbox[0] + 2 < grid.xs[column] < p.bbox[2] - 2 for p in line)
        for left, right in itertools.pairwise(line):
            middle = (left.bbox[2] + right.bbox[0]) / 2
            edges = [
                c
                for c in range(low + 1, high)
                if left.bbox[2] - 2 <= grid.xs[c] <= right.bbox[0] + 2
            ]
            if edges and column == min(edges, key=lambda c: abs(grid.xs[c] - middle)):
                votes += 1
    return votes > crossed


def without_empty(grid: Grid, words: Sequence[Word]) -> Grid:
    """The grid without rows and columns in which nothing stands, of a ruled one without slivers."""
    slots = [slot_of(grid, word) for word in words]
    rows = {row for row, _ in slots}
    columns = {column for _, column in slots}
    for r0, r1, c0, c1 in grid.spans:
        if any(r0 <= row < r1 and c0 <= column < c1 for row, column in slots):
            # a merged cell keeps one line of each kind, wherever in it its text stands
            rows |= set() if rows & set(range(r0, r1)) else {r0}
            columns |= set() if columns & set(range(c0, c1)) else {c0}
    if not rows or not columns:
        return grid
    if grid.ruled:
        # its empty rows and columns are the author's, and the next page may fill them
        rows |= {i for i, (a, b) in enumerate(pairwise(grid.ys)) if b - a > _SLIVER_PT}
        columns |= {i for i, (a, b) in enumerate(pairwise(grid.xs)) if b - a > _SLIVER_PT}
    keep_rows, keep_columns = sorted(rows), sorted(columns)
    spans: list[Span] = []
    for r0, r1, c0, c1 in grid.spans:
        a, b = bisect_right(keep_rows, r0 - 1), bisect_right(keep_rows, r1 - 1)
        c, d = bisect_right(keep_columns, c0 - 1), bisect_right(keep_columns, c1 - 1)
        if b > a and d > c and (b - a) * (d - c) > 1:
            spans.append((a, b, c, d))
    return replace(
        grid,
        xs=_edges(grid.xs, keep_columns),
        ys=_edges(grid.ys, keep_rows),
        spans=tuple(spans),
    )


def _edges(edges: Sequence[float], kept: Sequence[int]) -> tuple[float, ...]:
    inner = [edges[after] for after in kept[1:]]
    return (edges[kept[0]], *inner, edges[kept[-1] + 1])
