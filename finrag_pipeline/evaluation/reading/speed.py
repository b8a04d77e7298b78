"""Pages per second of the document stages, beside a plain PyMuPDF loop on the same files.

The loop reads text and runs `find_tables` on every page in one process. Both run on this machine,
one after the other, and each starts with nothing in memory. Image-only and broken files count for
neither: the loop gets the pages of the documents that were indexed.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from finrag_pipeline.evaluation.report import Report
from finrag_pipeline.pipelines.cleaned_text import CleanedText
from finrag_pipeline.pipelines.clique_chunks import CliqueChunks
from finrag_pipeline.pipelines.embeddings import embed_documents
from finrag_pipeline.pipelines.html_tables import HtmlTables
from finrag_pipeline.pipelines.indexed_documents import publish_documents
from finrag_pipeline.pipelines.raw_pdfs import register_paths
from finrag_pipeline.pipelines.run import Run, run_stage
from finrag_pipeline.settings import Settings, today
from finrag_pipeline.store.database import Database
from finrag_pipeline.store.documents import Scope, list_documents

#: Prints the seconds for text and tables of every page of the files that its arguments name.
_PYMUPDF_LOOP = """
import sys, time
import pymupdf
started = time.perf_counter()
for path in sys.argv[1:]:
    with pymupdf.open(path) as document:
        for page in document:
            page.get_text()
            page.find_tables()
print(time.perf_counter() - started, file=sys.stderr)
"""


def measure(folder: Path, settings: Settings) -> Report:
    """Index a folder into a store of its own that is removed again; OCR is left out.

    Args:
        folder: PDFs, at any depth.
        settings: whose engine, workers and bounds count.
    """
    root = folder.absolute()
    with tempfile.TemporaryDirectory(prefix="finrag-") as home:
        own = settings.model_copy(update={"home": Path(home), "database_url": None, "ocr": "off"})
        with Database.open(own) as database:
            run = Run(database, own, Scope(own.app, paths=(str(root),)))
            started = time.perf_counter()
            registration = register_paths(run, [str(root)], today())
            stages = [("raw_pdfs", registration.seconds, 0)]
            reports = [
                run_stage(run, CleanedText()),
                run_stage(run, HtmlTables()),
                run_stage(run, CliqueChunks()),
                embed_documents(run),
                publish_documents(run),
            ]
            total = time.perf_counter() - started
            stages += [(report.stage, report.seconds, len(report.failed)) for report in reports]
            with database.connection() as connection:
                documents = list_documents(connection, run.scope)
            started = time.perf_counter()
            again = register_paths(run, [str(root)], today())
            second = time.perf_counter() - started
    indexed = [row for row in documents if row["status"] == "indexed"]
    pages = sum(row["pages"] for row in indexed)
    names = {row["source"] for row in indexed}
    loop = _pymupdf_loop([str(path) for path in sorted(root.rglob("*.pdf")) if path.name in names])
    rows = [
        (stage, f"{seconds:.1f}", f"{pages / max(seconds, 1e-9):.1f}", failed or "")
        for stage, seconds, failed in (
            *stages,
            ("all stages", total, 0),
            ("PyMuPDF loop, one process", loop, 0),
        )
    ]
    return Report(
        f"{len(documents)} documents, {len(indexed)} indexed with {pages} pages, "
        f"{own.workers} workers",
        ("stage", "seconds", "pages/s", "not indexed"),
        tuple(rows),
        notes=(
            f"ratio to the loop: {loop / total:.2f}",
            f"listing again, nothing changed: {second:.2f} s for {len(again.known)} files",
        ),
    )


def _pymupdf_loop(paths: Sequence[str]) -> float:
    """Run the loop in a plain interpreter: nothing of ours may tune it."""
    plain = {name: value for name, value in os.environ.items() if not name.startswith("ORT_")}
    arguments = [sys.executable, "-c", _PYMUPDF_LOOP, *paths]
    loop = subprocess.run(arguments, env=plain, check=True, capture_output=True, text=True)
    return float(loop.stderr.splitlines()[-1])
