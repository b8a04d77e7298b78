"""Documents on the page: which there are and why some are not, what of each was kept and dropped.

A page with cited boxes is `sheets`; what is stored of documents is read by `query.browsing`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from fastapi import APIRouter
from fastapi.responses import HTMLResponse, Response

from finrag_pipeline.errors import NotFound
from finrag_pipeline.query.browsing import documents
from finrag_pipeline.query.browsing.documents import DocumentFilter, DocumentTable, ListedDocument
from finrag_pipeline.query.browsing.viewpoint import MOST, Viewpoint
from finrag_pipeline.records import Place
from finrag_pipeline.serve.page.listings import (
    WHERE,
    Column,
    Form,
    Listing,
    box_of,
    every,
    exported,
)
from finrag_pipeline.serve.page.places import page_address
from finrag_pipeline.serve.page.rendering import page
from finrag_pipeline.serve.page.routing import PageRoute
from finrag_pipeline.serve.page.sheets import box_on, shown_table
from finrag_pipeline.serve.page.visits import Visit, Visiting

router = APIRouter(route_class=PageRoute)

STATES = ("indexed", "quarantined", "registered", "withdrawn")
_COLUMNS = (
    Column("title", "Document"),
    Column("status", "State"),
    Column("why", "Reason"),
    Column("company_name", "Company"),
    Column("broker", "House"),
    Column("published_on", "Published"),
    Column("pages", "Pages", number=True),
    Column("tables", "Tables", number=True),
    Column("facts", "Figures", number=True),
    Column("document_id", "Id", exported=True),
    Column("source", "File", exported=True),
    Column("kind", "Kind", exported=True),
    Column("company_code", "Code", exported=True),
    Column("rating", "Rating", exported=True),
    Column("target_price", "Target price", exported=True),
    Column("arrival_on", "Arrived", exported=True),
)
_REGIONS = (
    Column("ordinal", "No.", number=True),
    Column("state", "Kept"),
    Column("kind", "Kind"),
    Column("text", "Text"),
    *WHERE,
)
_TABLES = (
    Column("title", "Table"),
    Column("unit", "Printed unit"),
    Column("page", "Page", number=True),
    Column("document_id", "Document", exported=True),
    Column("source", "File", exported=True),
    Column("box", "Box", exported=True),
    Column("footnote", "Note", exported=True),
)
#: Parts of a document that its page shows under tabs.
PARTS = {"": "Overview", "regions": "Kept and dropped", "tables": "Tables"}


@router.get("/documents")
def list_documents(
    visit: Visiting, status: str = "", text: str = "", company: str = "", offset: int = 0
) -> HTMLResponse:
    """A part of the documents, the newest first."""
    wanted = DocumentFilter(status=status or None, text=text or None)
    with visit.view() as view:
        found = documents.list_documents(
            view, wanted, company=company or None, limit=50, offset=offset
        )
    return page(
        "documents.html",
        visit,
        listing=documents_listing(found.items),
        found=found,
        asked={"status": status, "text": text, "company": company},
        states=STATES,
    )


@router.get("/documents.{form}")
def export_documents(
    visit: Visiting, form: Form, status: str = "", text: str = "", company: str = ""
) -> Response:
    """All documents that a filter leaves, as a file."""
    wanted = DocumentFilter(status=status or None, text=text or None)
    with visit.view() as view:
        items = every(
            lambda at: documents.list_documents(
                view, wanted, company=company or None, limit=MOST, offset=at
            )
        )
    return exported(documents_listing(items), form)


@router.get("/documents/{document_id}")
def document(visit: Visiting, document_id: str, part: str = "", number: int = 1) -> HTMLResponse:
    """What a document says of itself, what of a page was kept and dropped, or its tables."""
    if part not in PARTS:
        raise NotFound("a document has no such part")
    with visit.view() as view:
        whole = documents.document(view, document_id)
        sizes = {each.page: (each.width_pt, each.height_pt) for each in whole.page_sizes}
        told: dict[str, Any] = {
            "whole": whole,
            "document": whole.document,
            "part": part,
            "parts": PARTS,
        }
        if part == "regions":
            if number not in sizes:
                raise NotFound(f"the document has no page {number}: it has {len(sizes)}")
            listing = _regions(view, whole.document, number, visit)
            boxes = [
                (box_on(Place(each.page, each.bbox), sizes[number]), each.kind, each.rule)
                for each in documents.regions(view, document_id, number)
            ]
            told |= {"listing": listing, "boxes": boxes, "number": number, "pages": sorted(sizes)}
            told["size"] = sizes[number]
        elif part == "tables":
            told["listing"] = _tables(view, whole.document, visit)
    told["places"] = {
        name: page_address(document_id, own, visit.kept)
        for name, own in whole.places.items()
        if own
    }
    return page("document.html", visit, **told)


@router.get("/documents/{document_id}/regions.{form}")
def export_regions(visit: Visiting, document_id: str, form: Form) -> Response:
    """Everything that stands in a document, kept and dropped, as a file."""
    with visit.view() as view:
        whole = documents.document(view, document_id)
        return exported(_regions(view, whole.document, None, visit), form)


@router.get("/documents/{document_id}/tables.{form}")
def export_tables(visit: Visiting, document_id: str, form: Form) -> Response:
    """The list of a document's tables, as a file."""
    with visit.view() as view:
        whole = documents.document(view, document_id)
        return exported(_tables(view, whole.document, visit), form)


@router.get("/documents/{document_id}/tables/{ordinal:int}")
def table(visit: Visiting, document_id: str, ordinal: int) -> HTMLResponse:
    """One table as it is printed."""
    with visit.view() as view:
        whole = documents.document(view, document_id)
        held = documents.table(view, document_id, ordinal)
    return page(
        "table.html",
        visit,
        document=whole.document,
        held=held,
        table=shown_table(held, None, []),
        where=page_address(document_id, held.places, visit.kept, table=ordinal),
    )


@router.get("/documents/{document_id}/tables/{ordinal}.{form}")
def export_table(visit: Visiting, document_id: str, ordinal: int, form: Form) -> Response:
    """The cells of a table, each with its page, its box and the printed unit, as a file."""
    with visit.view() as view:
        whole = documents.document(view, document_id)
        held = documents.table(view, document_id, ordinal)
    return exported(_cells(whole.document, held), form)


def documents_listing(items: Iterable[ListedDocument]) -> Listing:
    """Documents as a list."""
    rows = tuple(
        {column.name: getattr(each, column.name) for column in _COLUMNS}
        | {"title": each.title or each.source, "href": f"/documents/{each.document_id}"}
        for each in items
    )
    return Listing("documents", "Documents", _COLUMNS, rows)


def _regions(
    view: Viewpoint, document: ListedDocument, number: int | None, visit: Visit
) -> Listing:
    rows = tuple(
        {
            "ordinal": each.ordinal,
            "state": "kept" if each.kept else f"dropped: {each.rule}",
            "kind": each.kind,
            "text": each.text,
            "document_id": document.document_id,
            "source": document.source,
            "page": each.page,
            "box": box_of(Place(each.page, each.bbox)),
        }
        for each in documents.regions(view, document.document_id, number)
    )
    return Listing("regions", "Kept and dropped", _REGIONS, rows)


def _tables(view: Viewpoint, document: ListedDocument, visit: Visit) -> Listing:
    found = every(lambda at: documents.tables(view, document.document_id, limit=MOST, offset=at))
    rows = tuple(
        {
            "title": each.title or f"Table on page {each.page}",
            "unit": each.unit,
            "page": each.page,
            "document_id": document.document_id,
            "source": document.source,
            "box": box_of(each.places[0]),
            "footnote": each.footnote,
            "href": f"/documents/{document.document_id}/tables/{each.ordinal}",
        }
        for each in found
    )
    return Listing("tables", "Tables", _TABLES, rows)


def _cells(document: ListedDocument, held: DocumentTable) -> Listing:
    columns = (
        Column("row", "Row", number=True),
        Column("column", "Column", number=True),
        Column("text", "Text"),
        Column("header", "Heading"),
        Column("printed_unit", "Printed unit"),
        *WHERE,
    )
    rows = tuple(
        {
            "row": cell.row,
            "column": cell.column,
            "text": cell.text,
            "header": "yes" if cell.header else "",
            "printed_unit": held.unit,
            "document_id": document.document_id,
            "source": document.source,
            "page": cell.page or held.page,
            "box": box_of(Place(cell.page or held.page, cell.bbox) if cell.bbox else None),
        }
        for cell in held.cells
    )
    return Listing(f"table-{held.ordinal}", held.title or "Table", columns, rows)
