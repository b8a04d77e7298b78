"""Pages and their stored layout to tables, and to what that leaves of the text.

Tables are read last of a page, so only here is it known which text they hold.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from finrag_pipeline.pipelines.documents.company_records import record_of
from finrag_pipeline.pipelines.documents.pages import (
    PAGES_PER_CALL,
    PageCount,
    pages_timeout_s,
    read_tables,
    uncounted,
)
from finrag_pipeline.pipelines.run.run import Run, source_path
from finrag_pipeline.pipelines.run.workers import ReaderPool
from finrag_pipeline.records import Document, Metadata, PageFlag, Region, Table
from finrag_pipeline.settings import Settings
from finrag_pipeline.stages.tables.reading import TableReading
from finrag_pipeline.store.database.connections import Connection
from finrag_pipeline.store.documents import cleaned_text, document_revisions, html_tables


@dataclass(frozen=True)
class Tables:
    """A document's tables, all its regions settled with them, and flags by page number."""

    tables: tuple[Table, ...]
    regions: tuple[Region, ...]
    flags: tuple[tuple[int, PageFlag], ...]


class HtmlTables:
    """Stage: one row per table."""

    name = key = "html_tables"
    after = ("cleaned_text",)

    def compute(self, run: Run, document: Document, pool: ReaderPool) -> Tables:
        key = (document.document_id, document.revision)
        with run.database.connection() as connection:
            layouts = cleaned_text.page_layouts(connection, *key)
            regions = cleaned_text.regions(connection, *key)
            metadata = document_revisions.read_metadata(connection, document)
        if record_of(run, document) is not None:
            return Tables((), tuple(regions), ())
        run.tally.opened(document.document_id, len(layouts))
        count = partial(run.tally.read, document.document_id)
        return read_document_tables(run.settings, document, pool, layouts, regions, metadata, count)

    def store(
        self, connection: Connection[dict[str, Any]], document: Document, result: Tables
    ) -> dict[str, int]:
        html_tables.add(connection, document, result.tables)
        cleaned_text.settle(connection, document, result.regions)
        cleaned_text.add_flags(connection, document, result.flags)
        return {
            "tables": len(result.tables),
            "cells": sum(len(table.cells) for table in result.tables),
        }


def read_document_tables(
    settings: Settings,
    document: Document,
    pool: ReaderPool,
    layouts: Sequence[tuple[int, Any]],
    regions: Sequence[Region],
    metadata: Metadata,
    count: PageCount = uncounted,
) -> Tables:
    """The tables of a document, whose pages, regions and metadata were read before.

    Args:
        layouts: page number and raw layout of every page, in order.
        count: as in `read_tables`.

    Raises:
        DocumentError: reading exceeds its bounds, or no source holds the document any more.
    """
    from finrag_pipeline.stages.pages.engines.office import office_format

    kind = office_format(document.source)
    with source_path(document) as path:
        if kind is not None:
            timeout_s = pages_timeout_s(settings, PAGES_PER_CALL)
            reading = pool.call(timeout_s, office_tables, path, kind)
        else:
            reading = read_tables(pool, settings, path, layouts, count)
    timeout_s = pages_timeout_s(settings, len(layouts))
    entity = metadata.company_name or metadata.title
    tables, settled = pool.call(timeout_s, whole_tables, reading.tables, regions, entity)
    return Tables(tables, settled, reading.flags)


def office_tables(path: Path, kind: str) -> TableReading:
    """Tables of a DOCX, PPTX, HTML or Markdown file; runs in a worker."""
    from finrag_pipeline.stages.pages.engines.office import read_office

    return TableReading(read_office(path, kind).tables)


def whole_tables(
    parts: Sequence[Table], regions: Sequence[Region], entity: str | None
) -> tuple[tuple[Table, ...], tuple[Region, ...]]:
    """A document's tables, joined over its pages, with their statements; runs in a worker.

    Returns:
        The tables, and the regions settled with them.
    """
    from finrag_pipeline.stages.cleaning.settle import settle_tables
    from finrag_pipeline.stages.tables.overleaf import captioned_before
    from finrag_pipeline.stages.tables.reading import join_pages, with_statements

    tables = with_statements(join_pages(captioned_before(parts, regions)), entity)
    return tables, settle_tables(regions, tables)
