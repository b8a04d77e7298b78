"""Tables of our own making: a title over a grid of texts, as the readers of pages would give it."""

from __future__ import annotations

from collections.abc import Sequence

from finrag_pipeline.records import Cell, Metadata, Table
from finrag_pipeline.stages.extraction.tables.relations import stating_rows
from finrag_pipeline.stages.tables.headers import with_header

OWN = Metadata(company_name="云帆科技", company_code="688999.SH")
ENGLISH = Metadata(company_name="Cloudsail Inc.", language="en")

_WIDTH, _HEIGHT = 90.0, 14.0

#: Head, relation, tail, by name.
Fact = tuple[str, str, str]


def table(title: str | None, *rows: str, ordinal: int = 0) -> Table:
    """A table of rows whose cells are parted by bars; `·` stands for an empty cell."""
    cells: list[Cell] = []
    for row, line in enumerate(rows):
        top = 100 + _HEIGHT * row
        for column, text in enumerate(part.strip() for part in line.split("|")):
            if text != "·":
                box = (_WIDTH * column, top, _WIDTH * (column + 1), top + _HEIGHT)
                cells.append(Cell(row, column, text, box, page=3))
    bottom = 100 + _HEIGHT * len(rows)
    return Table(ordinal, 3, (0, 100, 900, bottom), with_header(cells), title)


def facts(metadata: Metadata, *tables: Table) -> list[Fact]:
    """What tables of a document state, in order of print."""
    return [
        (row.mentions[each.head].name, each.relation, row.mentions[each.tail].name)
        for row in stating_rows(tables, metadata)
        for each in row.relations
    ]


def tails(metadata: Metadata, *tables: Table) -> Sequence[str]:
    """The tails of what tables state."""
    return [tail for _, _, tail in facts(metadata, *tables)]
