"""From files to what readers see: skipping, superseding, withdrawing, several apps."""

from __future__ import annotations

import shutil
from dataclasses import replace

from finrag_pipeline.pipelines.documents.reembedding import reembed_documents
from finrag_pipeline.store.documents import documents
from finrag_pipeline.store.documents.documents import Scope
from finrag_pipeline_tests.pipelines.conftest import make_pdf
from finrag_pipeline_tests.pipelines.rows import rows_of
from finrag_pipeline_tests.pipelines.stages import DAY, ingest

FIRST = "星河新材料股份有限公司2026年上半年收入同比增长百分之二十，主要受益于储能需求回暖。"
SECOND = "星河新材料股份有限公司2026年上半年收入同比下降百分之五，原因是加工费继续下行。"


def statuses(documents_of) -> dict[str, str]:
    return {(row["names"] or ["-"])[0]: row["status"] for row in documents_of()}


def test_a_document_is_indexed_once_and_a_second_run_does_nothing(run, inbox, database):
    make_pdf(inbox / "a.pdf", FIRST, SECOND)
    assert [len(report.outcomes) for report in ingest(run, [inbox])] == [1] * 7
    before = rows_of(database, "default")
    assert [len(report.outcomes) for report in ingest(run, [inbox])] == [0] * 7
    assert rows_of(database, "default") == before


def test_the_order_of_arrival_does_not_matter(run, inbox, database):
    make_pdf(inbox / "a.pdf", FIRST)
    make_pdf(inbox / "b.pdf", SECOND)
    ingest(run, [inbox])
    other = replace(run, scope=Scope("other"))
    ingest(other, [inbox / "b.pdf"])
    ingest(other, [inbox / "a.pdf"])
    assert rows_of(database, "default") == rows_of(database, "other")


def test_batches_split_a_load_and_together_are_all_of_it(run, inbox, documents_of):
    for n in range(6):
        make_pdf(inbox / f"{n}.pdf", FIRST + str(n))
    counts = []
    for batch in (1, 2):
        part = replace(run, scope=Scope("default", batch=batch, batches=2))
        counts.append(len(ingest(part, [inbox])[0].outcomes))
    assert sum(counts) == 6
    assert min(counts) > 0
    assert set(statuses(documents_of).values()) == {"indexed"}


def test_a_changed_file_supersedes_only_when_the_new_document_is_indexed(run, inbox, documents_of):
    make_pdf(inbox / "a.pdf", FIRST)
    ingest(run, [inbox])
    good = (inbox / "a.pdf").read_bytes()
    (inbox / "a.pdf").write_bytes(good[: len(good) // 2])
    ingest(run, [inbox])
    # the damaged copy is quarantined, and readers keep the old document
    assert statuses(documents_of) == {"a.pdf": "quarantined", "-": "indexed"}
    make_pdf(inbox / "a.pdf", SECOND)
    ingest(run, [inbox])
    assert sorted(row["status"] for row in documents_of()) == ["indexed", "withdrawn", "withdrawn"]
    assert statuses(documents_of)["a.pdf"] == "indexed"


def test_content_that_comes_back_is_indexed_again(run, inbox, documents_of, database):
    make_pdf(inbox / "a.pdf", FIRST)
    ingest(run, [inbox])
    before = rows_of(database, "default")
    make_pdf(inbox / "a.pdf", SECOND)
    ingest(run, [inbox])
    make_pdf(inbox / "a.pdf", FIRST)
    ingest(run, [inbox])
    after = rows_of(database, "default")
    for table in ("clique_chunks", "embeddings", "cleaned_text"):
        assert after[table] == before[table]
    assert statuses(documents_of) == {"a.pdf": "indexed", "-": "withdrawn"}


def test_a_copy_under_another_name_keeps_superseded_content(run, inbox, documents_of):
    make_pdf(inbox / "a.pdf", FIRST)
    shutil.copy(inbox / "a.pdf", inbox / "b.pdf")
    ingest(run, [inbox])
    make_pdf(inbox / "a.pdf", SECOND)
    ingest(run, [inbox])
    assert statuses(documents_of) == {"a.pdf": "indexed", "b.pdf": "indexed"}


def test_withdrawn_stays_withdrawn_until_the_file_itself_is_named(
    run, inbox, documents_of, database
):
    make_pdf(inbox / "a.pdf", FIRST)
    ingest(run, [inbox])
    with database.transaction() as connection:
        found = documents.find(connection, "default", "a")
        assert documents.find(connection, "default", found[:10]) == found
        documents.withdraw(connection, "default", found)
    assert not rows_of(database, "default")["embeddings"]
    ingest(run, [inbox])
    assert statuses(documents_of) == {"a.pdf": "withdrawn"}
    ingest(run, [inbox / "a.pdf"])
    assert statuses(documents_of) == {"a.pdf": "indexed"}


def test_a_file_that_is_gone_or_changed_unseen_is_tried_again_when_it_is_back(
    run, inbox, documents_of, tmp_path
):
    path = make_pdf(inbox / "a.pdf", FIRST)
    other = make_pdf(inbox / "b.pdf", SECOND)
    from finrag_pipeline.pipelines.documents.cleaned_text import CleanedText
    from finrag_pipeline.pipelines.documents.raw_pdfs import register_paths
    from finrag_pipeline.pipelines.run.run import run_stage

    register_paths(run, [str(inbox)], DAY)
    path.rename(tmp_path / "away.pdf")
    report = run_stage(run, CleanedText())
    assert [outcome.error.reason for outcome in report.failed if outcome.error] == [
        "source_missing"
    ]
    (tmp_path / "away.pdf").rename(path)
    ingest(run, [inbox])
    assert statuses(documents_of) == {path.name: "indexed", other.name: "indexed"}


def test_reembedding_marks_every_document_and_needs_nothing_more(run, inbox, database, settings):
    make_pdf(inbox / "a.pdf", FIRST)
    ingest(run, [inbox])
    before = rows_of(database, "default")
    result = reembed_documents(database, settings)
    assert result == {
        "documents": 0,
        "vectors": 0,
        "graph_vectors": 0,
        "vector_space": "offline",
    }
    assert rows_of(database, "default") == before
