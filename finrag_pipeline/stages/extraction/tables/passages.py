"""A row of a table as a line of text in which its names have places.

Which rows state what belongs to `relations`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from finrag_pipeline.records import Cell, Metadata, Place, Table
from finrag_pipeline.stages.cleaning.geometry import bounds
from finrag_pipeline.stages.extraction.tables.sections import Row, Section
from finrag_pipeline.words import is_chinese

#: As long as the sentences of `stages.tables.statements`.
_LENGTH = 320
_TITLE, _HEADING = 80, 40


@dataclass(frozen=True, slots=True)
class Passage:
    """A row in words: whom the document is about, the title, then each cell under its heading.

    `own` is where the company's name stands, `starts` where each cell's text does; cells that a
    long row leaves out have none. `place` is the box around the row.
    """

    text: str
    own: tuple[int, int] | None
    starts: dict[Cell, int]
    place: Place


def row_passage(
    table: Table, section: Section, row: Row, named: Sequence[Cell], metadata: Metadata
) -> Passage:
    """Tell one row.

    Args:
        table: that it is of.
        section: the part of the table.
        row: its cells.
        named: those that must be told, however long the row is.
        metadata: names the company.
    """
    chinese = is_chinese(f"{table.title or ''} {' '.join(cell.text for cell in row)}")
    comma, colon, stop = ("，", "：", "。") if chinese else (", ", ": ", ".")
    company = metadata.company_name or ""
    title = one_line(table.title or "")[:_TITLE]
    opening = " ".join(part for part in (company, title) if part)
    text = f"{opening}{colon}" if opening else ""
    room = _LENGTH - sum(len(_told(section, cell)) for cell in named)
    starts: dict[Cell, int] = {}
    told: list[str] = []
    at = len(text)
    for cell in row:
        piece = _told(section, cell)
        if cell not in named:
            if room < len(piece):
                continue
            room -= len(piece)
        at += len(comma) if told else 0
        starts[cell] = at + len(piece) - len(one_line(cell.text))
        at += len(piece)
        told.append(piece)
    own = (0, len(company)) if company else None
    return Passage(f"{text}{comma.join(told)}{stop}", own, starts, _around(row, table))


def one_line(text: str) -> str:
    """A cell's text without line breaks."""
    return " ".join(text.split())


def _told(section: Section, cell: Cell) -> str:
    heads = [one_line(head.text)[:_HEADING] for head in section.path(cell)]
    return " ".join([*dict.fromkeys(heads), one_line(cell.text)])


def _around(row: Row, table: Table) -> Place:
    """The box around a row on the page on which it begins; that of the table without any.

    What stands for rows above, too, is left out.
    """
    last = max(cell.row for cell in row)
    drawn = [
        cell for cell in row if cell.row == last and cell.bbox is not None and cell.page is not None
    ]
    if not drawn:
        return Place(table.page, table.bbox)
    page = min(cell.page for cell in drawn if cell.page is not None)
    return Place(page, bounds(c.bbox for c in drawn if c.page == page and c.bbox is not None))
