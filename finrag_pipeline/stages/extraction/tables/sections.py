"""Parts of a table under headings of their own, and which heading stands over a cell.

One frame may hold several: the ten largest shareholders, then the ten largest without restrictions.
What headings mean belongs to `kinds`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from finrag_pipeline.records import Cell, Table
from finrag_pipeline.stages.extraction.tables.kinds import heading, is_called, is_party, one_line
from finrag_pipeline.stages.tables.periods import period_of
from finrag_pipeline.stages.tables.phrases import is_number

Row = tuple[Cell, ...]

#: Headings inside a frame are at least so many, and each of at most so many characters.
_LEAST_HEADINGS, _SHORT_HEADING = 3, 14

#: What stands below the rows of a table.
_NOTE = re.compile(
    r"\s*(?:注|备注|说明|(?:资料|数据)?来源|notes?|sources?)\s*[\d一二]?\s*[:：]", re.IGNORECASE
)
_DECIMAL = re.compile(r"\d[.,]\d|[%％]")


@dataclass(slots=True)
class Section:
    """Rows under one or more rows of headings.

    `context` are the words around them in one line: the table's title, the line over the headings,
    the headings. `rows` hold the cells with text, from left to right, of each row of the grid.
    """

    context: str
    heads: Row
    rows: list[Row] = field(default_factory=list[Row])

    def columns(self, name: str) -> list[Cell]:
        """The headings that go by a name of `headings.csv`, from left to right."""
        found = [head for head in self.heads if is_called(heading(head.text), name)]
        return sorted(found, key=lambda head: head.column)

    def path(self, cell: Cell) -> list[Cell]:
        """The headings over a cell, from the top: of each row the one drawn over most of it."""
        over: dict[int, Cell] = {}
        for head in self.heads:
            best = over.get(head.row)
            if _shared(head, cell) > (0.0 if best is None else _shared(best, cell)):
                over[head.row] = head
        return [over[row] for row in sorted(over)]


def sections(table: Table) -> list[Section]:
    """The parts of a table that have headings, in order of print."""
    found: list[Section] = []
    above, headed = "", -1
    for number, cells in _rows(table.cells):
        last = found[-1] if found else None
        below = last is not None and not last.rows and number == headed + 1
        if len(cells) == 1:
            above = cells[0].text
            if last is not None:
                last.rows.append(cells)
        elif last is not None and below and _goes_on(number, cells):
            further = tuple(cell for cell in cells if cell.row == number)
            last.heads += further
            last.context = " ".join([last.context, *(one_line(cell.text) for cell in further)])
            headed = number
        elif _is_head(cells, last, titled=bool(above)):
            around = [table.title or "", above, *(cell.text for cell in cells)]
            found.append(Section(" ".join(map(one_line, around)), cells))
            above, headed = "", number
        elif last is not None and not _NOTE.match(cells[0].text):
            last.rows.append(cells)
            above = ""
    return found


def _is_head(cells: Row, last: Section | None, titled: bool) -> bool:
    if _has_figures(cells):
        return False
    if all(cell.header for cell in cells):
        return True
    texts = [heading(cell.text) for cell in cells]
    if last is not None and texts[1:] == [heading(head.text) for head in last.heads][1:]:
        return True  # 分产品, then 分地区 over the same figures
    named = any(map(is_party, texts))
    short = len(cells) >= _LEAST_HEADINGS and all(len(text) <= _SHORT_HEADING for text in texts)
    return named and (titled or short)


def _goes_on(number: int, cells: Row) -> bool:
    """Whether a row under headings holds further ones: 直接 and 间接 under 持股比例."""
    first = cells[0]
    named = all(cell.header for cell in cells) or first.column > 0 or first.row < number
    return named and not _has_figures(cells)


def _has_figures(cells: Sequence[Cell]) -> bool:
    """Whether a row holds figures; 24A and 2025/05/08 are none, nor are whole numbers in a head."""
    return any(
        is_number(cell.text)
        and period_of(cell.text) is None
        and (not cell.header or _DECIMAL.search(cell.text))
        for cell in cells
    )


def _rows(cells: Iterable[Cell]) -> list[tuple[int, Row]]:
    """Cells with text by row; what spans rows names each of them."""
    rows: dict[int, list[Cell]] = {}
    for cell in cells:
        if cell.text.strip():
            for row in range(cell.row, cell.row + cell.row_span):
                rows.setdefault(row, []).append(cell)
    return [(row, tuple(sorted(rows[row], key=lambda c: c.column))) for row in sorted(rows)]


def _shared(head: Cell, cell: Cell) -> float:
    """How much of their width a heading and a cell share, in points, or in columns without boxes.

    Not by columns alone: the grid may have more of them in the body than in the head.
    """
    if head.bbox is not None and cell.bbox is not None:
        return min(head.bbox[2], cell.bbox[2]) - max(head.bbox[0], cell.bbox[0])
    stop = min(head.column + head.column_span, cell.column + cell.column_span)
    return stop - max(head.column, cell.column)
