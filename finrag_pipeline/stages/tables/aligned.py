"""Grids without rules: rows of figures that stand under one another, parted by white space.

Rules and the layout model speak first; this finds what neither of them shows.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median

from finrag_pipeline.records import Box
from finrag_pipeline.stages.cleaning.text import is_prose, weight
from finrag_pipeline.stages.tables.phrases import (
    Word,
    box_of,
    is_number,
    is_value,
    is_year,
    phrases,
    text_rows,
)
from finrag_pipeline.stages.tables.ruled import Grid

#: Rows of one table stand at most this many row heights apart; the ticks of a chart's axis more.
_ROW_GAP = 2.0
#: Rows that share more than this of their height stand on one level; tight leading shares less.
_LEVEL = 0.35
#: A column of texts longer than this, in half-width characters, is running text.
_LONG = 25
#: Rows without figures inside a table: a heading, the second line of a label.
_PLAIN_ROWS = 2
#: Rows above the first figures that may be headings.
_HEADER_ROWS = 4
#: A column edge may be crossed by this share of the rows: headings and totals span columns.
_CROSSED = 0.15
#: Rows of figures from which they alone show the columns.
_BODY_ROWS = 3
#: Narrower white space between headings parts none, in points.
_SLIT_PT = 1.0
#: More than a word space, as a share of the letters' height.
_PIECE = 0.35


@dataclass(frozen=True, slots=True)
class _Row:
    box: Box
    phrases: tuple[Word, ...]
    #: Parts of more than a word space between them: heads often stand so near.
    pieces: int

    @property
    def figures(self) -> list[Word]:
        return [phrase for phrase in self.phrases if is_value(phrase.text)]

    @property
    def tabular(self) -> bool:
        """A figure beside something, and no running text."""
        return (
            len(self.phrases) >= 2
            and bool(self.figures)
            and not any(is_prose(phrase.text) for phrase in self.phrases)
        )


def aligned_grids(words: Sequence[Word]) -> list[Grid]:
    """The tables that stand free on a page, from the top.

    A table is at least three rows of two or more figures with labels, or four of one, whose
    figures form columns.
    """
    rows = _levelled(words)
    grids: list[Grid] = []
    for start, stop in _runs(rows):
        first = _with_header(rows, start)
        grid = grid_of([row.phrases for row in rows[first:stop]])
        if grid is not None and _is_plain_table(grid, rows[start:stop]):
            grids.append(grid)
    return grids


def _row(words: Sequence[Word]) -> _Row:
    return _Row(box_of(words), tuple(phrases(words)), len(phrases(words, _PIECE)))


def grid_of(rows: Sequence[Sequence[Word]], box: Box | None = None) -> Grid | None:
    """The grid of some rows of phrases by the white space between their columns.

    Args:
        rows: from the top, each from the left.
        box: the outline, where it is known.
    """
    rows = [row for row in rows if row]
    if len(rows) < 2:
        return None
    xs = column_edges(rows)
    tops = [box_of(row)[1] for row in rows]
    bottoms = [box_of(row)[3] for row in rows]
    left = min(phrase.bbox[0] for row in rows for phrase in row) - 1
    right = max(phrase.bbox[2] for row in rows for phrase in row) + 1
    top, bottom = tops[0] - 1, bottoms[-1] + 1
    if box is not None:
        left, top = min(left, box[0]), min(top, box[1])
        right, bottom = max(right, box[2]), max(bottom, box[3])
    ys = [(bottoms[i] + tops[i + 1]) / 2 for i in range(len(rows) - 1)]
    edges = (top, *ys, bottom)
    if not xs or any(b <= a for a, b in itertools.pairwise(edges)):
        return None
    return Grid((left, *xs, right), edges)


def column_edges(rows: Sequence[Sequence[Word]]) -> list[float]:
    """Where columns part: strips that next to no phrase of the rows of figures crosses.

    Where hardly a row has figures all rows count. In a strip the edge keeps clear of the other
    rows: headings are often wider than their figures, and labels go on over several lines.
    """
    full = [row for row in rows if len(row) > 1]
    body = [row for row in full if _is_body(row)]
    if len(body) < _BODY_ROWS:
        body = full
    spans = sorted((phrase.bbox[0], phrase.bbox[2]) for row in body for phrase in row)
    if not spans:
        return []
    marks = sorted([(start, 1) for start, _ in spans] + [(stop, -1) for _, stop in spans])
    allowed = _CROSSED * len(body)
    strips: list[tuple[float, float]] = []
    depth, opened, since = 0, False, 0.0
    for at, step in marks:
        before = depth
        depth += step
        if before <= allowed < depth:
            if opened and at - since > 1.0:
                strips.append((since, at))
            opened = True
        elif depth <= allowed < before:
            since = at
    others = [row for row in rows if row not in body]
    over = [phrase.bbox for row in others for phrase in row]
    gaps = _head_gaps(others, len(strips))
    edges: list[float] = []
    for (start, stop), (low, high) in zip(strips, gaps, strict=True):
        parted = max(start, low), min(stop, high)
        # where each column has its head, the edge runs between two of them
        edges.append(sum(parted) / 2 if parted[0] < parted[1] else _clear(start, stop, over))
    return edges


def _head_gaps(rows: Sequence[Sequence[Word]], count: int) -> list[tuple[float, float]]:
    """What lies between the heads of neighbouring columns; nothing where not each has one."""
    for columns, lefts in ((count + 1, 0), (count, 1)):  # the labels may have no head
        lines = [row for row in rows if len(row) == columns]
        if lines and count > 1:
            ends = [max(row[i].bbox[2] for row in lines) for i in range(columns)]
            starts = [min(row[i].bbox[0] for row in lines) for i in range(columns)]
            ends = [-math.inf] * lefts + ends[:-1]
            return list(zip(ends, starts[1 - lefts :], strict=True))
    return [(math.inf, -math.inf)] * count


def _is_body(row: Sequence[Word]) -> bool:
    """Whether half of what stands beside the first text of a row are figures, no years."""
    figures = sum(is_value(phrase.text) and not is_year(phrase.text) for phrase in row[1:])
    return 2 * figures >= len(row) - 1


def _clear(start: float, stop: float, boxes: Sequence[Box]) -> float:
    """The middle of the widest part of a strip in which the fewest boxes stand."""
    sides = sorted({start, stop, *(x for b in boxes for x in (b[0], b[2]) if start < x < stop)})
    parts = [
        (sum(b[0] < right and b[2] > left for b in boxes), left - right, (left + right) / 2)
        for left, right in itertools.pairwise(sides)
        if right - left > _SLIT_PT or len(sides) == 2
    ]
    return min(parts)[2] if parts else (start + stop) / 2


def levelled(words: Iterable[Word]) -> list[Sequence[Word]]:
    """Phrases by row from the top: printed rows, figures with the label whose middle they stand at.

    Figures beside the middle of a label in two lines overlap both of its lines.
    """
    return [row.phrases for row in _levelled(words)]


def _levelled(words: Iterable[Word]) -> list[_Row]:
    result: list[_Row] = []
    for row in map(_row, text_rows(words)):
        last = result[-1] if result else None
        if last is not None:
            height = min(row.box[3] - row.box[1], last.box[3] - last.box[1])
            if last.box[3] - row.box[1] > _LEVEL * height:
                x0, y0 = map(min, last.box[:2], row.box[:2])
                x1, y1 = map(max, last.box[2:], row.box[2:])
                box = (x0, y0, x1, y1)
                held = sorted((*last.phrases, *row.phrases), key=lambda phrase: phrase.bbox[0])
                result[-1] = _Row(box, tuple(held), last.pieces + row.pieces)
                continue
        result.append(row)
    return result


def _runs(rows: Sequence[_Row]) -> list[tuple[int, int]]:
    """First and last (exclusive) row of each run of rows with figures."""
    runs: list[tuple[int, int]] = []
    start: int | None = None
    last = 0
    for index, row in enumerate(rows):
        if start is not None and (
            index - last > _PLAIN_ROWS + 1 or not _near(rows[index - 1], row) or _parts(row)
        ):
            runs.append((start, last + 1))
            start = None
        if row.tabular:
            start = index if start is None else start
            last = index
    if start is not None:
        runs.append((start, last + 1))
    return runs


def _parts(row: _Row) -> bool:
    """A line of running text ends a table."""
    return any(is_prose(phrase.text) for phrase in row.phrases)


def _near(above: _Row, below: _Row) -> bool:
    height = min(above.box[3] - above.box[1], below.box[3] - below.box[1])
    return below.box[1] - above.box[3] <= _ROW_GAP * height


def _with_header(rows: Sequence[_Row], start: int) -> int:
    """The first row of the headings that stand over a run of rows."""
    first = start
    left = min(phrase.bbox[0] for phrase in rows[start].phrases)
    for index in range(start - 1, max(-1, start - 1 - _HEADER_ROWS), -1):
        row = rows[index]
        over_figures = [phrase for phrase in row.phrases if phrase.bbox[0] > left + 20]
        if not over_figures and index and _names_columns(rows[index - 1], left):
            continue  # it names the rows below it
        if not over_figures or _parts(row) or not _near(row, rows[index + 1]):
            break
        if row.pieces == 1 and weight(row.phrases[0].text) > 40:
            break
        first = index
    return first


def _names_columns(row: _Row, left: float) -> bool:
    """Whether a row holds heads of several columns, and no figures."""
    over = [phrase for phrase in row.phrases if phrase.bbox[0] > left + 20]
    return len(over) > 1 and not any(is_number(phrase.text) for phrase in row.phrases)


def _is_plain_table(grid: Grid, rows: Sequence[_Row]) -> bool:
    columns = len(grid.xs) - 1
    body = [row for row in rows if row.tabular]
    if columns < 2 or len(body) < 3:
        return False
    filled: list[int] = [0] * columns
    for row in body:
        held = {
            next((c for c in range(columns) if phrase.x < grid.xs[c + 1]), columns - 1)
            for phrase in row.phrases
            if is_number(phrase.text)
        }
        for column in held:
            filled[column] += 1
    # the first column numbers or names the rows
    dense = [count for count in filled[1:] if 2 * count >= len(body)]
    labelled = sum(len(row.phrases) > len(row.figures) for row in body)
    heights = median(row.box[3] - row.box[1] for row in body)
    pitch = (body[-1].box[1] - body[0].box[1]) / (len(rows) - 1) if len(rows) > 1 else 0.0
    if pitch > 3.5 * heights or _has_running_text(grid, body):
        return False
    return len(dense) >= 3 or (2 * labelled >= len(body) and len(dense) + (len(body) > 3) >= 2)


def _has_running_text(grid: Grid, rows: Sequence[_Row]) -> bool:
    """Whether a column beside the labels is the text of a page's other column."""
    columns: dict[int, list[int]] = {}
    for row in rows:
        for phrase in row.phrases:
            column = sum(phrase.x >= edge for edge in grid.xs[1:-1])
            if column and not is_value(phrase.text):
                columns.setdefault(column, []).append(weight(phrase.text))
    return any(2 * len(c) >= len(rows) and median(c) > _LONG for c in columns.values())
