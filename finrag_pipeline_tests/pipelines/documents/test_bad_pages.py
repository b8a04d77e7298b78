"""A page that breaks its reader is flagged, and the rest of its document is indexed."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pymupdf
import pytest

from finrag_pipeline.pipelines.run.run import Run
from finrag_pipeline_tests.pipelines.conftest import FILLER, make_pdf
from finrag_pipeline_tests.pipelines.documents.test_bad_input import TEXT, make_bomb
from finrag_pipeline_tests.pipelines.stages import ingest

pytestmark = pytest.mark.faults


@pytest.fixture
def impatient(run: Run) -> Run:
    limits = {"open_timeout_s": 4.0, "page_timeout_s": 0.5, "workers": 1}
    return replace(run, settings=run.settings.model_copy(update=limits))


def append(path: Path, other: Path) -> None:
    with pymupdf.open(path) as document, pymupdf.open(other) as more:
        document.insert_pdf(more)
        document.save(path.with_suffix(".new"))
    path.with_suffix(".new").replace(path)


def make_mosaic(path: Path) -> None:
    """A page of shapes enough to keep the layout model busy for half a minute."""
    with pymupdf.open() as document:
        page = document.new_page()
        page.insert_textbox((60, 60, 540, 200), TEXT + FILLER, fontname="china-s", fontsize=11)
        draw = random.Random(1).uniform
        places = ((draw(40, 540), draw(60, 760)) for _ in range(2900))
        paint(page, b" ".join(b"%.1f %.1f 6 4 re f" % place for place in places))
        document.save(path)


def paint(page: pymupdf.Page, commands: bytes) -> None:
    document = page.parent
    xref = document.get_new_xref()
    document.update_object(xref, "<<>>")
    document.update_stream(xref, commands, new=True)
    contents = " ".join(f"{number} 0 R" for number in (*page.get_contents(), xref))
    document.xref_set_key(page.xref, "Contents", f"[{contents}]")


def flags_of(run: Run) -> dict[int, list[tuple[str, str]]]:
    with run.database.connection() as connection:
        rows = connection.execute("select page, flags from pages order by page").fetchall()
    return {
        row["page"]: [(flag["reason"], flag["detail"]) for flag in row["flags"]] for row in rows
    }


def kept_text(run: Run, page: int) -> str:
    with run.database.connection() as connection:
        rows = connection.execute(
            "select text from cleaned_text where page = %s and rule is null order by ordinal",
            (page,),
        ).fetchall()
    return "".join(row["text"] for row in rows)


def test_a_page_too_slow_for_the_layout_model_keeps_its_text(impatient, inbox, tmp_path):
    good = make_pdf(inbox / "report.pdf", TEXT, TEXT)
    make_mosaic(tmp_path / "mosaic.pdf")
    append(good, tmp_path / "mosaic.pdf")
    ingest(impatient, [inbox])
    assert flags_of(impatient) == {1: [], 2: [], 3: [("layout_failed", "reader_timeout 4 s")]}
    assert "储能需求回暖" in kept_text(impatient, 3)
    assert "储能需求回暖" in kept_text(impatient, 1)


def test_a_page_that_never_ends_is_flagged_and_the_others_are_indexed(
    impatient, inbox, tmp_path, documents_of
):
    good = make_pdf(inbox / "report.pdf", TEXT, TEXT)
    make_bomb(tmp_path / "bomb.pdf", b"0 0 m 10 10 l S")
    append(good, tmp_path / "bomb.pdf")
    ingest(impatient, [inbox])
    assert [(row["status"], row["reason"]) for row in documents_of()] == [("indexed", None)]
    flags = flags_of(impatient)
    assert (flags[1], flags[2]) == ([], [])
    assert [reason for reason, _ in flags[3]] == ["unreadable"]
    assert kept_text(impatient, 3) == ""


def test_pages_of_many_drawing_commands_keep_their_text(run, inbox):
    good = make_pdf(inbox / "report.pdf", TEXT)
    with pymupdf.open(good) as document:
        paint(document[0], b" ".join(b"%d 300 5 5 re f" % (n % 500) for n in range(50_000)))
        document.saveIncr()
    ingest(run, [inbox])
    assert "too_complex" in {reason for reason, _ in flags_of(run)[1]}
    assert "储能需求回暖" in kept_text(run, 1)
