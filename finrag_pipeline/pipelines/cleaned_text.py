"""PDF pages to regions, kept and dropped, and to what the document says of itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from psycopg import Connection

from finrag_pipeline.pipelines.run import Run, source_path
from finrag_pipeline.pipelines.workers import ReaderPool
from finrag_pipeline.records import Document, Metadata, PageReading, Region
from finrag_pipeline.store import cleaned_text, documents

#: Pages that one worker reads at a time: long documents spread over all workers, and each part
#: has bounds of its own.
PAGES_PER_CALL = 20


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
        from finrag_pipeline.stages.pdf import count_pages

        limits = run.settings
        with source_path(document) as path:
            page_count = pool.call(limits.open_timeout_s, count_pages, path)
            pages = read_in_parts(run, pool, path, page_count)
        timeout_s = limits.open_timeout_s + page_count * limits.page_timeout_s
        regions, metadata = pool.call(timeout_s, clean_pages, pages, document.source)
        return Reading(pages, regions, metadata)

    def store(
        self, connection: Connection[dict[str, Any]], document: Document, result: Reading
    ) -> dict[str, int]:
        documents.add_revision(connection, document, result.metadata, len(result.pages))
        cleaned_text.add(connection, document, result.pages, result.regions)
        kept = sum(region.kept for region in result.regions)
        return {
            "regions": len(result.regions),
            "kept_regions": kept,
            "pages": len(result.pages),
            "characters": sum(len(region.text) for region in result.regions if region.kept),
        }


def read_in_parts(
    run: Run, pool: ReaderPool, path: Path, page_count: int
) -> tuple[PageReading, ...]:
    """Read a document's pages, its parts side by side on all workers."""
    from finrag_pipeline.stages.pdf import read_pages

    parts = [
        (first, min(first + PAGES_PER_CALL - 1, page_count))
        for first in range(1, page_count + 1, PAGES_PER_CALL)
    ]
    limits = run.settings
    results = [
        pool.submit(
            limits.open_timeout_s + (last - first + 1) * limits.page_timeout_s,
            read_pages,
            path,
            first,
            last,
        )
        for first, last in parts
    ]
    return tuple(page for result in results for page in result())


def clean_pages(
    pages: Sequence[PageReading], source_name: str
) -> tuple[tuple[Region, ...], Metadata]:
    """Everything about a document that needs all its pages; runs in a worker.

    Raises:
        DocumentError: ``image_only``.
    """
    from finrag_pipeline.stages.cleaning import clean
    from finrag_pipeline.stages.metadata import read_metadata
    from finrag_pipeline.stages.pdf import require_text_layer

    require_text_layer(pages)
    regions = clean(pages)
    return regions, read_metadata(regions, source_name)
