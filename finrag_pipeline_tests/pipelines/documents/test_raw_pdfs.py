"""Registration: one document per content, arrival days, changed and unreadable files."""

from __future__ import annotations

import os
import shutil
from datetime import date

import pytest

from finrag_pipeline.errors import SourceUnavailable
from finrag_pipeline.pipelines.documents.raw_pdfs import register_inbox, register_paths
from finrag_pipeline_tests.pipelines.conftest import make_pdf

MONDAY, TUESDAY, WEDNESDAY = date(2026, 3, 9), date(2026, 3, 10), date(2026, 3, 11)


def test_one_content_under_two_names_is_one_document_with_two_sources(run, inbox, documents_of):
    make_pdf(inbox / "a.pdf", "光伏需求回暖。")
    shutil.copy(inbox / "a.pdf", inbox / "b.pdf")
    registration = register_paths(run, [str(inbox)], MONDAY)
    assert (registration.new, registration.known) == (("a.pdf",), ("b.pdf",))
    (document,) = documents_of()
    assert document["names"] == ["a.pdf", "b.pdf"]


def test_apps_hold_the_same_content_apart(run, other_app, inbox, documents_of):
    make_pdf(inbox / "a.pdf", "光伏需求回暖。")
    register_paths(run, [str(inbox)], MONDAY)
    register_paths(other_app, [str(inbox)], MONDAY)
    first, second = documents_of()
    assert {first["app_id"], second["app_id"]} == {"default", "other"}
    assert first["document_id"] != second["document_id"]


def test_unchanged_files_are_not_read_again(run, inbox):
    path = make_pdf(inbox / "a.pdf", "光伏需求回暖。")
    register_paths(run, [str(inbox)], MONDAY)
    before = path.stat()
    # other bytes behind an unchanged listing: only a reader would notice
    path.write_bytes(b"%PDF-" + b"x" * (before.st_size - 5))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert register_paths(run, [str(inbox)], TUESDAY).known == ("a.pdf",)


def test_inbox_files_arrive_on_the_first_day_not_before_their_modification(
    run, inbox, documents_of
):
    make_pdf(inbox / "old.pdf", "很早的报告。", day=date(2019, 1, 1))
    make_pdf(inbox / "monday.pdf", "周一的报告。", day=MONDAY)
    make_pdf(inbox / "tuesday.pdf", "周二的报告。", day=TUESDAY)
    make_pdf(inbox / "wednesday.pdf", "周三的报告。", day=WEDNESDAY)
    registration = register_inbox(run, str(inbox), [TUESDAY, MONDAY])
    assert registration.waiting == 1
    arrivals = {row["names"][0]: row["arrival_on"] for row in documents_of()}
    assert arrivals == {"old.pdf": MONDAY, "monday.pdf": MONDAY, "tuesday.pdf": TUESDAY}


def test_a_changed_file_is_a_new_document_and_an_old_one_never_read_goes(run, inbox, documents_of):
    make_pdf(inbox / "a.pdf", "初稿。")
    register_paths(run, [str(inbox)], MONDAY)
    make_pdf(inbox / "a.pdf", "定稿。", "多一页。")
    assert register_paths(run, [str(inbox)], TUESDAY).new == ("a.pdf",)
    with_source, without = documents_of()
    assert with_source["names"] == ["a.pdf"]
    assert without["names"] is None
    assert (with_source["status"], without["status"]) == ("registered", "withdrawn")


def test_an_unreadable_file_is_named_and_the_rest_is_registered(run, inbox):
    make_pdf(inbox / "good.pdf", "光伏需求回暖。")
    (inbox / "gone.pdf").symlink_to(inbox / "nowhere.pdf")
    registration = register_paths(run, [str(inbox)], MONDAY)
    assert registration.new == ("good.pdf",)
    assert [name for name, _ in registration.unreadable] == ["gone.pdf"]


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("missing", "does not exist"),
        ("empty", "holds no .pdf, .docx, .pptx, .html, .htm or .md file"),
        ("notes.txt", "holds no .pdf, .docx, .pptx, .html, .htm or .md file"),
        ("s3x://bucket/reports", "Protocol not known"),
    ],
)
def test_a_wrong_path_is_one_clear_line(run, inbox, name, line):
    (inbox / "empty").mkdir()
    (inbox / "notes.txt").write_text("no report")
    path = name if "://" in name else str(inbox / name)
    with pytest.raises(SourceUnavailable, match=line) as caught:
        register_paths(run, [path], MONDAY)
    assert "\n" not in str(caught.value)


def test_urls_work_like_folders(run, documents_of, tmp_path):
    import fsspec

    pdf = make_pdf(tmp_path / "a.pdf", "光伏需求回暖。").read_bytes()
    memory = fsspec.filesystem("memory")
    memory.pipe("/bucket/reports/a.pdf", pdf)
    memory.pipe("/bucket/reports/.hidden/b.pdf", pdf)
    try:
        registration = register_paths(run, ["memory://bucket/reports"], MONDAY)
        assert registration.new == ("a.pdf",)
        again = register_paths(run, ["memory://bucket/reports/"], MONDAY)
        assert again.known == ("a.pdf",)
    finally:
        memory.rm("/bucket", recursive=True)
