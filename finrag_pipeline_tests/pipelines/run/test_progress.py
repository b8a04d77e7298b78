"""What is told of how far a stage is: pages of opened documents, all files, each document once."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from finrag_pipeline.pipelines.documents.cleaned_text import CleanedText
from finrag_pipeline.pipelines.documents.html_tables import HtmlTables
from finrag_pipeline.pipelines.documents.pages import PAGES_PER_CALL
from finrag_pipeline.pipelines.documents.raw_pdfs import register_paths
from finrag_pipeline.pipelines.run.progress import Tally
from finrag_pipeline.pipelines.run.run import Run, run_stage
from finrag_pipeline_tests.pipelines.conftest import make_pdf

Step = tuple[str, int, int]


def test_a_document_counts_as_one_until_it_is_opened():
    seen: list[Step] = []
    tally = Tally(lambda *step: seen.append(step), "cleaned_text", ["a", "b"])
    tally.opened("a", 300)
    tally.read("a", 20)
    tally.finished("b")  # it could not be opened
    tally.read("a", 500)  # never more than there is
    tally.finished("a")
    assert [step[1:] for step in seen] == [(0, 2), (0, 301), (20, 301), (21, 301), (301, 301)]


def test_stages_that_open_documents_count_their_pages(run: Run, inbox):
    make_pdf(inbox / "long.pdf", *["第一页的内容，收入增长。"] * (PAGES_PER_CALL + 5))
    make_pdf(inbox / "short.pdf", "收入增长。")
    (inbox / "broken.pdf").write_text("no pdf")
    register_paths(run, [str(inbox)], date(2026, 3, 2))
    for stage in (CleanedText(), HtmlTables()):
        seen: list[Step] = []
        run_stage(replace(run, progress=lambda *step: seen.append(step)), stage)  # noqa: B023
        broken = isinstance(stage, CleanedText)
        pages = PAGES_PER_CALL + 5 + 1 + broken
        assert seen[0] == (stage.name, 0, 2 + broken)
        assert seen[-1] == (stage.name, pages, pages)
        done = [step[1] for step in seen]
        assert done == sorted(done)
        assert any(0 < each < pages for each in done)


def test_registering_reaches_its_total_with_files_that_are_known_or_unreadable(run: Run, inbox):
    for name in ("a", "b"):
        make_pdf(inbox / f"{name}.pdf", f"{name}：收入增长。")
    for _ in range(2):
        seen: list[Step] = []
        register_paths(
            replace(run, progress=lambda *step: seen.append(step)),  # noqa: B023
            [str(inbox)],
            date(2026, 3, 2),
        )
        assert seen == [("raw_pdfs", 0, 2), ("raw_pdfs", 1, 2), ("raw_pdfs", 2, 2)]
