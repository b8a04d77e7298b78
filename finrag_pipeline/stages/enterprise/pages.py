"""A record's document as a page without size, as files without pages have one, and what it says of
itself."""

from __future__ import annotations

from finrag_pipeline.records import Metadata, PageReading, Region
from finrag_pipeline.records.enterprise import RecordDocument
from finrag_pipeline.stages.pages.engines.docling_items import NO_BOX
from finrag_pipeline.words import is_chinese


def record_page(document: RecordDocument) -> tuple[PageReading, tuple[Region, ...]]:
    """The page of a record and its regions: its title, then a region a line."""
    page = PageReading(1, 0.0, 0.0, (), ())
    texts = [("title", document.title), *(("text", line.printed) for line in document.lines)]
    regions = tuple(
        Region(ordinal, 1, NO_BOX, kind, text) for ordinal, (kind, text) in enumerate(texts)
    )
    return page, regions


def record_metadata(document: RecordDocument) -> Metadata:
    """Whose record it is, of which kind and from which day."""
    return Metadata(
        title=document.title,
        kind=document.kind,
        language="zh" if is_chinese(document.company) else "en",
        company_name=document.company,
        company_code=document.code,
        company_codes=(document.code,) if document.code else (),
        published_on=document.published_on,
    )
