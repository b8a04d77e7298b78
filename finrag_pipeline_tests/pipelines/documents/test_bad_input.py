"""Every bad file has one clear reason, and the rest of its batch is indexed."""

from __future__ import annotations

import threading
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import psutil
import pymupdf
import pytest

from finrag_pipeline.pipelines.run.run import Run
from finrag_pipeline_tests.pipelines.conftest import make_pdf
from finrag_pipeline_tests.pipelines.stages import ingest

pytestmark = pytest.mark.faults

TEXT = "星河新材2026年上半年收入同比增长百分之二十，主要受益于储能需求回暖。"


def make_encrypted(path: Path) -> None:
    with pymupdf.open() as document:
        document.new_page().insert_text((72, 72), "secret")
        document.save(path, encryption=pymupdf.PDF_ENCRYPT_AES_256, user_pw="x", owner_pw="y")


def make_image_only(path: Path) -> None:
    with pymupdf.open() as document:
        for _ in range(2):
            page = document.new_page()
            pixels = pymupdf.Pixmap(pymupdf.csRGB, pymupdf.IRect(0, 0, 200, 300), False)
            pixels.clear_with(120)
            page.insert_image(page.rect, pixmap=pixels)
        document.save(path)


def make_bomb(path: Path, operators: bytes) -> None:
    """Forms that draw each other ten times over: a small file whose page never ends."""
    with pymupdf.open() as document:
        page = document.new_page()
        page.insert_text((72, 72), "a page that never ends")
        inner = ""
        for level in range(12):
            form = document.get_new_xref()
            font = "/Font<</H<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>"
            resources = f"<</XObject<</F {inner}>>>>" if inner else f"<<{font}>>"
            document.update_object(
                form,
                f"<</Type/XObject/Subtype/Form/BBox[0 0 600 800]/Resources{resources}>>",
            )
            document.update_stream(form, b"/F Do " * 10 if level else operators, new=True)
            inner = f"{form} 0 R"
        resources_xref = int(document.xref_get_key(page.xref, "Resources")[1].split()[0])
        document.xref_set_key(resources_xref, "XObject", f"<</F {inner}>>")
        content = document.get_new_xref()
        document.update_object(content, "<<>>")
        document.update_stream(content, b"/F Do", new=True)
        old = page.get_contents()[0]
        document.xref_set_key(page.xref, "Contents", f"[{old} 0 R {content} 0 R]")
        document.save(path)


def reasons(documents_of) -> dict[str, str | None]:
    return {row["names"][0]: row["reason"] for row in documents_of()}


def test_each_bad_file_has_its_reason_and_the_good_one_is_indexed(run, inbox, documents_of):
    good = make_pdf(inbox / "good.pdf", TEXT)
    (inbox / "zero.pdf").touch()
    (inbox / "notes.pdf").write_text("these are notes, not a report")
    (inbox / "cut.pdf").write_bytes(good.read_bytes()[: good.stat().st_size // 2])
    make_encrypted(inbox / "locked.pdf")
    make_image_only(inbox / "scan.pdf")
    with pymupdf.open() as document:
        document.new_page()
        document.save(inbox / "blank.pdf")
    without_ocr = run.settings.model_copy(update={"ocr": "off"})
    ingest(replace(run, settings=without_ocr), [inbox])
    assert reasons(documents_of) == {
        "blank.pdf": "no_content",
        "cut.pdf": "truncated",
        "good.pdf": None,
        "locked.pdf": "encrypted",
        "notes.pdf": "not_a_pdf",
        "scan.pdf": "image_only",
        "zero.pdf": "zero_bytes",
    }
    status = {row["names"][0]: row["status"] for row in documents_of()}
    assert status.pop("good.pdf") == "indexed"
    assert set(status.values()) == {"quarantined"}


@pytest.fixture
def impatient(run: Run) -> Run:
    """A run with bounds that a test can wait for."""
    limits = {"open_timeout_s": 6.0, "page_timeout_s": 0.5, "workers": 1, "ocr": "off"}
    return replace(run, settings=run.settings.model_copy(update=limits))


def test_a_hanging_document_is_quarantined_and_tried_again_under_other_bounds(
    impatient, inbox, documents_of
):
    make_bomb(inbox / "bomb.pdf", b"0 0 m 10 10 l S")
    make_pdf(inbox / "good.pdf", TEXT)
    ingest(impatient, [inbox])
    assert reasons(documents_of) == {"bomb.pdf": "reader_timeout", "good.pdf": None}
    assert not ingest(impatient, [inbox])[0].outcomes
    patient = impatient.settings.model_copy(update={"page_timeout_s": 0.6})
    assert len(ingest(replace(impatient, settings=patient), [inbox])[0].outcomes) == 1


def test_a_killed_reader_quarantines_its_document_only(impatient, inbox, documents_of):
    make_bomb(inbox / "bomb.pdf", b"0 0 m 10 10 l S")
    make_pdf(inbox / "good.pdf", TEXT)
    patient = impatient.settings.model_copy(update={"open_timeout_s": 120.0})

    done = threading.Event()

    def kill_busy_readers() -> None:
        while not done.wait(0.2):
            for child in psutil.Process().children(recursive=True):
                with suppress(psutil.Error):
                    busy = child.cpu_times().user > 6
                    if busy and "spawn_main" in " ".join(child.cmdline()):
                        child.kill()

    killer = threading.Thread(target=kill_busy_readers)
    killer.start()
    ingest(replace(impatient, settings=patient), [inbox])
    done.set()
    killer.join()
    assert reasons(documents_of) == {"bomb.pdf": "reader_crashed", "good.pdf": None}


def test_a_document_that_eats_memory_is_quarantined(run, inbox, documents_of):
    make_bomb(inbox / "bomb.pdf", b"BT /H 2 Tf 9 9 Td (" + b"x" * 200 + b") Tj ET " * 9)
    make_pdf(inbox / "good.pdf", TEXT)
    small = run.settings.model_copy(update={"worker_memory_mib": 640, "ocr": "off"})
    ingest(replace(run, settings=small), [inbox])
    assert reasons(documents_of) == {"bomb.pdf": "reader_memory", "good.pdf": None}
