"""Parts grids that reach over several tables under one another, each with heads of its own.

Tables with the same columns, set close, look like one: a title or a source between figures and the
next heads tells them apart, and so do heads that come again.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from finrag_pipeline.records import Box
from finrag_pipeline.stages.tables.context import SOURCE
from finrag_pipeline.stages.tables.phrases import (
    Word,
    box_of,
    is_number,
    is_value,
    phrases,
    text_rows,
)
from finrag_pipeline.stages.tables.repair import inside
from finrag_pipeline.stages.tables.ruled import Grid


def parted(grid: Grid, words: Sequence[Word]) -> list[Box]:
    """The boxes of the tables in a grid that nobody ruled, from the top; one where it is one."""
    rows = [phrases(row) for row in text_rows(inside(grid, words))]
    starts = [0]
    for index in range(2, len(rows) - 1):
        if starts[-1] + 2 <= index and _begins(rows, index, starts[-1]):
            starts.append(index)
    if len(starts) == 1:
        return [grid.bbox]
    x0, _, x1, _ = grid.bbox
    boxes: list[Box] = []
    for start, stop in zip(starts, [*starts[1:], len(rows)], strict=True):
        held = rows[start:stop]
        while held and _between(held[-1]) and len(held) > 1:
            held.pop()
        while held and len(held) > 1 and len(held[0]) == 1:
            held.pop(0)
        box = box_of(phrase for row in held for phrase in row)
        boxes.append((x0, box[1] - 1, x1, box[3] + 1))
    return boxes


def _begins(rows: Sequence[Sequence[Word]], index: int, start: int) -> bool:
    """Whether a table begins at a row: after figures, with heads that come again or are titled."""
    if not _is_head(rows[index]) or not any(_is_body(row) for row in rows[index + 1 : index + 3]):
        return False
    before = rows[start + 1 : index]
    titles = 0
    while before and _between(before[-1]):
        before, titles = before[:-1], titles + 1
    if not before or not _is_body(before[-1]) or titles > 4:
        return False
    # labels that go on below stand in few columns
    usual = median(len(row) for row in before if len(row) > 1)
    if 2 * len(rows[index]) < usual:
        return False
    heads = [p.text for p in rows[index]]
    again = any(heads == [p.text for p in row] for row in rows[start : start + 2])
    return again or titles > 0


def _between(row: Sequence[Word]) -> bool:
    """Whether a row is a title, a source or a note: one text."""
    return len(row) == 1 or bool(SOURCE.match(row[0].text))


def _is_head(row: Sequence[Word]) -> bool:
    """Whether a row holds names or years alone, of two columns at least."""
    return len(row) > 1 and not any(is_number(p.text) or _is_blank(p.text) for p in row)


def _is_blank(text: str) -> bool:
    return is_value(text) and not any(char.isalnum() for char in text)


def _is_body(row: Sequence[Word]) -> bool:
    return len(row) > 1 and any(is_number(p.text) or _is_blank(p.text) for p in row[1:])
