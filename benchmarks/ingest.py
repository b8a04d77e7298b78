"""Pages per second of the document stages, beside a plain PyMuPDF loop on the same files.

    python benchmarks/ingest.py FOLDER [--workers N]

The loop reads text and runs `find_tables` on every page in one process. Both run on this machine,
one after the other, and each starts with nothing in memory. Image-only and broken files count for
neither: the loop gets the pages of the documents that were indexed.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

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
PYMUPDF_LOOP = """
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


def pymupdf_loop(paths: list[str]) -> float:
    """Run the loop in a plain interpreter: nothing of ours may tune it."""
    plain = {name: value for name, value in os.environ.items() if not name.startswith("ORT_")}
    arguments = [sys.executable, "-c", PYMUPDF_LOOP, *paths]
    loop = subprocess.run(arguments, env=plain, check=True, capture_output=True, text=True)
    return float(loop.stderr.splitlines()[-1])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    folder = options.folder.absolute()

    with tempfile.TemporaryDirectory(prefix="finrag-") as home:
        settings = Settings(_env_file=None, home=Path(home), workers=options.workers)  # type: ignore[call-arg]
        with Database.open(settings) as database:
            run = Run(database, settings, Scope(settings.app, paths=(str(folder),)))
            started = time.perf_counter()
            registration = register_paths(run, [str(folder)], today())
            rows = [("raw_pdfs", registration.seconds, 0)]
            reports = [
                run_stage(run, CleanedText()),
                run_stage(run, HtmlTables()),
                run_stage(run, CliqueChunks()),
                embed_documents(run),
                publish_documents(run),
            ]
            total = time.perf_counter() - started
            rows += [(report.stage, report.seconds, len(report.failed)) for report in reports]
            with database.connection() as connection:
                documents = list_documents(connection, run.scope)
            started = time.perf_counter()
            again = register_paths(run, [str(folder)], today())
            second = time.perf_counter() - started

    indexed = [row for row in documents if row["status"] == "indexed"]
    pages = sum(row["pages"] for row in indexed)
    names = {row["source"] for row in indexed}
    paths = [str(path) for path in sorted(folder.rglob("*.pdf")) if path.name in names]
    loop = pymupdf_loop(paths)

    print(f"{len(documents)} documents, {len(indexed)} indexed with {pages} pages, ", end="")
    print(f"{settings.workers} workers\n")
    print("| stage | seconds | pages/s | not indexed |\n|---|---|---|---|")
    for stage, seconds, failed in rows:
        print(f"| {stage} | {seconds:.1f} | {pages / max(seconds, 1e-9):.1f} | {failed or ''} |")
    print(f"| all stages | {total:.1f} | {pages / total:.1f} | |")
    print(f"| PyMuPDF loop, one process | {loop:.1f} | {pages / loop:.1f} | |")
    print(f"\nratio to the loop: {loop / total:.2f}; listing again, nothing changed: ", end="")
    print(f"{second:.2f} s for {len(again.known)} files")


if __name__ == "__main__":
    main()
