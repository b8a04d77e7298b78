"""Contexts by a chat model over real HTTP: written before vectors, resumed, and never a document
lost to a model that fails."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from pytest_httpserver import HTTPServer

from finrag_pipeline.errors import ConfigurationError
from finrag_pipeline.pipelines.documents.chunk_contexts import write_contexts
from finrag_pipeline.pipelines.documents.clique_chunks import CliqueChunks
from finrag_pipeline.pipelines.documents.embeddings import embed_documents, ready_embedder
from finrag_pipeline.pipelines.documents.html_tables import HtmlTables
from finrag_pipeline.pipelines.documents.indexed_documents import publish_documents
from finrag_pipeline.pipelines.documents.raw_pdfs import register_paths
from finrag_pipeline.pipelines.documents.scanned_text import clean_documents
from finrag_pipeline.pipelines.documents.unfinished_stages import left_unfinished
from finrag_pipeline.pipelines.run.run import Run, StageReport, run_stage
from finrag_pipeline.store.documents.documents import Scope
from finrag_pipeline.store.documents.unfinished_stages import MOST_TRIES
from finrag_pipeline_tests.models.servers import Answer, ModelHost, refusal, said, tell_waits
from finrag_pipeline_tests.pipelines.conftest import make_pdf
from finrag_pipeline_tests.pipelines.stages import DAY, copy_first_chunk

TEXTS = [
    "{name}2026年上半年收入同比增长两成，主要受益于储能需求回暖，海外订单占比升至四成。",
    "原材料价格在二季度回落，毛利率较上年同期提升三个百分点，单位加工费基本持平。",
    "我们维持买入评级，目标价四十二元，对应明年二十倍市盈率，看好新基地投产后的份额。",
]
NAMES = ["星河新材", "远山生物", "沧澜装备", "衡宇电气", "启岭软件"]


@pytest.fixture
def host() -> Iterator[ModelHost]:
    """A chat model that places a passage by its first words."""

    def place(body: Any) -> Answer:
        passage = body["messages"][1]["content"].partition("<passage>\n")[2]
        return said(f"星河新材2026年点评：{passage[:12]}")

    with HTTPServer(threaded=True) as server:
        yield ModelHost(server, "/chat/completions", place)


@pytest.fixture
def chatting(run: Run, host: ModelHost) -> Run:
    """The run with a chat model."""
    chat = {"chat_base_url": host.url, "chat_model": "qwen"}
    return replace(run, settings=run.settings.model_copy(update=chat))


CHUNKS = 6


def prepare(run: Run, count: int = 1) -> None:
    """So many documents up to their chunks, as many each as a longer report would have."""
    paths: list[str] = []
    for name in NAMES[:count]:
        pages = [text.format(name=name) for text in TEXTS]
        paths.append(str(make_pdf(Path(run.settings.inbox) / f"{name}.pdf", *pages)))
    register_paths(run, paths, DAY)
    clean_documents(run)
    run_stage(run, HtmlTables())
    run_stage(run, CliqueChunks())
    with run.database.transaction() as connection:
        copy_first_chunk(connection, CHUNKS - 1)


def contexts(run: Run) -> list[tuple[str, str]]:
    with run.database.connection() as connection:
        rows = connection.execute(
            "select context, context_by from clique_chunks order by document_id, ordinal"
        ).fetchall()
    return [(row["context"], row["context_by"]) for row in rows]


def indexed(run: Run) -> int:
    assert not publish_documents(run).failed
    with run.database.connection() as connection:
        (row,) = connection.execute("select count(*) as n from current_documents").fetchall()
    return row["n"]


def test_without_a_chat_model_the_line_of_the_headings_stays(run: Run) -> None:
    prepare(run)
    before = contexts(run)
    report = embed_documents(run)
    assert report.degraded == () and contexts(run) == before
    assert {by for _, by in before} == {"headings"} and all(line for line, _ in before)


def test_a_chat_model_places_every_chunk_before_it_is_embedded(
    chatting: Run, host: ModelHost
) -> None:
    prepare(chatting)
    steps: list[str] = []
    watched = replace(chatting, progress=lambda stage, done, total: steps.append(stage))
    report = embed_documents(watched)
    written = contexts(chatting)
    assert len(host.asked) == len(written) == CHUNKS and report.degraded == ()
    assert all(by == "qwen" and line.startswith("星河新材2026年点评：") for line, by in written)
    assert list(dict.fromkeys(steps)) == ["chunk_contexts", "embeddings"]
    assert indexed(chatting) == 1
    # nothing is left to do, so nobody is asked
    embed_documents(chatting)
    assert len(host.asked) == len(written)


def test_the_vector_holds_the_line_of_the_model(run: Run, chatting: Run) -> None:
    def vectors(run: Run) -> list[str]:
        with run.database.connection() as connection:
            rows = connection.execute(
                "select e.embedding::text as v from embeddings e where kind = 'chunk' "
                "order by ordinal"
            ).fetchall()
            connection.execute("delete from embeddings")
            connection.execute("delete from document_stages where stage like 'embeddings%'")
            connection.commit()
        return [row["v"] for row in rows]

    prepare(run)
    embed_documents(run)
    headings = vectors(run)
    embed_documents(chatting)
    model = vectors(chatting)
    assert len(headings) == len(model) and not set(headings) & set(model)


def test_what_a_model_wrote_is_not_asked_for_again(chatting: Run, host: ModelHost) -> None:
    prepare(chatting)
    with chatting.database.transaction() as connection:
        connection.execute(
            "update clique_chunks set context = '先前的模型', context_by = 'old' where ordinal = 0"
        )
    embed_documents(chatting)
    written = contexts(chatting)
    assert written[0] == ("先前的模型", "old")
    assert [by for _, by in written[1:]] == ["qwen"] * (CHUNKS - 1)
    assert len(host.asked) == CHUNKS - 1


def test_contexts_that_a_run_left_without_vectors_are_not_asked_for_again(
    chatting: Run, host: ModelHost
) -> None:
    prepare(chatting)
    report = write_contexts(chatting, ready_embedder(chatting))
    assert report is not None and report.total("contexts") == CHUNKS
    before = contexts(chatting)
    embed_documents(chatting)
    assert contexts(chatting) == before and len(host.asked) == CHUNKS


def assert_degraded(report: StageReport, lacking: int, reason: str) -> None:
    (line,) = report.degraded
    assert line.startswith(f"{lacking} chunks keep the context of their headings, qwen wrote none")
    assert reason in line


def test_a_chunk_that_is_refused_keeps_its_line_and_the_run_says_so(
    chatting: Run, host: ModelHost
) -> None:
    prepare(chatting)
    host.faults = [lambda _: refusal(400, "not this content")]
    report = embed_documents(chatting)
    assert sorted(by for _, by in contexts(chatting)) == ["headings"] + ["qwen"] * (CHUNKS - 1)
    assert_degraded(report, 1, "not this content")
    assert indexed(chatting) == 1


@pytest.mark.parametrize(
    "answer", [said("I cannot do that for you."), said(""), said(None, "length"), {"choices": []}]
)
def test_what_is_no_line_is_not_stored(chatting: Run, host: ModelHost, answer: Answer) -> None:
    prepare(chatting)
    host.faults = [lambda _: answer] * 99
    report = embed_documents(chatting)
    assert {by for _, by in contexts(chatting)} == {"headings"}
    assert len(report.degraded) == 1
    assert indexed(chatting) == 1


def test_a_key_that_is_refused_ends_the_run_before_anything_is_embedded(
    chatting: Run, host: ModelHost
) -> None:
    prepare(chatting, 2)
    host.faults = [lambda _: refusal(401, "who are you")] * 99
    with pytest.raises(ConfigurationError, match=r"FINRAG_CHAT_API_KEY: .*who are you"):
        embed_documents(chatting)
    assert {by for _, by in contexts(chatting)} == {"headings"}
    assert indexed(chatting) == 0


def test_documents_indexed_before_there_was_a_model_get_its_lines_and_vectors(
    run: Run, chatting: Run, host: ModelHost
) -> None:
    def vectors() -> list[dict[str, object]]:
        with run.database.connection() as connection:
            return connection.execute(
                "select kind, ordinal, embedding::text from embeddings order by 1, 2"
            ).fetchall()

    prepare(run)
    embed_documents(run)
    assert indexed(run) == 1
    headings = vectors()
    embed_documents(chatting)
    assert [by for _, by in contexts(run)] == ["qwen"] * CHUNKS and len(host.asked) == CHUNKS
    followed = vectors()
    assert len(followed) == len(headings) and followed != headings
    # what was embedded with the new lines is what an embedding of these rows makes
    with run.database.transaction() as connection:
        connection.execute("delete from embeddings")
        connection.execute("delete from document_stages where stage like 'embeddings%'")
    embed_documents(run)
    assert vectors() == followed


def test_what_stays_unusable_is_asked_for_five_nights_then_by_name_only(
    chatting: Run, host: ModelHost
) -> None:
    prepare(chatting)
    host.answer = lambda _: refusal(400, "not this content")
    night = replace(
        chatting, scope=Scope("default", days=(DAY + timedelta(days=1),), leftovers=True)
    )
    embed_documents(chatting)
    assert indexed(chatting) == 1
    for tries in range(1, MOST_TRIES + 1):
        (waiting,) = left_unfinished(chatting)
        assert (waiting.left_count, waiting.tries) == (CHUNKS, tries)
        assert waiting.given_up == (tries == MOST_TRIES) and "not this content" in waiting.reason
        asked = len(host.asked)
        embed_documents(night)
        assert len(host.asked) == asked + (0 if waiting.given_up else CHUNKS)
    host.answer = lambda body: said("星河新材2026年点评")
    embed_documents(night)
    assert len(left_unfinished(chatting)) == 1
    embed_documents(chatting)  # its own day, or its name
    assert left_unfinished(chatting) == []


def test_a_budget_that_is_spent_ends_the_asking_not_the_run(chatting: Run, host: ModelHost) -> None:
    prepare(chatting, 2)
    settings = chatting.settings.model_copy(update={"chat_budget_tokens": 20_000})
    tight = replace(chatting, settings=settings)
    place = host.answer
    host.answer = lambda body: (
        place(body)
        | {"usage": {"prompt_tokens": 4000, "completion_tokens": 100, "total_tokens": 4100}}
    )
    report = embed_documents(tight)
    written = [by for _, by in contexts(tight) if by == "qwen"]
    assert 0 < len(written) == len(host.asked) < len(contexts(tight))
    lacking = len(contexts(tight)) - len(written)
    assert_degraded(report, lacking, "of FINRAG_CHAT_BUDGET_TOKENS=20000")
    assert indexed(tight) == 2


def test_a_server_that_is_down_is_not_asked_for_every_document(
    chatting: Run, host: ModelHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    tell_waits(monkeypatch)
    prepare(chatting, len(NAMES))
    host.faults = [lambda _: refusal(503, "overloaded")] * 999
    report = embed_documents(chatting)
    chunks = contexts(chatting)
    assert_degraded(report, len(chunks), "503 (overloaded)")
    # each chunk is asked about five times, and after eight in a row no more but those under way
    assert 8 * 5 <= len(host.asked) <= 2 * CHUNKS * 5 < len(chunks) * 5
    assert indexed(chatting) == len(NAMES)
