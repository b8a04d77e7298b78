"""A page of a document with every cited box over its image, and the table behind a figure.

The image is made by `http`; which boxes there are is said by the address, see `places`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.responses import HTMLResponse

from finrag_pipeline.errors import NotFound
from finrag_pipeline.query.answers.numbers.wording import metric_told
from finrag_pipeline.query.browsing.documents import DocumentTable
from finrag_pipeline.records import Place, Table
from finrag_pipeline.records.facts import FinancialFact
from finrag_pipeline.serve.page import places
from finrag_pipeline.serve.page.rendering import page
from finrag_pipeline.serve.page.routing import PageRoute
from finrag_pipeline.serve.page.visits import Visiting
from finrag_pipeline.stages.tables.phrases import is_value
from finrag_pipeline.store.database.connections import Connection, Row
from finrag_pipeline.store.documents import cleaned_text, covers, html_tables
from finrag_pipeline.store.documents.covers import Cover
from finrag_pipeline.store.facts import financial_facts

router = APIRouter(route_class=PageRoute)

#: Share of a cell that a cited box covers at least where the box tells the cell.
_COVERED = 0.5


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle over a page, in percent of its width and height as a reader sees it."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class ShownCell:
    """A cell as a table of the page has it."""

    text: str
    header: bool
    row_span: int
    column_span: int
    number: bool
    cited: bool


@dataclass(frozen=True, slots=True)
class ShownTable:
    """A printed table as rows of cells, the cited ones marked."""

    title: str
    unit: str
    footnote: str
    rows: tuple[tuple[ShownCell, ...], ...]


@router.get("/documents/{document_id}/pages/{number}")
def sheet(
    visit: Visiting,
    document_id: str,
    number: int,
    at: Annotated[list[str] | None, Query(max_length=places.MOST_PLACES)] = None,
    fact: int | None = None,
    table: int | None = None,
) -> HTMLResponse:
    """One page with its boxes, alone or in the viewer."""
    marked = [place for each in at or () if (place := places.read(each))]
    with visit.reading() as connection:
        document = shown_document(connection, document_id)
        sizes = cleaned_text.page_sizes(connection, document_id, document.revision)
        if number not in sizes:
            raise NotFound(f"the document has no page {number}: it has {len(sizes)}")
        figure = _figure(connection, document, fact)
        ordinal = figure.table if figure else table
        held = _table(connection, document, ordinal)
        text = [
            each.text
            for each in cleaned_text.regions(connection, document_id, document.revision)
            if each.page == number and each.kept
        ]
    return page(
        "sheet_part.html" if visit.part else "sheet.html",
        visit,
        document=document,
        number=number,
        size=sizes[number],
        pages=sorted(sizes),
        boxes=[box_on(each, sizes[number]) for each in marked if each.page == number],
        elsewhere=sorted({each.page for each in marked} - {number}),
        at=[places.written(each) for each in marked],
        behind={"fact": fact, "table": table},
        figure=figure,
        metric=metric_told(figure.metric, False) if figure else "",
        table=shown_table(held, figure, marked) if held else None,
        text=text,
    )


def shown_document(connection: Connection[Row], document_id: str) -> Cover:
    """A document as its readers see it.

    Raises:
        NotFound: they do not.
    """
    found = covers.covers(connection, [document_id])
    if not found:
        raise NotFound("no such document, or none by this day")
    return found[0]


def box_on(place: Place, size: tuple[float, float]) -> Box:
    """A place in percent of its page, cut off where it leaves the page."""
    width, height = size
    x0, y0, x1, y1 = place.bbox
    left, right = (100 * min(max(each / width, 0.0), 1.0) for each in (x0, x1))
    top, bottom = (100 * min(max(each / height, 0.0), 1.0) for each in (y0, y1))
    return Box(*(round(each, 3) for each in (left, top, right - left, bottom - top)))


def shown_table(
    table: Table | DocumentTable, figure: FinancialFact | None, marked: list[Place]
) -> ShownTable:
    """A table with the cells that are cited: a figure's own, else those that boxes cover."""

    def cited(row: int, column: int, place: Place | None) -> bool:
        if figure:
            return (row, column) == (figure.row, figure.column)
        return place is not None and any(_covers(each, place) for each in marked)

    rows: dict[int, list[ShownCell]] = {}
    for cell in sorted(table.cells, key=lambda each: (each.row, each.column)):
        place = Place(cell.page or table.page, cell.bbox) if cell.bbox else None
        shown = ShownCell(
            cell.text,
            cell.header,
            cell.row_span,
            cell.column_span,
            not cell.header and is_value(cell.text),
            not cell.header and cited(cell.row, cell.column, place),
        )
        rows.setdefault(cell.row, []).append(shown)
    return ShownTable(
        table.title or "Table",
        table.unit or "",
        table.footnote or "",
        tuple(tuple(rows[row]) for row in sorted(rows)),
    )


def _covers(place: Place, cell: Place) -> bool:
    """Whether a box holds at least half of a cell."""
    if place.page != cell.page:
        return False
    ax0, ay0, ax1, ay1 = place.bbox
    bx0, by0, bx1, by1 = cell.bbox
    width, height = min(ax1, bx1) - max(ax0, bx0), min(ay1, by1) - max(ay0, by0)
    area = (bx1 - bx0) * (by1 - by0)
    return width > 0 and height > 0 and area > 0 and width * height >= _COVERED * area


def _figure(
    connection: Connection[Row], document: Cover, ordinal: int | None
) -> FinancialFact | None:
    if ordinal is None:
        return None
    facts = financial_facts.read(connection, document.document_id, document.revision)
    return facts[ordinal] if 0 <= ordinal < len(facts) else None


def _table(connection: Connection[Row], document: Cover, ordinal: int | None) -> Table | None:
    if ordinal is None:
        return None
    tables = html_tables.read(connection, document.document_id, document.revision)
    return next((each for each in tables if each.ordinal == ordinal), None)
