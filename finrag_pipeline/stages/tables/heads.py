"""Joins the lines of headings that nobody ruled: one row of heads is often set in several lines."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from statistics import median

from finrag_pipeline.records import Box
from finrag_pipeline.stages.tables.crossing import Rule
from finrag_pipeline.stages.tables.periods import period_of
from finrag_pipeline.stages.tables.phrases import (
    Word,
    box_of,
    is_amount,
    is_number,
    is_value,
    is_year,
    phrases,
    text_rows,
)
from finrag_pipeline.stages.tables.repair import slot_of
from finrag_pipeline.stages.tables.rows import line_of, ruled_between
from finrag_pipeline.stages.tables.ruled import Grid
from finrag_pipeline.stages.tables.wrapping import TIGHT, Line, pitch_of

#: Lines of one head stand closer than this share of their height.
_CLOSE = 0.8
#: Lines of one head begin, end or have their middle this near, as a share of their height.
_LEVEL = 0.5
#: Fewer rows below a head do not show that nothing stands below it.
_FEW_ROWS = 3
#: Words of a text stand closer than this share of their height, typed ones too.
_SPACE = 0.55


def header_rows(grid: Grid, words: Sequence[Word]) -> int:
    """Rows above the first of figures beyond the label column, half of what stands there or one
    amount; years are no figures."""
    rows: dict[int, dict[int, list[str]]] = {}
    for word in words:
        row, column = slot_of(grid, word)
        rows.setdefault(row, {}).setdefault(column, []).append(word.text)
    for row in sorted(rows):
        texts = [" ".join(held) for column, held in rows[row].items() if column]
        many = sum(map(_is_body, texts)) >= max(1, len(texts) / 2)
        if many or any(map(is_amount, texts)):
            return row
    return len(grid.ys) - 1


def _plain_rows(grid: Grid, words: Sequence[Word]) -> int:
    """Rows above the first with any figure beyond the label column."""
    top = header_rows(grid, words)
    texts: dict[tuple[int, int], list[str]] = {}
    for word in words:
        row, column = slot_of(grid, word)
        if row < top and column:
            texts.setdefault((row, column), []).append(word.text)
    return min((row for (row, _), held in texts.items() if is_number(" ".join(held))), default=top)


def join_heads(grid: Grid, words: Sequence[Word], horizontal: Sequence[Rule]) -> Grid:
    """Join the rows above the first figures where they are lines of the same heads.

    Heads are set from the top, from the bottom or in the middle of their row, so that some rows
    lack texts that others have. A text that spans columns, a rule or white space parts rows.
    """
    top = _plain_rows(grid, words)
    if grid.ruled or grid.spans or not 2 <= top < len(grid.ys) - 1:
        return grid
    rows: list[dict[int, list[Word]]] = [{} for _ in range(top)]
    for word in words:
        row, column = slot_of(grid, word)
        if row < top:
            rows[row].setdefault(column, []).append(word)
    while len(rows) > 1 and set(rows[-1]) <= {0}:
        rows.pop()  # it names the rows below it
    body: dict[int, list[Word]] = {}
    for word in words:
        row = slot_of(grid, word)[0]
        if row >= top:
            body.setdefault(row, []).append(word)
    pitch = pitch_of([line_of(grid, body[row]) for row in sorted(body)])
    drop: set[int] = set()
    start = 0
    for stop in range(1, len(rows) + 1):
        if stop == len(rows) or _parts(grid, rows[stop - 1], rows[stop], horizontal):
            columns = {frozenset(set(row) - {0}) for row in rows[start:stop]}
            mine = rows[start:stop]
            if len(columns) > 1 or _tight(mine, pitch) or all(map(_goes_on, mine[1:])):
                drop |= set(range(start + 1, stop))
            start = stop
    return replace(grid, ys=tuple(y for i, y in enumerate(grid.ys) if i not in drop))


def join_bare_columns(grid: Grid, words: Sequence[Word]) -> Grid:
    """Join columns that hold nothing but parts of heads to those whose heads these are.

    Heads that are set to both edges of narrow columns leave wide spaces between their words: what
    ends alike on each line is the right edge of the column before, else the left one of the next.
    """
    top = _plain_rows(grid, words)
    if grid.ruled or grid.spans or not 1 <= top < len(grid.ys) - 1:
        return grid
    columns: dict[int, list[Word]] = {}
    for word in words:
        columns.setdefault(slot_of(grid, word)[1], []).append(word)
    drop: set[int] = set()
    for column in range(1, len(grid.xs) - 1):
        held = columns.get(column, [])
        rows = text_rows(held)
        if len(rows) < 2 or any(slot_of(grid, word)[0] >= top for word in held):
            continue
        lefts, rights = ([box_of(row)[side] for row in rows] for side in (0, 2))
        ends = max(rights) - min(rights) <= max(lefts) - min(lefts)
        if ends or column == len(grid.xs) - 2:
            drop.add(column)
        else:
            drop.add(column + 1)
    return replace(grid, xs=tuple(x for i, x in enumerate(grid.xs) if i not in drop))


def join_parted_columns(grid: Grid, words: Sequence[Word]) -> Grid:
    """Join columns of figures without a head to the head that stands in the column beside them.

    Converters that draw a table anew rule twice as many columns as it has, with the head and a
    total in one half and everything else in the other: no row ever fills both.
    """
    top = header_rows(grid, words)
    if not grid.ruled or not 1 <= top < len(grid.ys) - 1:
        return grid
    held: dict[int, set[int]] = {}
    for word in words:
        row, column = slot_of(grid, word)
        held.setdefault(column, set()).add(row)
    lower = {row for rows in held.values() for row in rows if row >= top}
    headless = {c for c, rows in held.items() if min(rows) >= top and 2 * len(rows) >= len(lower)}
    bare = {
        c
        for c, rows in held.items()
        if min(rows) < top
        and len(lower) >= _FEW_ROWS
        and 5 * len(rows - set(range(top))) <= len(lower)
    }
    joined: set[int] = set()  # right halves
    for column in sorted(headless):
        for right in (column + 1, column):
            halves = {right - 1, right}
            other = right - 1 if right == column else right
            if other in bare and not held[column] & held[other] and not halves & joined:
                joined.add(right)
                break
    kept = [c for c in range(len(grid.xs)) if c not in joined]
    spans = ((r0, r1, _place(kept, c0), _place(kept, c1)) for r0, r1, c0, c1 in grid.spans)
    return replace(
        grid,
        xs=tuple(grid.xs[c] for c in kept),
        spans=tuple(each for each in spans if (each[1] - each[0]) * (each[3] - each[2]) > 1),
    )


def _place(kept: Sequence[int], edge: int) -> int:
    """Where an edge, or the one before it, stands among those that are kept."""
    return bisect_right(kept, edge) - 1


def _tight(rows: Sequence[dict[int, list[Word]]], pitch: float | None) -> bool:
    """Whether lines stand nearer to one another than the rows of figures do."""
    lines = [Line(row) for row in rows]
    return pitch is not None and all(
        below.levels[0] - above.levels[1] < TIGHT * pitch for above, below in pairwise(lines)
    )


def _goes_on(row: dict[int, list[Word]]) -> bool:
    """Whether each text of a row begins as none does that stands for itself."""
    starts = [held[0].text for column, held in row.items() if column]
    return all(text[:1].islower() or text.startswith("(") for text in starts)


def _parts(
    grid: Grid,
    above: dict[int, list[Word]],
    below: dict[int, list[Word]],
    horizontal: Sequence[Rule],
) -> bool:
    """Whether two rows of headings are rows of their own."""
    if not above or not below:
        return True
    upper = [word for held in above.values() for word in held]
    lower = [word for held in below.values() for word in held]
    one, two = box_of(upper), box_of(lower)
    if set(above) - {0} < set(below) - {0}:
        names = ["".join(word.text for word in held) for column, held in below.items() if column]
        again = sum(names.count(name) > 1 for name in names)
        periods = any(is_year(name[:4]) or _period(name) for name in names)
        if periods or (again > 3 and 2 * again >= len(names)):
            return True  # names that are whole, or come again under others
    height = median(word.bbox[3] - word.bbox[1] for word in lower)
    if two[1] - one[3] > _CLOSE * height or ruled_between(horizontal, grid, one, two):
        return True
    over = [phrase.bbox for line in text_rows(upper) for phrase in phrases(line, _SPACE)]
    if any(box[0] < x - 2 and box[2] > x + 2 for box in over for x in grid.xs[1:-1]):
        return True  # it stands over several
    shared = (column for column in above if column in below)
    return not all(_aligned(box_of(above[c]), box_of(below[c]), _LEVEL * height) for c in shared)


def _period(name: str) -> bool:
    return any(map(str.isdigit, name)) and period_of(name) is not None


def _aligned(one: Box, two: Box, near: float) -> bool:
    """Whether two lines begin, end or have their middle alike."""
    left, right = one[0] - two[0], one[2] - two[2]
    return min(abs(left), abs(right), abs(left + right) / 2) <= near


def _is_body(text: str) -> bool:
    return is_number(text) or (is_value(text) and not text[:1].isdigit())
