"""Mends cells by what they hold: figures torn apart, of several columns in one, or behind a label.

Rows and columns that a grid missed are mended with the words of the page, in `repair`; here the
texts alone tell.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from finrag_pipeline.records import Box, Cell
from finrag_pipeline.stages.tables.periods import heading_periods
from finrag_pipeline.stages.tables.phrases import is_number, is_value

#: Thousands with a blank where the letters of one figure stood apart: 115,133,16 8.
_TORN = re.compile(r"(?<![\d,.])[(\-–—−]?\d{1,3}(?:,[\d ]{3,5})+(?:\.\d+)?[)%％]?(?![\d,])")
#: A figure with all of its thousands.
WHOLE = re.compile(r"^[(\-–—−]?\d{1,3}(?:,\d{3})+(?:\.\d+)?[)%％]?$")
#: A label with its first figure right behind it; one that only numbers the label has no separator.
_GLUED = re.compile(
    r"^(?P<label>.*[^\W\d_][)）]?)\s*[:：]?\s*"
    r"(?P<figure>[(（]?-?(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+\.\d+)[)）]?[%％]?)$"
)
#: Columns that are parted hold several figures in so many of their cells at least.
_ROWS = 2


def mended(cells: Sequence[Cell]) -> tuple[Cell, ...]:
    """Cells with torn figures whole, and with each figure in a column of its own.

    A column in which every filled cell beside the headings holds the same number of figures is
    parted into as many; a cell that spans as many columns as it holds figures or years is parted
    over them; a figure glued to its label moves into the empty column beside it.
    """
    whole = tuple(replace(cell, text=joined(cell.text)) for cell in cells)
    return _with_columns(_parted(_unglued(whole)))


def joined(text: str) -> str:
    """A text with the blanks taken out of figures whose thousands they tear.

    >>> joined("115,133,16 8"), joined("1,234 5,678"), joined("(1,2 34.5)")
    ('115,133,168', '1,234 5,678', '(1,234.5)')
    """
    return _TORN.sub(_rejoined, text)


def _rejoined(match: re.Match[str]) -> str:
    pieces = match[0].split()
    bare = "".join(pieces)
    torn = any(not WHOLE.match(piece) for piece in pieces if "," in piece)
    return bare if torn and WHOLE.match(bare) else match[0]


def _unglued(cells: Sequence[Cell]) -> tuple[Cell, ...]:
    """Cells, first figures taken from the labels that they are glued to.

    Only where the column beside the labels holds figures in other rows and nothing in this one.
    """
    beside = {cell.row: cell for cell in cells if cell.column == 1}
    figures = sum(is_number(cell.text) for cell in beside.values())
    moved: dict[tuple[int, int], str] = {}
    for cell in cells:
        match = _GLUED.match(cell.text) if cell.column == 0 and cell.column_span == 1 else None
        right = beside.get(cell.row)
        if match and right is not None and not right.text and figures >= _ROWS:
            moved[cell.row, 0], moved[cell.row, 1] = match["label"].strip(), match["figure"]
    return tuple(replace(c, text=moved.get((c.row, c.column), c.text)) for c in cells)


def _parted(cells: Sequence[Cell]) -> tuple[Cell, ...]:
    """Cells, those that span as many columns as they hold figures or years parted over them."""
    edges: dict[int, tuple[float, float]] = {}
    for cell in cells:
        if cell.bbox is not None and cell.column_span == 1:
            edges[cell.column] = (cell.bbox[0], cell.bbox[2])
    result: list[Cell] = []
    for cell in cells:
        pieces = _figures(cell.text)
        if cell.column_span < 2 or len(pieces) != cell.column_span or cell.column == 0:
            result.append(cell)
            continue
        for at, piece in enumerate(pieces):
            column = cell.column + at
            box = _between(cell.bbox, edges.get(column))
            result.append(replace(cell, column=column, text=piece, bbox=box, column_span=1))
    return tuple(result)


def _with_columns(cells: Sequence[Cell]) -> tuple[Cell, ...]:
    """Cells, columns parted that hold the same number of figures in each filled cell."""
    counts = {
        column: count
        for column in range(1, max((cell.column for cell in cells), default=0) + 1)
        if (count := _together(cells, column)) > 1
    }
    if not counts:
        return tuple(cells)

    def moved(column: int) -> int:
        return column + sum(count - 1 for at, count in counts.items() if at < column)

    result: list[Cell] = []
    for cell in cells:
        count = counts.get(cell.column, 1) if cell.column_span == 1 else 1
        pieces = _figures(cell.text)
        first, stop = moved(cell.column), moved(cell.column + cell.column_span)
        if count == 1 or len(pieces) != count:
            result.append(replace(cell, column=first, column_span=stop - first))
            continue
        for at, piece in enumerate(pieces):
            box = _share(cell.bbox, at, count)
            result.append(replace(cell, column=first + at, text=piece, bbox=box))
    return tuple(result)


def _together(cells: Sequence[Cell], column: int) -> int:
    """How many figures stand in each filled cell of a column; 1 where they differ."""
    held = [c for c in cells if c.column == column and c.column_span == c.row_span == 1 and c.text]
    if any(c.column < column < c.column + c.column_span for c in cells):
        held = [c for c in held if is_value(c.text.split()[0])]
    sizes = [len(_figures(cell.text)) for cell in held]
    body = [len(_figures(c.text)) for c in held if any(map(is_number, c.text.split()))]
    # headings over the column may be words
    same = len(set(body)) == 1 and len(body) >= _ROWS and all(n in (0, body[0]) for n in sizes)
    return body[0] if same and body[0] > 0 else 1


def _figures(text: str) -> list[str]:
    """The figures, dashes or years that a text consists of; none where it holds words."""
    pieces = text.split()
    named = len(pieces) > 1 and all(heading_periods(p) or _YEARLIKE.match(p) for p in pieces)
    return pieces if named or all(map(is_value, pieces)) else []


_YEARLIKE = re.compile(r"^\d{4,5}[AEF]$")


def _between(box: Box | None, edges: tuple[float, float] | None) -> Box | None:
    return None if box is None else (edges[0], box[1], edges[1], box[3]) if edges else box


def _share(box: Box | None, at: int, count: int) -> Box | None:
    if box is None:
        return None
    width = (box[2] - box[0]) / count
    return (box[0] + at * width, box[1], box[0] + (at + 1) * width, box[3])
