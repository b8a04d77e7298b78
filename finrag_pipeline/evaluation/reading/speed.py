"""Pages per second of the document stages, beside a plain PyMuPDF loop on the same files.

The loop reads text and runs `find_tables` on every page in one process. Both run on this machine,
one after the other, and each starts with nothing in memory. Image-only and broken files count for
neither: the loop gets the pages of the documents that were indexed. A file that ends the loop is
named, and left out of its seconds and pages alone.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from finrag_pipeline.evaluation.report import Report
from finrag_pipeline.pipelines.documents.cleaned_text import CleanedText
from finrag_pipeline.pipelines.documents.clique_chunks import CliqueChunks
from finrag_pipeline.pipelines.documents.embeddings import embed_documents
from finrag_pipeline.pipelines.documents.financial_facts import FinancialFacts
from finrag_pipeline.pipelines.documents.html_tables import HtmlTables
from finrag_pipeline.pipelines.documents.indexed_documents import publish_documents
from finrag_pipeline.pipelines.documents.raw_pdfs import register_paths
from finrag_pipeline.pipelines.run.run import Run, run_stage
from finrag_pipeline.pipelines.run.workers import how_it_ended
from finrag_pipeline.settings import Settings, today
from finrag_pipeline.store.database.connections import Database
from finrag_pipeline.store.documents.documents import Scope, list_documents

#: Reads text and tables of every page of the files that its arguments name, after the seconds that
#: one page may take. Prints {seconds, pages} of each file, or {error}, as it is done.
_PYMUPDF_LOOP = """
import json, signal, sys, time
import pymupdf
page_timeout_s = float(sys.argv[1])
for path in sys.argv[2:]:
    started = time.perf_counter()
    try:
        with pymupdf.open(path) as document:
            signal.setitimer(signal.ITIMER_REAL, page_timeout_s * (1 + len(document)))
            for page in document:
                page.get_text()
                page.find_tables()
            told = {"seconds": time.perf_counter() - started, "pages": len(document)}
    except Exception as error:
        told = {"error": f"{type(error).__name__}: {error}"}
    signal.setitimer(signal.ITIMER_REAL, 0)
    print(json.dumps(told), file=sys.stderr, flush=True)
"""


#: The loop reads text and tables; so do as many of the first stages.
_READING = 3


@dataclass
class _Loop:
    """What the loop read, and of the files that it could not read, one line each."""

    seconds: float = 0.0
    pages: int = 0
    failures: list[str] = field(default_factory=list[str])

    @property
    def pages_per_s(self) -> float:
        return self.pages / max(self.seconds, 1e-9)


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
                run_stage(run, FinancialFacts()),
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
    paths = [path for path in sorted(root.rglob("*.pdf")) if path.name in names]
    loop = _pymupdf_loop(paths, settings.page_timeout_s)
    reading = sum(seconds for _, seconds, _ in stages[:_READING])
    rows = [
        (stage, f"{seconds:.1f}", f"{read / max(seconds, 1e-9):.1f}", failed or "")
        for stage, seconds, read, failed in (
            *((stage, seconds, pages, failed) for stage, seconds, failed in stages),
            ("reading, to html_tables", reading, pages, 0),
            ("all stages", total, pages, 0),
            ("PyMuPDF loop, one process", loop.seconds, loop.pages, len(loop.failures)),
        )
    ]
    ratios = [f"{pages / each / loop.pages_per_s:.2f}" for each in (reading, total) if loop.pages]
    return Report(
        f"{len(documents)} documents, {len(indexed)} indexed with {pages} pages, "
        f"{own.workers} workers",
        ("stage", "seconds", "pages/s", "not indexed"),
        tuple(rows),
        notes=(
            f"ratio to the loop, by pages a second: {_told(ratios)}",
            f"listing again, nothing changed: {second:.2f} s for {len(again.known)} files",
            *loop.failures,
        ),
    )


def _told(ratios: Sequence[str]) -> str:
    return "reading {}, all stages {}".format(*ratios) if ratios else "none"


def _pymupdf_loop(paths: Sequence[Path], page_timeout_s: float) -> _Loop:
    """Run the loop in a plain interpreter: nothing of ours may tune it.

    Where it dies of a file, or takes too long over one, it goes on after it in a new process.
    """
    plain = {name: value for name, value in os.environ.items() if not name.startswith("ORT_")}
    command = [sys.executable, "-c", _PYMUPDF_LOOP, str(page_timeout_s)]
    found = _Loop()
    left = list(paths)
    while left:
        process = subprocess.run(
            [*command, *map(str, left)], env=plain, check=False, capture_output=True, text=True
        )
        told = [json.loads(line) for line in process.stderr.splitlines() if line.startswith('{"')]
        if len(told) < len(left):
            told.append({"error": how_it_ended(process.returncode)})
        for path, each in zip(left, told, strict=False):
            if "error" in each:
                found.failures.append(f"not in the PyMuPDF loop: {path.name}: {each['error']}")
            else:
                found.seconds += each["seconds"]
                found.pages += each["pages"]
        left = left[len(told) :]
    return found
