"""Fills a grid with words: cells with text and spans that cover a rectangle exactly once."""

from __future__ import annotations

from collections.abc import Sequence

from finrag_pipeline.records import Cell
from finrag_pipeline.stages.cleaning.text import despace
from finrag_pipeline.stages.tables.crossing import Rule, runs
from finrag_pipeline.stages.tables.grouped_heads import group_heads
from finrag_pipeline.stages.tables.heads import (
    header_rows,
    join_bare_columns,
    join_heads,
    join_parted_columns,
)
from finrag_pipeline.stages.tables.ink import View
from finrag_pipeline.stages.tables.phrases import (
    Word,
    box_of,
    is_value,
    overlap_of,
    phrases,
    text_rows,
)
from finrag_pipeline.stages.tables.repair import (
    inside,
    part_spans,
    slot_of,
    split_columns,
    without_empty,
)
from finrag_pipeline.stages.tables.rows import join_wrapped, split_rows
from finrag_pipeline.stages.tables.ruled import Grid, Span

#: A phrase spans a column edge when it reaches so far, in points, to both sides of it.
_REACH_PT = 4.0
#: The rule of a head goes so far beyond the columns that it may stand over, at most.
_BEYOND_PT = 12.0
#: Heads of one line begin so near each other; one over several stands so near their middle.
_LEVEL_PT, _CENTRED_PT = 2.0, 6.0
#: Words of one phrase that spans columns stand as close as words of a sentence do.
_CLOSE = 0.4


def read_cells(grid: Grid, view: View, page: int) -> tuple[Cell, ...]:
    """Cells of a grid in row-major order; text is that of the words whose middle a cell holds.

    Boxes are in the coordinates of the page; empty cells have theirs too.
    """
    words = inside(grid, view.words)
    if not words:
        return ()
    grid = group_heads(grid, words)
    grid = split_rows(split_columns(part_spans(grid, words), words), words)
    grid = join_bare_columns(without_empty(grid, words), words)
    grid = join_parted_columns(grid, words)
    grid = join_heads(grid, words, view.horizontal)
    grid = join_wrapped(grid, words, view.horizontal, header_rows(grid, words))
    spans = {(s[0], s[2]): s for s in _spans(grid, words, view)}
    owner = {
        (r, c): (r0, c0)
        for r0, r1, c0, c1 in spans.values()
        for r in range(r0, r1)
        for c in range(c0, c1)
    }
    texts: dict[tuple[int, int], list[Word]] = {}
    for word in words:
        slot = slot_of(grid, word)
        texts.setdefault(owner.get(slot, slot), []).append(word)
    cells: list[Cell] = []
    for r in range(len(grid.ys) - 1):
        for c in range(len(grid.xs) - 1):
            if owner.get((r, c), (r, c)) != (r, c):
                continue
            _, r1, _, c1 = spans.get((r, c), (r, r + 1, c, c + 1))
            box = view.to_page((grid.xs[c], grid.ys[r], grid.xs[c1], grid.ys[r1]))
            text = text_of(texts.get((r, c), ()))
            cells.append(Cell(r, c, text, box, r1 - r, c1 - c, page=page))
    return tuple(cells)


def text_of(words: Sequence[Word]) -> str:
    """Words by printed row and from the left, as one line."""
    return despace(" ".join(" ".join(word.text for word in row) for row in text_rows(words)))


def _spans(grid: Grid, words: Sequence[Word], view: View) -> list[Span]:
    """The spans that rules drew and those that headings show by reaching over several columns."""
    drawn = list(grid.spans)
    rows: dict[int, list[Word]] = {}
    for word in words:
        rows.setdefault(slot_of(grid, word)[0], []).append(word)
    taken = {(r, c) for r0, r1, c0, c1 in drawn for r in range(r0, r1) for c in range(c0, c1)}
    top = header_rows(grid, words)
    over: dict[int, tuple[int, int]] = {}  # the head above each column, by where it begins
    for row, held in sorted(rows.items()):
        under = dict(over)
        pieces = [
            phrase
            for line in text_rows(held)
            for run in runs(line, view.vertical)
            for part in _behind_figures(grid, run)
            for phrase in phrases(part, _CLOSE)
        ]
        cells: dict[int, list[Word]] = {}
        for piece in pieces:
            cells.setdefault(slot_of(grid, piece)[1], []).append(piece)
        for column, mine in sorted(cells.items()):
            free = _free(row, column, cells, taken, len(grid.xs) - 1)
            low, high = _reached(grid, free, column, mine)
            if row < top:
                headed = _headed(grid, row, free, column, mine, words, view.horizontal)
                if headed[1] - headed[0] == 1 and row < top - 1:
                    below = [each for each in words if each.y < grid.ys[top]]
                    headed = _level_heads(grid, row, free, column, mine, below) or headed
                # no head stands under two others
                if len({under[c] for c in range(*headed) if c in under}) <= 1:
                    low, high = max((low, high), headed, key=lambda span: span[1] - span[0])
                over |= dict.fromkeys(range(low, high), (row, low))
            if high - low > 1:
                drawn.append((row, row + 1, low, high))
                taken |= {(row, c) for c in range(low, high)}
    return drawn


def _level_heads(
    grid: Grid,
    row: int,
    free: tuple[int, int],
    column: int,
    pieces: Sequence[Word],
    heads: Sequence[Word],
) -> tuple[int, int] | None:
    """The columns around that of a heading over whose middle it stands and whose own heads stand
    in one line under it; None where it heads its own alone."""
    box = box_of(pieces)
    under: dict[int, list[Word]] = {}
    for word in heads:
        if word.y > max(grid.ys[row + 1], box[3]) and free[0] <= slot_of(grid, word)[1] < free[1]:
            under.setdefault(slot_of(grid, word)[1], []).append(word)
    boxes = {each: box_of(held) for each, held in under.items()}
    if column not in boxes:
        return None
    level = boxes[column][1]
    for wide in range(min(column - free[0], free[1] - 1 - column), 0, -1):
        low, high = column - wide, column + wide + 1
        if all(c in boxes and abs(boxes[c][1] - level) <= _LEVEL_PT for c in range(low, high)):
            middle = (boxes[low][0] + boxes[high - 1][2]) / 2
            if abs(middle - (box[0] + box[2]) / 2) <= _CENTRED_PT:
                return low, high
    return None


def _behind_figures(grid: Grid, run: Sequence[Word]) -> list[list[Word]]:
    """The words of a line, parted where a figure ends its column and a label begins the next, close
    as they may stand."""
    parts: list[list[Word]] = [[]]
    for word in run:
        last = parts[-1][-1] if parts[-1] else None
        if last is not None and is_value(last.text) and not is_value(word.text):
            edges = (last.bbox[2] - _REACH_PT, word.bbox[0] + _REACH_PT)
            if any(edges[0] < x < edges[1] for x in grid.xs[1:-1]):
                parts.append([])
        parts[-1].append(word)
    return parts


def _free(
    row: int, column: int, cells: dict[int, list[Word]], taken: set[tuple[int, int]], width: int
) -> tuple[int, int]:
    """The columns around one of a row in which nothing else stands."""
    low, high = column, column + 1
    if (row, column) in taken:
        return low, high
    while low > 0 and low - 1 not in cells and (row, low - 1) not in taken:
        low -= 1
    while high < width and high not in cells and (row, high) not in taken:
        high += 1
    return low, high


def _reached(
    grid: Grid, free: tuple[int, int], column: int, pieces: Sequence[Word]
) -> tuple[int, int]:
    """The free columns over which a text reaches by itself."""
    box = box_of(pieces)
    low, high = column, column + 1
    while low > free[0] and box[0] < grid.xs[low] - _REACH_PT:
        low -= 1
    while high < free[1] and box[2] > grid.xs[high] + _REACH_PT:
        high += 1
    return low, high


def _headed(
    grid: Grid,
    row: int,
    free: tuple[int, int],
    column: int,
    pieces: Sequence[Word],
    words: Sequence[Word],
    horizontal: Sequence[Rule],
) -> tuple[int, int]:
    """The columns that a heading stands over: those its rule underlines, or whose middle it is."""
    box = box_of(pieces)
    if free[1] - free[0] == 1:
        return free
    floor = grid.ys[row + 1]
    for rule in horizontal:
        near = box[3] - 3 <= rule.at <= max(floor, box[3]) + 4
        part = rule.stop - rule.start < 0.9 * (grid.xs[-1] - grid.xs[0])
        # what goes on under the next head is the rule of both
        part = part and rule.start > grid.xs[free[0]] - _BEYOND_PT
        part = part and rule.stop < grid.xs[free[1]] + _BEYOND_PT
        if (
            near
            and part
            and overlap_of(rule.start, rule.stop, box[0], box[2]) > 0.5 * (box[2] - box[0])
        ):
            held = [
                c
                for c in range(*free)
                if overlap_of(rule.start, rule.stop, grid.xs[c], grid.xs[c + 1])
                > 0.4 * (grid.xs[c + 1] - grid.xs[c])
            ]
            if column in held:
                return held[0], held[-1] + 1
    below = [word for word in words if word.y > floor]
    extent: dict[int, tuple[float, float]] = {}
    for c in range(*free):
        mine = [w for w in below if grid.xs[c] <= w.x < grid.xs[c + 1]]
        if mine:
            held_box = box_of(mine)
            extent[c] = (held_box[0], held_box[2])
    best = (column, column + 1)
    middle = (box[0] + box[2]) / 2
    own = extent.get(column)
    if own is None or (0 in range(*free) and column == 0):
        return best
    off = abs((own[0] + own[1]) / 2 - middle)
    for low in range(max(free[0], 1), column + 1):
        for high in range(column + 1, free[1] + 1):
            if high - low > 1 and low in extent and high - 1 in extent:
                away = abs((extent[low][0] + extent[high - 1][1]) / 2 - middle)
                if away < off - 4 and away < 6:
                    best, off = (low, high), away
    return best
