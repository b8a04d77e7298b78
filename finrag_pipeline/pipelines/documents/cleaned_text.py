"""Documents to regions, kept and dropped, and to what they say of themselves.

Pages that only OCR can read are left to `scanned_text`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from finrag_pipeline.errors import ConfigurationError, DocumentDeferred, DocumentError
from finrag_pipeline.pipelines.documents.company_records import record_of
from finrag_pipeline.pipelines.documents.pages import (
    PAGES_PER_CALL,
    engine_of,
    find_scans,
    pages_timeout_s,
    read_pages,
)
from finrag_pipeline.pipelines.run.revision import ocr_state
from finrag_pipeline.pipelines.run.run import Run, source_path
from finrag_pipeline.pipelines.run.workers import ReaderPool, shared_pool
from finrag_pipeline.records import Document, Metadata, PageFlag, PageReading, Region
from finrag_pipeline.records.enterprise import RecordDocument
from finrag_pipeline.settings import Settings
from finrag_pipeline.store.database.connections import Connection
from finrag_pipeline.store.documents import cleaned_text, document_revisions

#: Docling's models take up to a minute to load on a busy core.
_MODELS_TIMEOUT_S = 300.0


@dataclass(frozen=True)
class Reading:
    """All that is read from one document's pages before tables and chunks."""

    pages: tuple[PageReading, ...]
    regions: tuple[Region, ...]
    metadata: Metadata


class CleanedText:
    """Stage: one row per region of a page, and the revision with its metadata."""

    name = key = "cleaned_text"
    after: tuple[str, ...] = ()

    def compute(self, run: Run, document: Document, pool: ReaderPool) -> Reading:
        from finrag_pipeline.stages.pages.engines.office import office_format
        from finrag_pipeline.stages.pages.pdf_file import archived_name

        if (record := record_of(run, document)) is not None:
            return clean_record(record)
        kind = office_format(document.source)
        with source_path(document) as path:
            if kind is not None:
                timeout_s = pages_timeout_s(run.settings, PAGES_PER_CALL)
                return pool.call(timeout_s, clean_office, path, kind, document.source)
            pages = self.read_pdf(run, document, pool, path)
            archived = pool.call(run.settings.open_timeout_s, archived_name, path)
        timeout_s = pages_timeout_s(run.settings, len(pages))
        regions, metadata = pool.call(timeout_s, clean_pages, pages, document.source, archived)
        return Reading(mark_scans(pages), regions, with_registered_names(metadata, run.settings))

    def read_pdf(
        self, run: Run, document: Document, pool: ReaderPool, path: Path
    ) -> tuple[PageReading, ...]:
        """All pages of a PDF.

        Raises:
            DocumentDeferred: ``image_only`` where OCR is on and some pages wait for it.
        """
        from finrag_pipeline.stages.pages.pdf_file import count_pages

        page_count = pool.call(run.settings.open_timeout_s, count_pages, path)
        if ocr_state(run.settings) == "on":
            scans = find_scans(pool, run.settings, path, page_count)
            if scans:
                detail = f"{len(scans)} of {page_count} pages wait for OCR"
                raise DocumentDeferred("image_only", detail)
        run.tally.opened(document.document_id, page_count)
        count = partial(run.tally.read, document.document_id)
        return read_pages(pool, run.settings, path, page_count, count)

    def store(
        self, connection: Connection[dict[str, Any]], document: Document, result: Reading
    ) -> dict[str, int]:
        document_revisions.add_revision(connection, document, result.metadata, len(result.pages))
        cleaned_text.add(connection, document, result.pages, result.regions)
        kept = sum(region.kept for region in result.regions)
        return {
            "regions": len(result.regions),
            "kept_regions": kept,
            "pages": len(result.pages),
            "characters": sum(len(region.text) for region in result.regions if region.kept),
        }


def with_registered_names(metadata: Metadata, settings: Settings) -> Metadata:
    """What a document says of itself, with the English names and nicknames that the configured
    registry has for its company.

    Raises:
        ConfigurationError: the registry cannot be read.
    """
    from finrag_pipeline.registry import load_registry

    company = load_registry(settings).by_code.get(metadata.company_code or "")
    names = company.names if company else ()
    also = (each.name for each in names if each.own and each.kind in ("english", "nickname"))
    return replace(metadata, other_names=tuple(dict.fromkeys((*metadata.other_names, *also))))


def require_engine(settings: Settings) -> None:
    """Refuse an engine that cannot read anything, before it fails on every single document.

    Raises:
        ConfigurationError: with the mend.
    """
    if settings.pdf_engine == "pymupdf":
        return
    try:
        why = shared_pool(settings).call(_MODELS_TIMEOUT_S, engine_of(settings).unusable)
    except DocumentError as error:
        why = f"its models cannot be loaded ({error.reason}: {error.detail})"
    if why:
        raise ConfigurationError(f"FINRAG_PDF_ENGINE={settings.pdf_engine}: {why}")


def clean_pages(
    pages: Sequence[PageReading], source_name: str, archived_name: str = ""
) -> tuple[tuple[Region, ...], Metadata]:
    """Everything about a document that needs all its pages; runs in a worker.

    Raises:
        DocumentError: ``image_only``.
    """
    from finrag_pipeline.stages.cleaning.clean import clean
    from finrag_pipeline.stages.metadata import read_metadata
    from finrag_pipeline.stages.pages.pdf import require_text_layer

    if not any(flag.reason == "ocr" for page in pages for flag in page.flags):
        require_text_layer(pages)
    regions = clean(pages)
    return regions, read_metadata(regions, source_name, pages, archived_name)


def clean_office(path: Path, kind: str, source_name: str) -> Reading:
    """Everything about a DOCX, PPTX, HTML or Markdown file but its tables; runs in a worker.

    Raises:
        DocumentError: as `office.read_office`.
    """
    from finrag_pipeline.stages.pages.engines.office import read_office, read_office_metadata

    reading = read_office(path, kind)
    return Reading(reading.pages, reading.regions, read_office_metadata(reading, source_name))


def clean_record(record: RecordDocument) -> Reading:
    """Everything about a document that is made of a company's record."""
    from finrag_pipeline.stages.enterprise.pages import record_metadata, record_page

    page, regions = record_page(record)
    return Reading((page,), regions, record_metadata(record))


def mark_scans(pages: Sequence[PageReading]) -> tuple[PageReading, ...]:
    """Pages, those flagged that are images of text and were not read by OCR."""
    from finrag_pipeline.stages.pages.engines.scans import is_scan

    unread = PageFlag("image_only_page")
    return tuple(
        replace(page, flags=(*page.flags, unread))
        if is_scan(page) and not any(flag.reason in ("ocr", unread.reason) for flag in page.flags)
        else page
        for page in pages
    )
