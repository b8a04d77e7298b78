"""`finrag evaluate reading speed`: a file that ends the plain loop is named, the rest measured."""

from __future__ import annotations

from pathlib import Path

import pytest

from finrag_pipeline.evaluation.reading import speed
from finrag_pipeline_tests.pipelines.conftest import make_pdf

TEXT = "星河新材料股份有限公司2026年上半年收入同比增长百分之二十，主要受益于储能需求回暖。"
#: Put before the loop: how it ends on a file of that name.
ENDINGS = """
import os, signal, time
def end(path):
    if "crash" in path: os.kill(os.getpid(), signal.SIGSEGV)
    if "stumble" in path: raise ValueError("bad xref")
    if "hang" in path: time.sleep(600)
"""


@pytest.fixture
def fragile(monkeypatch: pytest.MonkeyPatch) -> None:
    """The loop as it is, in a process that ends as files ask for after their first page."""
    loop = speed._PYMUPDF_LOOP
    call = "page.find_tables()"
    assert call in loop
    monkeypatch.setattr(speed, "_PYMUPDF_LOOP", ENDINGS + loop.replace(call, f"{call}; end(path)"))


def test_files_that_end_the_loop_are_named_and_the_others_measured(
    fragile: None, tmp_path: Path, settings
) -> None:
    for name in ("crash 1", "good 1", "hang", "crash 2", "stumble", "good 2", "crash 3"):
        make_pdf(tmp_path / f"{name}.pdf", TEXT + name, TEXT)
    quick = settings.model_copy(update={"page_timeout_s": 1.0, "workers": 2})
    report = speed.measure(tmp_path, quick)
    assert report.title == "7 documents, 7 indexed with 14 pages, 2 workers"
    loop = dict(zip(report.columns, report.rows[-1], strict=True))
    assert (loop["stage"], loop["not indexed"]) == ("PyMuPDF loop, one process", 5)
    assert float(loop["pages/s"]) > 0
    told = {note for note in report.notes if note.startswith("not in the PyMuPDF loop: ")}
    crashed = "its process was ended by"
    assert told == {
        f"not in the PyMuPDF loop: crash 1.pdf: {crashed} SIGSEGV",
        f"not in the PyMuPDF loop: crash 2.pdf: {crashed} SIGSEGV",
        f"not in the PyMuPDF loop: crash 3.pdf: {crashed} SIGSEGV",
        f"not in the PyMuPDF loop: hang.pdf: {crashed} SIGALRM",
        "not in the PyMuPDF loop: stumble.pdf: ValueError: bad xref",
    }
