"""Parts cells that hold what stands in several columns, so that each figure has its own heading.

Grids without rules join texts that nearly touch; a table's stored cells stay as they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from finrag_pipeline.records import Box, Cell, Table

#: Where a heading of the next column begins.
_HEADING = re.compile(
    r"(?<=\S)(?=(?:20\d\d\s*年|本(?:期|年|报告期)末?比|调整[前后]|同比|(?:增减)?变动(?:幅度|比例)))"
)
_YEAR = re.compile(r"20\d\d\s*年末?")
#: A figure, or a part of one; a whole one; within how many lines it ends.
_DIGITS = re.compile(r"[-(（]?[\d,.]*\d[\d,.]*[)）]?")
_WHOLE = re.compile(r"[-(（]?\d{1,3}(?:,\d{3})+(?:\.\d+)?[)）]?")
_LINES = 4
_NUMBER = r"[-(（]?\d{1,3}(?:,\d{3})+(?:\.\d+)?[)）]?|[-(（]?\d+\.\d+%?[)）]?"
_LABELLED = re.compile(
    rf"^(?P<label>[^\d]*[\u3400-\u9fff）)])\s*(?P<numbers>(?:{_NUMBER})(?:\s+(?:{_NUMBER}))*)$"
)
#: A figure with how it changed behind it: 11.73 增加4.20个百分点.
_CHANGED = re.compile(
    rf"^(?P<number>{_NUMBER})\s*(?:增加|减少|上升|下降|提高|降低|增长)\D*[\d.]+\D*$"
)


def parted(table: Table) -> Table:
    """A table whose cells hold one text each, as far as their texts tell where they part."""
    cells = [part for cell in _joined(table.cells) for part in _parts(cell)]
    return table if cells == list(table.cells) else replace(table, cells=tuple(cells))


def is_broken(text: str) -> bool:
    """Whether a figure is only a part of one: groups of thousands that are none.

    >>> [is_broken(text) for text in ("5,634,27", "443,680,", ",369.56", "1,234.5", "0.5")]
    [True, True, True, False, False]
    """
    return "," in text and bool(_DIGITS.fullmatch(text)) and not _WHOLE.fullmatch(text)


def _joined(cells: Sequence[Cell]) -> list[Cell]:
    """Cells, figures that go on in the next lines of their column put together."""
    places = {(cell.row, cell.column): n for n, cell in enumerate(cells)}
    joined = list(cells)
    gone: set[int] = set()
    for n, cell in enumerate(cells):
        for row in range(cell.row + 1, cell.row + _LINES):
            below = places.get((row, cell.column))
            if below is None or not _DIGITS.fullmatch(text := cells[below].text):
                continue
            whole = cell.text + text
            torn = is_broken(cell.text) or text.startswith(",")
            if torn and _DIGITS.fullmatch(cell.text) and _WHOLE.fullmatch(whole):
                joined[n] = replace(cell, text=whole)
                gone.add(below)
            break
    return [cell for n, cell in enumerate(joined) if n not in gone]


def _parts(cell: Cell) -> Iterator[Cell]:
    if cell.header and cell.column_span > 1:
        yield from _headings(cell)
    elif not cell.header and (changed := _CHANGED.match(cell.text)):
        yield replace(cell, text=changed["number"], column_span=1)
    elif not cell.header and cell.column_span > 1 and (labelled := _LABELLED.match(cell.text)):
        texts = [labelled["label"], *labelled["numbers"].split()]
        yield from _divided(cell, texts) if len(texts) == cell.column_span else (cell,)
    else:
        yield cell


def _headings(cell: Cell) -> Iterator[Cell]:
    texts = [text.strip() for text in _HEADING.split(cell.text) if text.strip()]
    # 2023年 over 调整后 is one heading of one column
    joined: list[str] = []
    for text in texts:
        over = joined and text.startswith("调整") and _YEAR.fullmatch(joined[-1])
        if over and len(texts) > cell.column_span:
            joined[-1] += text
        else:
            joined.append(text)
    yield from _divided(cell, joined) if len(joined) == cell.column_span else (cell,)


def _divided(cell: Cell, texts: Sequence[str]) -> Iterator[Cell]:
    """A cell as one a column, each with its share of the box."""
    for n, text in enumerate(texts):
        box = _share(cell.bbox, n, len(texts)) if cell.bbox else None
        yield replace(cell, column=cell.column + n, column_span=1, text=text, bbox=box)


def _share(box: Box, n: int, count: int) -> Box:
    x0, y0, x1, y1 = box
    width = (x1 - x0) / count
    return (x0 + n * width, y0, x0 + (n + 1) * width, y1)
