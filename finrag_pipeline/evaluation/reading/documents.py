"""Reads the documents of a folder as the pipeline does, without a store: for measuring alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from finrag_pipeline.errors import DocumentError
from finrag_pipeline.pipelines.documents.cleaned_text import clean_pages
from finrag_pipeline.pipelines.documents.html_tables import whole_tables
from finrag_pipeline.pipelines.documents.pages import pages_timeout_s, read_pages, read_tables
from finrag_pipeline.pipelines.run.workers import ReaderPool, shared_pool
from finrag_pipeline.records import Metadata, PageReading, Region, Table
from finrag_pipeline.settings import Settings
from finrag_pipeline.stages.pages.pdf_file import archived_name, count_pages


@dataclass(frozen=True)
class ReadDocument:
    """All that the stages read from one file; `error` says why there is nothing."""

    path: Path
    pages: tuple[PageReading, ...] = ()
    regions: tuple[Region, ...] = ()
    metadata: Metadata | None = None
    tables: tuple[Table, ...] = ()
    error: str | None = None


def pdfs(*folders: Path) -> list[Path]:
    """All PDFs below the folders, by name."""
    return sorted(path for folder in folders for path in folder.rglob("*.pdf"))


def read_documents(
    paths: Sequence[Path], settings: Settings, *, tables: bool = True
) -> Iterator[ReadDocument]:
    """Read files on all workers, in the order given; OCR is left out.

    Args:
        paths: local PDFs.
        settings: whose engine, workers and bounds count.
        tables: whether tables are read too, and the regions settled with them.
    """
    pool = shared_pool(settings)
    with ThreadPoolExecutor(settings.workers) as threads:
        yield from threads.map(partial(_read, pool, settings, tables), paths)


def _read(pool: ReaderPool, settings: Settings, tables: bool, path: Path) -> ReadDocument:
    try:
        page_count = pool.call(settings.open_timeout_s, count_pages, path)
        pages = read_pages(pool, settings, path, page_count)
        timeout_s = pages_timeout_s(settings, page_count)
        archived = pool.call(settings.open_timeout_s, archived_name, path)
        regions, metadata = pool.call(timeout_s, clean_pages, pages, path.name, archived)
        if not tables:
            return ReadDocument(path, pages, regions, metadata)
        layouts = [(page.page, page.raw_layout) for page in pages]
        parts = read_tables(pool, settings, path, layouts).tables
        entity = metadata.company_name or metadata.title
        found, settled = pool.call(timeout_s, whole_tables, parts, regions, entity)
        return ReadDocument(path, pages, settled, metadata, found)
    except DocumentError as error:
        return ReadDocument(path, error=str(error))
