"""Pages and their stored layout to tables."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from psycopg import Connection

from finrag_pipeline.pipelines.cleaned_text import PAGES_PER_CALL
from finrag_pipeline.pipelines.run import Run, source_path
from finrag_pipeline.pipelines.workers import ReaderPool
from finrag_pipeline.records import Document, Table
from finrag_pipeline.store import cleaned_text, html_tables


class HtmlTables:
    """Stage: one row per table."""

    name = key = "html_tables"
    after = ("cleaned_text",)

    def compute(self, run: Run, document: Document, pool: ReaderPool) -> tuple[Table, ...]:
        from finrag_pipeline.stages.tables import read_tables

        with run.database.connection() as connection:
            layouts = cleaned_text.page_layouts(connection, document.document_id, document.revision)
        parts = [
            layouts[start : start + PAGES_PER_CALL]
            for start in range(0, len(layouts), PAGES_PER_CALL)
        ]
        limits = run.settings
        with source_path(document) as path:
            results = [
                pool.submit(
                    limits.open_timeout_s + len(part) * limits.page_timeout_s,
                    read_tables,
                    path,
                    part,
                )
                for part in parts
            ]
            tables = [table for result in results for table in result()]
        return tuple(replace(table, ordinal=ordinal) for ordinal, table in enumerate(tables))

    def store(
        self,
        connection: Connection[dict[str, Any]],
        document: Document,
        result: tuple[Table, ...],
    ) -> dict[str, int]:
        html_tables.add(connection, document, result)
        return {"tables": len(result), "cells": sum(len(table.cells) for table in result)}
