"""Figures of a report from its file to its readers: read, read anew, none that stop the rest."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from finrag_pipeline.errors import DocumentError
from finrag_pipeline.pipelines.documents import financial_facts as stage
from finrag_pipeline.pipelines.documents.clique_chunks import CliqueChunks
from finrag_pipeline.pipelines.documents.embeddings import embed_documents
from finrag_pipeline.pipelines.documents.financial_facts import FinancialFacts
from finrag_pipeline.pipelines.documents.html_tables import HtmlTables
from finrag_pipeline.pipelines.documents.indexed_documents import publish_documents
from finrag_pipeline.pipelines.documents.raw_pdfs import register_paths
from finrag_pipeline.pipelines.documents.scanned_text import clean_documents
from finrag_pipeline.pipelines.documents.unfinished_stages import left_unfinished
from finrag_pipeline.pipelines.run.run import Run, run_stage
from finrag_pipeline.store.database.reader import Reader
from finrag_pipeline.store.documents import documents
from finrag_pipeline.store.facts import financial_facts
from finrag_pipeline_tests.paths import SAMPLE_PDFS
from finrag_pipeline_tests.pipelines.stages import DAY

FILING = SAMPLE_PDFS / "yuanxiu_q3_report_20251028.pdf"


@pytest.fixture
def read(run: Run) -> Run:
    """A quarterly report with its tables, before its figures are read."""
    register_paths(run, [str(FILING)], DAY)
    clean_documents(run)
    run_stage(run, HtmlTables())
    return run


def published(run: Run) -> None:
    run_stage(run, CliqueChunks())
    embed_documents(run)
    publish_documents(run)


def seen(reader: Reader) -> list[Any]:
    with reader.reading("default") as connection:
        return connection.execute("select f::text as row from facts f order by 1").fetchall()


def test_figures_of_a_filing_reach_readers(read: Run, reader: Reader) -> None:
    report = run_stage(read, FinancialFacts())
    (outcome,) = report.outcomes
    assert outcome.error is None and outcome.counts["facts"] > 10
    assert seen(reader) == []
    published(read)
    rows = seen(reader)
    assert len(rows) == outcome.counts["facts"]
    with read.database.connection() as connection:
        (listed,) = documents.list_documents(connection, read.scope)
        facts = financial_facts.read(connection, listed["document_id"], listed["revision"])
        assert listed["facts"] == len(facts) == documents.counts(connection, "default")["facts"]
    assert {fact.company_code for fact in facts if fact.source == "quarter"} == {
        listed["company_code"]
    }
    # nothing is left to do, and the same again is the same
    assert run_stage(read, FinancialFacts()).outcomes == ()


def test_other_lists_read_stored_tables_anew(
    read: Run, reader: Reader, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    run_stage(read, FinancialFacts())
    published(read)
    rows = seen(reader)
    with read.database.transaction() as connection:
        connection.execute("update financial_facts set value = value + 1")
        # its file need not be there
        connection.execute("update document_sources set uri = '/gone/' || name")
    assert seen(reader) != rows
    monkeypatch.setattr(stage, "stage_key", lambda: "financial_facts another")
    (outcome,) = run_stage(read, FinancialFacts()).outcomes
    assert outcome.counts["facts"] == len(rows) and seen(reader) == rows


def test_a_document_whose_figures_cannot_be_read_is_published_without(
    read: Run, reader: Reader
) -> None:
    class Failing(FinancialFacts):
        def compute(self, *_: Any) -> DocumentError:
            return DocumentError("reader_crashed", "KeyError")

    (outcome,) = run_stage(read, Failing()).outcomes
    assert outcome.error is None
    published(read)
    with read.database.connection() as connection:
        (listed,) = documents.list_documents(connection, read.scope)
    assert (listed["status"], listed["facts"]) == ("indexed", 0)
    (waiting,) = left_unfinished(replace(read))
    assert (waiting.stage, waiting.left_count) == ("financial_facts", 1)
    assert "its figures cannot be read (reader_crashed: KeyError)" in waiting.reason
    # a later run reads them, and what readers have has them at once
    run_stage(read, FinancialFacts())
    assert len(seen(reader)) > 10 and left_unfinished(read) == []
