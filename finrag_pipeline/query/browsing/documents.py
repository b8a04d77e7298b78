"""Documents: which there are, what each says of itself, its pages, regions and tables.

Boxes are PDF points of the page as a reader sees it, upright, from its top left; pages are 1-based.
Figures of documents are `figures`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any

from finrag_pipeline.errors import NotFound
from finrag_pipeline.grammar.publishers import canonical
from finrag_pipeline.query.browsing.viewpoint import Paged, Viewpoint, check_part, paged, part_of
from finrag_pipeline.query.question.whom import company_asked
from finrag_pipeline.records import Cell, Place, Region
from finrag_pipeline.store.documents import cleaned_text, document_lists, documents, html_tables
from finrag_pipeline.store.documents.document_lists import DocumentFilter

__all__ = ["DocumentFilter"]


@dataclass(frozen=True, slots=True)
class ListedDocument:
    """What readers have of a document, in a line.

    Attributes:
        source: name of its file, the first of `sources`.
        status: registered, indexed, quarantined or withdrawn.
        reason: code of why its last reading failed.
        why: that for a person, with the mend; None where readers have it.
        broker: the house that wrote it; None for what a company says itself.
        published_basis: what `published_on` rests on: day, month, name, deadline or arrival.
        facts: how many figures; as `pages`, `chunks` and `tables`.
    """

    document_id: str
    source: str
    sources: tuple[str, ...]
    status: str
    reason: str | None
    why: str | None
    title: str | None
    kind: str | None
    language: str | None
    company_name: str | None
    company_code: str | None
    company_codes: tuple[str, ...]
    broker: str | None
    analysts: tuple[str, ...]
    rating: str | None
    target_price: float | None
    published_on: date | None
    published_basis: str | None
    arrival_on: date
    indexed_at: datetime | None
    pages: int | None
    chunks: int
    tables: int
    facts: int


@dataclass(frozen=True, slots=True)
class FlaggedPage:
    """What went less than well on a page: codes and what was seen."""

    reason: str
    detail: str


@dataclass(frozen=True, slots=True)
class PageSize:
    """A page, upright as a reader sees it, in points.

    Attributes:
        ocr_confidence: mean of its characters where they were read from its image.
    """

    page: int
    width_pt: float
    height_pt: float
    ocr_confidence: float | None
    flags: tuple[FlaggedPage, ...]


@dataclass(frozen=True, slots=True)
class WholeDocument:
    """A document with its pages, and where its cover says what it says of itself.

    Attributes:
        places: by field (title, rating, published_on …) the boxes that it was read from.
        period_first_on: with `period_last_on` and `fiscal_year` what a filing reports on.
    """

    document: ListedDocument
    page_sizes: tuple[PageSize, ...]
    places: Mapping[str, tuple[Place, ...]]
    period_first_on: date | None
    period_last_on: date | None
    fiscal_year: int | None


@dataclass(frozen=True, slots=True)
class PageRegion:
    """A piece of a page that is kept, or dropped by a rule."""

    ordinal: int
    page: int
    bbox: tuple[float, float, float, float]
    kind: str
    kept: bool
    rule: str | None
    section: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True)
class DocumentTable:
    """A table as it is read.

    Attributes:
        places: its boxes, one a page that it crosses.
        html: with escaped text; markdown: a skeleton of it.
        cells: with boxes; none where a list shows it.
    """

    ordinal: int
    page: int
    places: tuple[Place, ...]
    title: str | None
    unit: str | None
    footnote: str | None
    header: tuple[str, ...]
    html: str
    markdown: str
    cells: tuple[Cell, ...] = ()


def list_documents(
    view: Viewpoint,
    wanted: DocumentFilter | None = None,
    *,
    company: str | None = None,
    limit: int = 50,
    offset: int = 0,
) -> Paged[ListedDocument]:
    """Documents that a filter leaves, the newest first.

    Args:
        company: a code of any listing, or a name; those about it alone.

    Raises:
        InvalidQuestion: `limit` or `offset` is out of range.
        NotFound: no document is about such a company, or about several.
    """
    check_part(limit, offset)
    wanted = wanted or DocumentFilter()
    if wanted.broker:
        wanted = replace(wanted, broker=canonical(wanted.broker))
    if company:
        wanted = replace(wanted, document_ids=documents_about(view, company))
    ids, total = document_lists.matching(view.connection, view.app_id, wanted, limit, offset)
    rows = {row["document_id"]: row for row in _rows(view, ids)}
    return paged([_listed(rows[each]) for each in ids], total, limit, offset)


def documents_about(view: Viewpoint, company: str) -> tuple[str, ...]:
    """Ids of the documents about a company, by a name or a code of any listing.

    Raises:
        NotFound: there is no such company, or there are several.
    """
    meant = company_asked(view.catalogue, company)
    if not isinstance(meant, str):
        return meant
    folded = meant.casefold()
    return tuple(key for key, each in view.catalogue.documents.items() if each.bears(folded))


def document(view: Viewpoint, document_id: str) -> WholeDocument:
    """A document by its id, with pages, places and metadata.

    Raises:
        NotFound: this application has none of this id, or had none by the day.
    """
    row = row_of(view, document_id)
    sizes = document_lists.page_sizes(view.connection, document_id, row["revision"])
    return WholeDocument(
        _listed(row),
        tuple(
            PageSize(
                each["page"],
                each["width_pt"],
                each["height_pt"],
                each["ocr_confidence"],
                tuple(FlaggedPage(**flag) for flag in each["flags"]),
            )
            for each in sizes
        ),
        {name: _places(own) for name, own in row["metadata_places"].items()},
        row["period_first_on"],
        row["period_last_on"],
        row["fiscal_year"],
    )


def find_document(view: Viewpoint, name: str) -> str:
    """Id of the document that a name means: an id or its start, a file's name or a part of one.

    Raises:
        NotFound: nothing matches, or several do.
    """
    document_id = documents.find(view.connection, view.app_id, name, partly=True)
    return str(row_of(view, document_id)["document_id"])


def regions(view: Viewpoint, document_id: str, page: int | None = None) -> tuple[PageRegion, ...]:
    """What of a document, or of one page, is kept and what is dropped, in reading order.

    Raises:
        NotFound: as `document`.
    """
    revision = row_of(view, document_id)["revision"]
    read = cleaned_text.regions(view.connection, document_id, revision)
    return tuple(_region(each) for each in read if page in (None, each.page))


def tables(
    view: Viewpoint, document_id: str, *, page: int | None = None, limit: int = 50, offset: int = 0
) -> Paged[DocumentTable]:
    """Tables of a document, or of those on one page, in reading order.

    Raises:
        InvalidQuestion: `limit` or `offset` is out of range.
        NotFound: as `document`.
    """
    revision = row_of(view, document_id)["revision"]
    read = [_table(row) for row in html_tables.tables_of(view.connection, document_id, revision)]
    wanted = [
        each for each in read if page is None or page in {place.page for place in each.places}
    ]
    return part_of(wanted, limit, offset)


def table(view: Viewpoint, document_id: str, ordinal: int) -> DocumentTable:
    """One table with its cells, each with its box.

    Raises:
        NotFound: as `document`, or it has no such table.
    """
    revision = row_of(view, document_id)["revision"]
    for row in html_tables.tables_of(view.connection, document_id, revision):
        if row["ordinal"] == ordinal:
            read = html_tables.read(view.connection, document_id, revision)
            cells = next(each.cells for each in read if each.ordinal == ordinal)
            return replace(_table(row), cells=cells)
    raise NotFound(f"the document {document_id} has no table {ordinal}")


def row_of(view: Viewpoint, document_id: str) -> dict[str, Any]:
    """What is stored of a document that is in sight.

    Raises:
        NotFound: none of this id is.
    """
    for row in _rows(view, [document_id]):
        return row
    by = f" by {view.as_of}" if view.as_of else ""
    raise NotFound(f"app {view.app_id!r} has no document {document_id!r}{by}")


def _rows(view: Viewpoint, ids: list[str]) -> list[dict[str, Any]]:
    return documents.list_documents(view.connection, documents.Scope(view.app_id), ids)


def _listed(row: Mapping[str, Any]) -> ListedDocument:
    told = {name: row[name] for name in ListedDocument.__slots__ if name in row}
    lists = ("sources", "company_codes", "analysts")
    told |= {name: tuple(row[name] or ()) for name in lists}
    # what was met may name a folder of the server
    return ListedDocument(**told, why=documents.why({**row, "detail": None}))


def _region(region: Region) -> PageRegion:
    told = {name: getattr(region, name) for name in PageRegion.__slots__ if name != "kept"}
    return PageRegion(**told, kept=region.kept)


def _table(row: Mapping[str, Any]) -> DocumentTable:
    own = row["places"] or [{"page": row["page"], "bbox": row["bbox"]}]
    told = {name: row[name] for name in ("ordinal", "page", "title", "unit", "footnote")}
    written = {name: row[name] for name in ("html", "markdown")}
    return DocumentTable(**told, places=_places(own), header=tuple(row["header"]), **written)


def _places(stored: list[dict[str, Any]]) -> tuple[Place, ...]:
    return tuple(Place(each["page"], tuple(each["bbox"])) for each in stored)
