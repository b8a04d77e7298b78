"""Office formats and scans through the pipeline, from files to what readers find."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pymupdf
import pytest

from finrag_pipeline.errors import ConfigurationError
from finrag_pipeline.pipelines.documents.cleaned_text import CleanedText
from finrag_pipeline.pipelines.documents.raw_pdfs import register_paths
from finrag_pipeline.pipelines.documents.scanned_text import clean_documents
from finrag_pipeline.pipelines.run.run import Run, run_stage
from finrag_pipeline.query.engine import QueryEngine
from finrag_pipeline.query.question.options import Options
from finrag_pipeline_tests.pipelines.conftest import make_pdf
from finrag_pipeline_tests.pipelines.stages import DAY, ingest
from finrag_pipeline_tests.stages.office_files import INTRO, TABLE, html, make_docx, make_pptx

TEXT = "星河新材2026年上半年收入同比增长百分之二十，主要受益于储能需求回暖。"


@pytest.fixture
def without_ocr(run: Run) -> Run:
    return replace(run, settings=run.settings.model_copy(update={"ocr": "off"}))


def make_scan(path: Path, text: str, *, printed_pages: int = 0) -> Path:
    """A PDF with a small page that is an image of `text`, after printed pages."""
    with pymupdf.open() as paper, pymupdf.open() as document:
        page = paper.new_page(width=300, height=120)
        page.insert_textbox((20, 20, 280, 110), text, fontname="china-s", fontsize=12)
        image = page.get_pixmap(dpi=150)
        for _ in range(printed_pages):
            printed = document.new_page()
            printed.insert_textbox((60, 90, 540, 780), TEXT * 3, fontname="china-s", fontsize=11)
        scan = document.new_page(width=300, height=120)
        scan.insert_image(scan.rect, pixmap=image)
        document.save(path)
    return path


def reasons(documents_of: Any) -> dict[str, str | None]:
    return {row["names"][0]: row["reason"] for row in documents_of()}


def pages_of(run: Run) -> list[dict[str, Any]]:
    with run.database.connection() as connection:
        return connection.execute(
            "select p.page, p.ocr_confidence, p.flags from pages p join current_documents d"
            " using (document_id, revision) order by d.source, p.page"
        ).fetchall()


def test_every_format_is_indexed_and_found(run, inbox, documents_of, reader):
    pytest.importorskip("docling", reason="needs the extra docling")
    make_docx(inbox / "a.docx", "硅料库存在九月见底，星河新材提价两次。")
    make_pptx(inbox / "b.pptx")
    (inbox / "c.html").write_text(html(f"<h1>隔膜行业</h1><p>隔膜价格企稳。{INTRO}</p>{TABLE}"))
    (inbox / "d.md").write_text(f"# 电解液行业\n\n六氟磷酸锂价格回升。{INTRO}\n")
    make_pdf(inbox / "e.pdf", TEXT)
    (inbox / "~$a.docx").write_bytes(b"\x05owner of a.docx, which is open")
    ingest(run, [inbox])
    assert reasons(documents_of) == dict.fromkeys(
        ["a.docx", "b.pptx", "c.html", "d.md", "e.pdf"], None
    )
    engine = QueryEngine(reader, run.settings)
    found = {
        question: engine.search(question, Options(k=1)).to_dict()["results"][0]
        for question in ("硅料库存何时见底", "海外订单占比", "隔膜价格", "六氟磷酸锂价格")
    }
    assert [result["source"] for result in found.values()] == [
        "a.docx",
        "b.pptx",
        "c.html",
        "d.md",
    ]
    assert found["硅料库存何时见底"]["page"] == 1
    assert found["硅料库存何时见底"]["bbox"] is None
    assert found["海外订单占比"]["bbox"] is not None
    results = engine.search("盈利预测 营业收入").to_dict()["results"]
    tables = {result["source"] for result in results if result["kind"] == "table"}
    assert {"a.docx", "b.pptx", "c.html"} <= tables


def test_bad_files_of_every_format_have_their_reason_and_the_good_one_is_indexed(
    run, inbox, documents_of
):
    pytest.importorskip("docling", reason="needs the extra docling")
    make_docx(inbox / "good.docx")
    (inbox / "renamed.docx").write_bytes(b"%PDF-1.7 renamed")
    (inbox / "zero.pptx").touch()
    (inbox / "empty.html").write_text(html("<script>alert(1)</script>"))
    (inbox / "deep.html").write_text("<div>" * 3_000 + INTRO)
    ingest(run, [inbox])
    found = reasons(documents_of)
    assert found.pop("deep.html") in (None, "reader_crashed", "truncated", "no_content")
    assert found == {
        "good.docx": None,
        "renamed.docx": "wrong_format",
        "zero.pptx": "zero_bytes",
        "empty.html": "no_content",
    }


def test_a_scan_waits_until_ocr_is_switched_on(run, without_ocr, inbox, documents_of, reader):
    pytest.importorskip("rapidocr", reason="needs the extra ocr")
    make_scan(inbox / "scan.pdf", TEXT)
    ingest(without_ocr, [inbox])
    assert reasons(documents_of) == {"scan.pdf": "image_only"}
    ingest(run, [inbox])
    assert reasons(documents_of) == {"scan.pdf": None}
    (page,) = pages_of(run)
    assert page["ocr_confidence"] > 0.9
    assert [flag["reason"] for flag in page["flags"]] == ["ocr"]
    (result,) = QueryEngine(reader, run.settings).search("储能需求", Options(k=1)).results
    assert "同比增长百分之二十" in result.text


def test_scans_come_last_with_progress_by_page_also_after_an_interrupted_run(
    run, inbox, documents_of
):
    pytest.importorskip("rapidocr", reason="needs the extra ocr")
    make_scan(inbox / "a.pdf", TEXT, printed_pages=2)
    make_scan(inbox / "b.pdf", TEXT)
    make_pdf(inbox / "c.pdf", TEXT)
    register_paths(run, [str(inbox)], DAY)
    run_stage(run, CleanedText())  # and here the run was ended
    assert reasons(documents_of) == {"a.pdf": "image_only", "b.pdf": "image_only", "c.pdf": None}
    seen: list[tuple[str, int, int]] = []
    report = clean_documents(replace(run, progress=lambda *step: seen.append(step)))
    assert seen == [("cleaned_text", 0, 0), ("ocr", 0, 2), ("ocr", 1, 2), ("ocr", 2, 2)]
    assert [outcome.error for outcome in report.outcomes] == [None, None]
    assert report.total("pages") == 4
    ingest(run, [inbox])
    assert set(reasons(documents_of).values()) == {None}


def test_one_run_counts_a_scanned_document_once(run, inbox):
    pytest.importorskip("rapidocr", reason="needs the extra ocr")
    make_scan(inbox / "a.pdf", TEXT)
    make_pdf(inbox / "b.pdf", TEXT)
    register_paths(run, [str(inbox)], DAY)
    report = clean_documents(run)
    assert sorted(outcome.document.source for outcome in report.outcomes) == ["a.pdf", "b.pdf"]
    assert not report.failed


def test_without_ocr_a_document_with_a_scanned_page_is_indexed_and_the_page_flagged(
    without_ocr, inbox, documents_of
):
    make_scan(inbox / "a.pdf", TEXT, printed_pages=2)
    ingest(without_ocr, [inbox])
    assert reasons(documents_of) == {"a.pdf": None}
    flags = [[flag["reason"] for flag in page["flags"]] for page in pages_of(without_ocr)]
    assert flags == [[], [], ["image_only_page"]]


def test_a_page_that_ocr_cannot_read_in_time_costs_itself_alone(run, inbox, documents_of):
    pytest.importorskip("rapidocr", reason="needs the extra ocr")
    hasty = {"ocr_page_timeout_s": 0.01, "open_timeout_s": 8.0, "workers": 1}
    with pymupdf.open(make_scan(inbox / "a.pdf", TEXT, printed_pages=1)) as document:
        # a page that takes for ever to draw
        xref = document[1].get_contents()[0]
        document.update_stream(xref, document.xref_stream(xref) * 30_000)
        document.save(inbox / "b.pdf")
        document[0].clean_contents()
        document.update_stream(document[0].get_contents()[0], b" ")
        document.save(inbox / "c.pdf")
    (inbox / "a.pdf").unlink()
    ingest(replace(run, settings=run.settings.model_copy(update=hasty)), [inbox])
    # where nothing else was printed, the document failed of what its image did
    assert reasons(documents_of) == {"b.pdf": None, "c.pdf": "reader_timeout"}
    with run.database.connection() as connection:
        rows = connection.execute("select flags from pages order by page").fetchall()
    flags = [[(flag["reason"], flag["detail"]) for flag in row["flags"]] for row in rows]
    assert flags == [[], [("image_only_page", "reader_timeout 8 s")]]


def test_an_engine_without_its_models_is_one_line_before_anything_is_read(
    run, inbox, documents_of, tmp_path
):
    pytest.importorskip("docling", reason="needs the extra docling")
    make_pdf(inbox / "a.pdf", TEXT)
    register_paths(run, [str(inbox)], DAY)
    update = {"pdf_engine": "docling", "docling_artifacts": tmp_path / "models"}
    with pytest.raises(ConfigurationError, match="docling-tools models download") as caught:
        clean_documents(replace(run, settings=run.settings.model_copy(update=update)))
    assert "FINRAG_PDF_ENGINE=docling" in str(caught.value)
    assert reasons(documents_of) == {"a.pdf": None}


def test_switching_engines_is_another_revision(run):
    other = replace(run, settings=run.settings.model_copy(update={"pdf_engine": "docling"}))
    assert other.revision != run.revision
