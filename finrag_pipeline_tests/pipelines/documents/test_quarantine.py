"""What leaves the quarantine and what leaves readers: replaced files, files that are gone."""

from __future__ import annotations

import shutil
from collections.abc import Callable

import pytest

from finrag_pipeline.errors import SourceUnavailable
from finrag_pipeline.pipelines.documents.indexed_documents import withdraw_document
from finrag_pipeline.pipelines.documents.raw_pdfs import register_inbox, register_paths
from finrag_pipeline.pipelines.graph.graph_check import differences
from finrag_pipeline_tests.pipelines.conftest import make_pdf
from finrag_pipeline_tests.pipelines.stages import DAY, ingest

FIRST = "星河新材料股份有限公司2026年上半年收入同比增长百分之二十，主要受益于储能需求回暖。"
SECOND = "星河新材料股份有限公司2026年上半年收入同比下降百分之五，原因是加工费继续下行。"
BROKEN = b"no pdf at all"

Statuses = Callable[[], dict[str, str]]


@pytest.fixture
def statuses(documents_of) -> Statuses:
    """Status by the files of each document; what no file holds, by its id."""

    def read() -> dict[str, str]:
        return {
            " ".join(row["names"] or [row["document_id"]]): row["status"] for row in documents_of()
        }

    return read


@pytest.fixture
def served(statuses: Statuses) -> Callable[[], dict[str, str]]:
    """The same without what was withdrawn."""
    return lambda: {name: each for name, each in statuses().items() if each != "withdrawn"}


def in_step(run) -> bool:
    return differences(run.database, run.scope.app_id, most=50) == []


def test_a_broken_file_replaced_by_known_content_leaves_the_quarantine(run, inbox, served):
    good = make_pdf(inbox / "good.pdf", FIRST)
    (inbox / "other.pdf").write_bytes(BROKEN)
    ingest(run, [inbox])
    assert served() == {"good.pdf": "indexed", "other.pdf": "quarantined"}
    shutil.copy(good, inbox / "other.pdf")
    assert register_paths(run, [str(inbox)], DAY).known == ("good.pdf", "other.pdf")
    assert served() == {"good.pdf other.pdf": "indexed"}


def test_a_file_replaced_by_content_that_readers_have_leaves_them_at_once(run, inbox, served):
    make_pdf(inbox / "a.pdf", FIRST)
    other = make_pdf(inbox / "b.pdf", SECOND)
    ingest(run, [inbox])
    shutil.copy(other, inbox / "a.pdf")
    register_paths(run, [str(inbox)], DAY)
    assert served() == {"a.pdf b.pdf": "indexed"}
    assert in_step(run)


def test_a_file_replaced_by_content_in_quarantine_stays_with_readers(run, inbox, served):
    make_pdf(inbox / "a.pdf", FIRST)
    (inbox / "b.pdf").write_bytes(BROKEN)
    ingest(run, [inbox])
    shutil.copy(inbox / "b.pdf", inbox / "a.pdf")
    register_paths(run, [str(inbox)], DAY)
    assert sorted(served().values()) == ["indexed", "quarantined"]
    make_pdf(inbox / "a.pdf", SECOND)
    ingest(run, [inbox])
    assert served() == {"a.pdf": "indexed", "b.pdf": "quarantined"}
    assert in_step(run)


@pytest.mark.parametrize("content", [SECOND, None], ids=["readable", "broken"])
def test_a_file_replaced_by_withdrawn_content(run, inbox, documents_of, served, content):
    """Readers lose the old version where they once had the new one: nothing else would end it."""
    make_pdf(inbox / "a.pdf", FIRST)
    other = inbox / "b.pdf"
    if content:
        make_pdf(other, content)
    else:
        other.write_bytes(BROKEN)
    ingest(run, [inbox])
    withdraw_document(run.database, run.scope.app_id, documents_of()[1]["document_id"])
    shutil.copy(other, inbox / "a.pdf")
    register_paths(run, [str(inbox)], DAY)
    assert list(served().values()) == ([] if content else ["indexed"])
    assert in_step(run)


@pytest.mark.parametrize("between", ["registered", "quarantined", "indexed"])
def test_content_that_comes_back_leaves_no_trace_of_what_was_between(run, inbox, served, between):
    first = make_pdf(inbox / "a.pdf", FIRST).read_bytes()
    ingest(run, [inbox])
    if between == "quarantined":
        (inbox / "a.pdf").write_bytes(BROKEN)
    else:
        make_pdf(inbox / "a.pdf", SECOND)
    if between == "registered":
        register_paths(run, [str(inbox)], DAY)
    else:
        ingest(run, [inbox])
    (inbox / "a.pdf").write_bytes(first)
    ingest(run, [inbox])
    assert served() == {"a.pdf": "indexed"}
    assert in_step(run)


def test_a_chain_of_versions_never_read_leaves_the_last(run, inbox, served):
    make_pdf(inbox / "a.pdf", FIRST)
    ingest(run, [inbox])
    for content in (BROKEN, BROKEN + b"!", BROKEN + b"!!"):
        (inbox / "a.pdf").write_bytes(content)
        ingest(run, [inbox])
        assert served()["a.pdf"] == "quarantined"
        assert sorted(served().values()) == ["indexed", "quarantined"]


@pytest.mark.parametrize("register", ["folder", "inbox"])
def test_what_was_never_indexed_goes_with_its_file_and_comes_back_with_it(
    run, inbox, served, register
):
    def look():
        if register == "inbox":
            return register_inbox(run, str(inbox), [DAY.replace(year=2099)])
        return register_paths(run, [str(inbox)], DAY)

    make_pdf(inbox / "good.pdf", FIRST)
    broken = inbox / "broken.pdf"
    broken.write_bytes(BROKEN)
    ingest(run, [inbox])
    waiting = make_pdf(inbox / "deep" / "waiting.pdf", SECOND)
    look()
    assert served() == {
        "good.pdf": "indexed", "broken.pdf": "quarantined", "waiting.pdf": "registered"
    }  # fmt: skip
    broken.unlink()
    waiting.unlink()
    assert look().gone == ("broken.pdf", "waiting.pdf")
    assert served() == {"good.pdf": "indexed"}
    assert look().gone == ()
    broken.write_bytes(BROKEN)
    assert look().new == ()
    assert served() == {"good.pdf": "indexed", "broken.pdf": "registered"}
    ingest(run, [inbox])
    assert served() == {"good.pdf": "indexed", "broken.pdf": "quarantined"}


def test_what_another_file_holds_stays_and_so_does_what_readers_have(run, inbox, tmp_path, served):
    good = make_pdf(inbox / "good.pdf", FIRST)
    make_pdf(inbox / "stays.pdf", SECOND)
    (inbox / "one.pdf").write_bytes(BROKEN)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    shutil.copy(inbox / "one.pdf", elsewhere / "two.pdf")
    make_pdf(elsewhere / "fine.pdf", FIRST + SECOND)
    ingest(run, [inbox, elsewhere])
    (inbox / "one.pdf").unlink()
    good.unlink()
    assert register_paths(run, [str(inbox)], DAY).gone == ()
    assert served()["two.pdf"] == "quarantined"
    assert served()["good.pdf"] == "indexed"
    (elsewhere / "two.pdf").unlink()
    assert register_paths(run, [str(inbox)], DAY).gone == ()  # another folder was not looked at
    assert register_paths(run, [str(elsewhere)], DAY).gone == ("two.pdf",)
    assert set(served().values()) == {"indexed"}


def test_an_empty_folder_is_refused_and_takes_nothing_from_the_quarantine(run, inbox, served):
    (inbox / "broken.pdf").write_bytes(BROKEN)
    ingest(run, [inbox])
    (inbox / "broken.pdf").unlink()
    with pytest.raises(SourceUnavailable):
        register_paths(run, [str(inbox)], DAY)
    assert served() == {"broken.pdf": "quarantined"}


def test_a_broken_version_that_is_gone_gives_its_file_back_to_the_one_that_readers_have(
    run, inbox, served
):
    make_pdf(inbox / "b.pdf", SECOND)
    make_pdf(inbox / "a.pdf", FIRST)
    ingest(run, [inbox])
    for content in (BROKEN, BROKEN + b"!"):
        (inbox / "a.pdf").write_bytes(content)
        ingest(run, [inbox])
    (inbox / "a.pdf").unlink()
    assert register_paths(run, [str(inbox)], DAY).gone == ("a.pdf",)
    assert served() == {"a.pdf": "indexed", "b.pdf": "indexed"}
    make_pdf(inbox / "a.pdf", FIRST + SECOND)
    ingest(run, [inbox])
    assert served() == {"a.pdf": "indexed", "b.pdf": "indexed"}
    assert in_step(run)
