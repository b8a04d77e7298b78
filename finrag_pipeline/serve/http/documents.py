"""`/v1/documents`: which there are, their pages, regions and tables; their images are `pages`."""

from __future__ import annotations

from typing import Literal

from fastapi import APIRouter
from pydantic import Field

from finrag_pipeline.errors import QUARANTINE_REASONS
from finrag_pipeline.query.browsing import documents
from finrag_pipeline.query.browsing.documents import (
    DocumentFilter,
    DocumentTable,
    ListedDocument,
    PageRegion,
    WholeDocument,
)
from finrag_pipeline.query.browsing.viewpoint import Paged
from finrag_pipeline.serve.http.access import Reading, Served
from finrag_pipeline.serve.http.errors import ERRORS
from finrag_pipeline.serve.http.looking import (
    AskedPart,
    CompanyKey,
    Day,
    DayQuery,
    Id,
    Key,
    Limit,
    Looking,
    Name,
    Offset,
    Ordinal,
    PageQuery,
)

router = APIRouter(tags=["documents"], responses=ERRORS)

_Status = Literal["registered", "indexed", "quarantined", "withdrawn"]


class DocumentsAsked(AskedPart):
    """Documents by what has names in it; every field narrows."""

    company: Name | None = Field(None, description="name, or code of any of its listings")
    broker: Name | None = Field(None, description="the house that wrote it")
    text: Name | None = Field(None, description="a part of the file's name or of the title")
    kind: Name | None = Field(None, description="company, industry, filing, …")
    status: _Status | None = None
    reason: Name | None = Field(None, description=", ".join(QUARANTINE_REASONS))
    published_from: Day | None = None
    published_to: Day | None = None
    arrived_from: Day | None = None
    arrived_to: Day | None = None


@router.get("/v1/documents")
def list_documents(
    view: Looking,
    status: _Status | None = None,
    reason: Key | None = None,
    kind: Key | None = None,
    company: CompanyKey | None = None,
    published_from: DayQuery = None,
    published_to: DayQuery = None,
    arrived_from: DayQuery = None,
    arrived_to: DayQuery = None,
    limit: Limit = 50,
    offset: Offset = 0,
) -> Paged[ListedDocument]:
    """Documents, the newest first; by names see `POST /v1/documents/find`."""
    wanted = DocumentFilter(
        status,
        reason,
        kind,
        published_from=published_from,
        published_to=published_to,
        arrived_from=arrived_from,
        arrived_to=arrived_to,
    )
    return documents.list_documents(view, wanted, company=company, limit=limit, offset=offset)


@router.post("/v1/documents/find")
def find_documents(body: DocumentsAsked, access: Reading, service: Served) -> Paged[ListedDocument]:
    """Documents by company, house, and words of their names, the newest first."""
    narrowed = body.model_dump(exclude={"app", "as_of", "company", "limit", "offset"})
    with service.browser.view(body.within(access), body.as_of) as view:
        return documents.list_documents(
            view,
            DocumentFilter(**narrowed),
            company=body.company,
            limit=body.limit,
            offset=body.offset,
        )


@router.get("/v1/documents/{document_id}")
def read_document(document_id: Id, view: Looking) -> WholeDocument:
    """What a document says of itself and where, and its pages."""
    return documents.document(view, document_id)


@router.get("/v1/documents/{document_id}/regions")
def page_regions(document_id: Id, page: PageQuery, view: Looking) -> list[PageRegion]:
    """What of a page is kept, and what is dropped by which rule, in reading order."""
    return list(documents.regions(view, document_id, page))


@router.get("/v1/documents/{document_id}/tables")
def list_tables(
    document_id: Id,
    view: Looking,
    page: PageQuery | None = None,
    limit: Limit = 50,
    offset: Offset = 0,
) -> Paged[DocumentTable]:
    """Tables of a document, or on one of its pages, without their cells."""
    return documents.tables(view, document_id, page=page, limit=limit, offset=offset)


@router.get("/v1/documents/{document_id}/tables/{ordinal}")
def read_table(document_id: Id, ordinal: Ordinal, view: Looking) -> DocumentTable:
    """A table with its cells, each with its box."""
    return documents.table(view, document_id, ordinal)
