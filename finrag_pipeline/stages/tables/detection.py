"""Finds the grids of a page: rules, the layout model's tables, rows of aligned figures.

What stands in a grid is read in `grid`; what is no table after all is told apart here.
"""

from __future__ import annotations

import itertools
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from finrag_pipeline.records import Box, Cell
from finrag_pipeline.stages.cleaning.geometry import overlap
from finrag_pipeline.stages.cleaning.passages import is_disclaimer_sentence
from finrag_pipeline.stages.cleaning.rules import is_contact_text
from finrag_pipeline.stages.cleaning.text import is_prose, weight
from finrag_pipeline.stages.tables.aligned import aligned_grids, column_edges, grid_of, levelled
from finrag_pipeline.stages.tables.banded import under_bands, under_its_heads
from finrag_pipeline.stages.tables.ink import View
from finrag_pipeline.stages.tables.lined import lined_grids
from finrag_pipeline.stages.tables.phrases import Word, box_of, is_value, phrases, text_rows
from finrag_pipeline.stages.tables.repair import inside, slot_of
from finrag_pipeline.stages.tables.ruled import Grid, ruled_grids
from finrag_pipeline.stages.tables.stacked import parted

#: Boxes that share this much of their union are the same table.
_SAME = 0.8
#: Fewer rows of text, and rows with fewer characters than this, may as well be cells.
_TEXT_ROWS, _TEXT_WEIGHT = 6, 15
#: A ruled grid with this share of it in a layout box belongs to that box.
_WITHIN = 0.85
#: Two grids that share more than this of one of them are readings of one table.
_TOUCH = 0.25
#: Letters reach beyond the rules around them by no more, in points.
_EDGE_PT = 4.0


def find_grids(view: View, layout: Sequence[Mapping[str, Any]]) -> list[tuple[Grid, bool]]:
    """The grids of one view of a page, from the top, and whether the layout model claims each.

    Args:
        view: what is printed.
        layout: groups of the layout model in the page's coordinates; empty where it did not run.
    """
    drawn = [grid for grid in ruled_grids(view.horizontal, view.vertical) if _filled(grid, view)]
    groups = [(str(g["class_name"]), view.from_page(tuple(g["group_bbox"][:4])), g) for g in layout]
    pictures = [box for kind, box, _ in groups if kind == "picture"]
    found: list[tuple[Grid, bool]] = []
    used: set[int] = set()
    for kind, box, group in groups:
        if not kind.startswith("table") or _is_page_of(box, groups):
            continue
        within = [i for i, grid in enumerate(drawn) if overlap(grid.bbox, box) > _WITHIN]
        touching = {i for i, grid in enumerate(drawn) if overlap(box, grid.bbox) > _TOUCH}
        used |= set(within) | touching
        same = [i for i in {*within, *touching} if _same(drawn[i].bbox, box)]
        if same and not _crowded(drawn[same[0]], view):
            found.append((under_its_heads(drawn[same[0]], box, view.words), True))
        elif len(within) > 1 and not any(_crowded(drawn[i], view) for i in within):
            found += [(drawn[i], True) for i in within]
        else:
            grid = _model_grid(box, group, view)
            if grid is not None and _merges(grid, view):
                spaced = _spaced_grid(box, view)
                grid = spaced if spaced and _is_of_figures(spaced, view) else grid
            if grid is not None:
                grid = _without_text_columns(grid, view)
            if grid is not None:
                found.append((grid, True))
    found += [
        (grid, False)
        for i, grid in enumerate(drawn)
        if i not in used and not _is_chart(grid, view, pictures)
    ]
    found = [part for grid, claimed in found for part in _parts(grid, claimed, view)]
    tables = [grid.bbox for grid, _ in found]
    taken = [*tables, *pictures]
    free = [
        word
        for word in view.words
        if not any(b[0] <= word.x <= b[2] and b[1] <= word.y <= b[3] for b in taken)
    ]
    # rules of tables bound what stands between them, too: lines that state their units are none
    lined = [
        grid
        for grid in lined_grids(free, view.horizontal)
        if not any(overlap(each, grid.bbox) > _TOUCH for each in tables)
    ]
    open_grids = under_bands(_bounded(aligned_grids(free), lined), drawn, view.words)
    headed = {grid.ys[0] for grid in open_grids}
    found = [each for each in found if each[0].ys[0] not in headed]
    for grid in open_grids:
        found += _parts(grid, not layout, view)
    return sorted(found, key=lambda item: (item[0].ys[0], item[0].xs[0]))


def _is_page_of(box: Box, groups: Sequence[tuple[str, Box, Mapping[str, Any]]]) -> bool:
    """Whether what the layout model calls a table is a page of columns: headings of text and
    another table lie in it."""
    within = [kind for kind, other, _ in groups if other != box and _holds(box, other)]
    tables = sum(kind.startswith("table") for kind in within)
    return tables > 0 and len(within) > tables


def _bounded(aligned: Sequence[Grid], lined: Sequence[Grid]) -> list[Grid]:
    """Grids that white space shows, in the bounds that rules give them, and those of rules alone.

    Rules that do not hold all that white space shows, or hold several such grids, draw no table.
    """
    grids = list(aligned)
    for grid in lined:
        meets = [other for other in grids if overlap(other.bbox, grid.bbox) > 0]
        if not meets:
            grids.append(grid)
        elif len(meets) == 1 and _holds(grid.bbox, meets[0].bbox):
            grids[grids.index(meets[0])] = grid
    return grids


def _holds(outer: Box, inner: Box) -> bool:
    return (
        outer[0] - _EDGE_PT <= inner[0]
        and outer[1] - _EDGE_PT <= inner[1]
        and outer[2] + _EDGE_PT >= inner[2]
        and outer[3] + _EDGE_PT >= inner[3]
    )


def _parts(grid: Grid, claimed: bool, view: View) -> list[tuple[Grid, bool]]:
    """A grid, or those of the tables under one another over which it reaches."""
    boxes = [] if grid.ruled else parted(grid, view.words)
    if len(boxes) < 2:
        return [(grid, claimed)]
    grids = [_spaced_grid(box, view) or _rows_within(grid, box) for box in boxes]
    return [(part, claimed) for part in grids if part is not None]


def _rows_within(grid: Grid, box: Box) -> Grid | None:
    """The rows of a grid that lie in a box."""
    inner = tuple(y for y in grid.ys if box[1] < y < box[3])
    return Grid(grid.xs, (box[1], *inner, box[3])) if inner else None


def is_table(cells: Sequence[Cell], claimed: bool) -> bool:
    """Not a frame around text: two rows, two columns, figures or labels rather than sentences.

    Where only ruling lines, not the layout model, speak for a grid (`claimed` is false), a third
    of running text is enough to make it a frame.
    """
    filled = [cell for cell in cells if cell.text]
    rows: dict[int, list[Cell]] = {}
    for cell in filled:
        rows.setdefault(cell.row, []).append(cell)
    columns = {cell.column for cell in filled}
    if len(rows) < 2 or len(columns) < 2 or len(filled) < 4:
        return False
    total = sum(weight(cell.text) for cell in filled)
    longest = max(filled, key=lambda cell: weight(cell.text))
    if is_prose(longest.text) and 2 * weight(longest.text) > total:
        return False
    prose = sum(weight(cell.text) for cell in filled if is_prose(cell.text))
    if not claimed and 3 * prose > total:
        return False
    full = sum(len(row) > 1 for row in rows.values())
    # boxes joined by arrows hold words alone, and leave most of their rows to one box
    figures = sum(is_value(cell.text) for cell in filled)
    if not claimed and 4 * figures < len(rows) and 10 * full < 7 * len(rows):
        return False
    contacts = sum(is_contact_text(cell.text) for cell in filled)
    legal = sum(is_disclaimer_sentence(cell.text) for cell in filled)
    return 4 * contacts < len(filled) and 4 * legal < len(rows)


def _model_grid(box: Box, group: Mapping[str, Any], view: View) -> Grid | None:
    """The grid that the layout model draws in its box, or the one that white space shows."""
    if view.turn == 0 and "h_lines" in group:
        x0, y0, x1, y1 = box
        inner = [x0 + float(v) for v in group["v_lines"]] or _column_edges(box, view)
        xs = (x0, *inner, x1)
        ys = (y0, *(y0 + float(h) for h in group["h_lines"]), y1)
        if all(b > a for edges in (xs, ys) for a, b in itertools.pairwise(edges)):
            return Grid(xs, ys)
    return _spaced_grid(box, view)


def _spaced_grid(box: Box, view: View) -> Grid | None:
    """The grid that the white space in a box shows."""
    return grid_of(_rows_in(box, view), box)


def _column_edges(box: Box, view: View) -> list[float]:
    return [x for x in column_edges(_rows_in(box, view)) if box[0] < x < box[2]]


def _rows_in(box: Box, view: View) -> list[Sequence[Word]]:
    return levelled(w for w in view.words if box[0] <= w.x <= box[2] and box[1] <= w.y <= box[3])


def _without_text_columns(grid: Grid, view: View) -> Grid | None:
    """A model's grid without an outer column of running text: it reached over a page's gutter."""
    xs = list(grid.xs)
    while len(xs) > 2 and _runs_on(xs[-2], xs[-1], grid.ys, view):
        del xs[-1]
    while len(xs) > 2 and _runs_on(xs[0], xs[1], grid.ys, view):
        del xs[0]
    if len(xs) == len(grid.xs):
        return grid
    # the rows were drawn through both columns, too
    return _spaced_grid((xs[0], grid.ys[0], xs[-1], grid.ys[-1]), view) if len(xs) > 2 else None


def _runs_on(x0: float, x1: float, ys: Sequence[float], view: View) -> bool:
    """Whether text fills the last line of most cells of a column: lines of paragraphs, no cells."""
    rows = text_rows(w for w in view.words if x0 <= w.x < x1 and ys[0] <= w.y < ys[-1])
    last = {bisect_right(ys, row[0].y): box_of(row) for row in rows}
    figures = sum(is_value(row[-1].text) for row in rows)
    if len(last) < _TEXT_ROWS or 2 * figures > len(rows):
        return False
    right = max(box[2] for box in last.values())
    full = [
        right - box[2] < box[3] - box[1] and box[2] - box[0] > 0.6 * (x1 - x0)
        for box in last.values()
    ]
    characters = sum(len(word.text) for row in rows for word in row)
    return sum(full) >= 0.6 * len(full) and characters >= _TEXT_WEIGHT * len(rows)


def _filled(grid: Grid, view: View) -> bool:
    """Whether text stands in at least two rows and columns of a grid of some size."""
    if grid.xs[-1] - grid.xs[0] < 20 or grid.ys[-1] - grid.ys[0] < 10:
        return False
    slots = {slot_of(grid, word) for word in inside(grid, view.words)}
    return len({row for row, _ in slots}) > 1 and len({column for _, column in slots}) > 1


def _same(one: Box, two: Box) -> bool:
    return overlap(one, two) > _SAME and overlap(two, one) > _SAME


def _crowded(grid: Grid, view: View) -> bool:
    """Whether rules leave several columns in one slot: then they draw the outline alone."""
    return any(
        count >= 3
        for held in _held(grid, view)
        for count in Counter(slot for slot, _ in held).values()
    )


def _merges(grid: Grid, view: View) -> bool:
    """Whether two figures of a row stand in one column: a model's grid missed what parts them."""
    return any(
        count > 1
        for held in _held(grid, view)
        for count in Counter(slot for slot, text in held if is_value(text)).values()
    )


def _is_of_figures(grid: Grid, view: View) -> bool:
    """Whether each slot beside the labels holds one figure and nothing else."""
    return not _merges(grid, view) and all(
        is_value(text) for held in _held(grid, view) for (_, column), text in held if column
    )


def _held(grid: Grid, view: View) -> Iterator[list[tuple[tuple[int, int], str]]]:
    """What stands in the slots of a grid, by printed rows."""
    for row in text_rows(inside(grid, view.words)):
        yield [(slot_of(grid, each), each.text) for each in phrases(row, 0.8)]


def _is_chart(grid: Grid, view: View, pictures: Sequence[Box]) -> bool:
    """Grid lines and bars of a chart: next to empty, or in what the model calls a picture.

    A chart names one row and one column, its axes; a table in a picture fills several columns of
    several rows, and some of it is words.
    """
    words = inside(grid, view.words)
    slots = {slot_of(grid, word) for word in words}
    rows = {row for row, _ in slots}
    if any(overlap(grid.bbox, box) > 0.8 for box in pictures):
        filled = Counter(column for _, column in slots)
        dense = {column for column, count in filled.items() if 2 * count >= len(rows)}
        full = [row for row in rows if sum((row, column) in slots for column in dense) > 1]
        named = {slot_of(grid, word) for word in words if not is_value(word.text)}
        return (
            len(full) < max(3, 0.7 * len(rows))
            or 2 * len(rows) < len(grid.ys) - 1
            or 2 * len(named) < len(rows)
        )
    size = (len(grid.xs) - 1) * (len(grid.ys) - 1)
    covered = sum((r1 - r0) * (c1 - c0) for r0, r1, c0, c1 in grid.spans)
    if 2 * covered > size and 7 * len(slots) < size:
        return True  # a few labels in a maze of merged slots
    return len(slots) < 0.15 * (size - covered + len(grid.spans))
