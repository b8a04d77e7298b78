"""The document stages one after the other, as the nightly job runs them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any

from psycopg import Connection

from finrag_pipeline.pipelines.documents.clique_chunks import CliqueChunks
from finrag_pipeline.pipelines.documents.embeddings import embed_documents
from finrag_pipeline.pipelines.documents.financial_facts import FinancialFacts
from finrag_pipeline.pipelines.documents.html_tables import HtmlTables
from finrag_pipeline.pipelines.documents.indexed_documents import publish_documents
from finrag_pipeline.pipelines.documents.raw_pdfs import register_paths
from finrag_pipeline.pipelines.documents.scanned_text import clean_documents
from finrag_pipeline.pipelines.graph.entity_mentions import read_mentions
from finrag_pipeline.pipelines.graph.entity_summaries import write_summaries
from finrag_pipeline.pipelines.graph.graph_texts import finish_graph
from finrag_pipeline.pipelines.run.run import Run, StageReport, run_stage

DAY = date(2026, 3, 9)
Row = dict[str, Any]


def ingest(run: Run, paths: Sequence[Path], day: date = DAY) -> list[StageReport]:
    """Register paths and pass the run's documents through every stage."""
    register_paths(run, [str(path) for path in paths], day)
    reports = [
        clean_documents(run),
        run_stage(run, HtmlTables()),
        run_stage(run, FinancialFacts()),
        run_stage(run, CliqueChunks()),
        embed_documents(run),
        read_mentions(run),
        publish_documents(run),
    ]
    finish_graph(run)
    write_summaries(run)
    return reports


def copy_first_chunk(connection: Connection[Row], count: int) -> None:
    """Give every document so many more chunks, as a longer report has: its first, numbered."""
    connection.execute(
        "insert into clique_chunks (document_id, revision, ordinal, page, places, section,"
        " token_count, parent_page, meta, context, content, summary)"
        " select document_id, revision, n, page, places, section, token_count, parent_page,"
        " meta, context, '第' || n || '段' || content, summary"
        " from clique_chunks, generate_series(1, %s) as n where ordinal = 0",
        (count,),
    )
