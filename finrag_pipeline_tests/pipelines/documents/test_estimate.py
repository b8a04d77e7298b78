"""An estimate tells what is then sent, to the token; it stores nothing and asks nobody."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from pytest_httpserver import HTTPServer

from finrag_pipeline.pipelines.documents.clique_chunks import CliqueChunks
from finrag_pipeline.pipelines.documents.embeddings import embed_documents
from finrag_pipeline.pipelines.documents.estimate import Amount, Estimate, Range, estimate
from finrag_pipeline.pipelines.documents.html_tables import HtmlTables
from finrag_pipeline.pipelines.documents.raw_pdfs import register_paths
from finrag_pipeline.pipelines.documents.scanned_text import clean_documents
from finrag_pipeline.pipelines.graph.chat_extraction import ChatExtractor
from finrag_pipeline.pipelines.run.chat_session import chat_session
from finrag_pipeline.pipelines.run.run import Run, run_stage
from finrag_pipeline.store.documents import clique_chunks, document_revisions, documents
from finrag_pipeline_tests.models.servers import ModelHost, first_words, said
from finrag_pipeline_tests.paths import SAMPLE_PDFS
from finrag_pipeline_tests.pipelines.conftest import make_pdf

DAY = date(2026, 3, 9)
PRICES = {
    "chat_price_per_million_prompt_tokens": 2.0,
    "chat_price_per_million_completion_tokens": 8.0,
}


@pytest.fixture
def host() -> Iterator[ModelHost]:
    """A well-behaved chat model: a line for a context, an entity for a chunk."""

    def answer(body: Any) -> dict[str, Any]:
        if "response_format" in body:
            return first_words(body)
        line = "星河新材2026年点评的一段" if "Chinese" in body["messages"][1]["content"] else ""
        return said(line or "A passage of the report on hogs")

    with HTTPServer(threaded=True) as server:
        yield ModelHost(server, "/chat/completions", answer)


@pytest.fixture
def chatting(run: Run, host: ModelHost) -> Run:
    chat = {"chat_base_url": host.url, "chat_model": "qwen"} | PRICES
    return replace(run, settings=run.settings.model_copy(update=chat))


def chunked(run: Run, paths: Sequence[str]) -> None:
    register_paths(run, paths, DAY)
    clean_documents(run)
    run_stage(run, HtmlTables())
    run_stage(run, CliqueChunks())


def extracted(run: Run) -> None:
    """Ask about every chunk in the store, as the asset does."""
    session = chat_session(run.database, run.settings, run.scope.app_id)
    assert session is not None
    extractor = ChatExtractor(session, "full")
    with run.database.connection() as connection:
        found = documents.in_scope(
            connection,
            run.scope,
            stage="none",
            after=(CliqueChunks.key,),
            revision=run.revision,
            reason_under="",
        )
    for document in found:
        with run.database.connection() as connection:
            chunks, _ = clique_chunks.chunks_and_contexts(connection, document)
            metadata = document_revisions.read_metadata(connection, document)
        assert not any(each.problem for each in extractor.extract(document, metadata, chunks))


def stage(result: Estimate, asset: str) -> Amount:
    (found,) = (each.asked for each in result.assets if each.asset == asset)
    return found


def sent(run: Run, asset: str) -> dict[str, Any]:
    with run.database.connection() as connection:
        (row,) = connection.execute(
            "select coalesce(sum(calls), 0)::int as calls,"
            " coalesce(sum(counted_prompt_tokens), 0)::int as prompt_tokens,"
            " coalesce(sum(completion_tokens), 0)::int as completion_tokens,"
            " coalesce(sum(cost), 0) as cost from model_usage where asset = %s",
            (asset,),
        ).fetchall()
    return row


def tables_of(run: Run) -> dict[str, int]:
    with run.database.connection() as connection:
        return {
            table: connection.execute(f"select count(*) as n from {table}").fetchall()[0]["n"]
            for table in ("documents", "document_sources", "clique_chunks", "model_replies")
        }


def test_the_estimate_is_what_is_sent(chatting: Run, host: ModelHost) -> None:
    paths = [
        str(SAMPLE_PDFS / name)
        for name in ("alder_petfood_hogs_20260210.pdf", "qiling_tinglan_notes_20240912.pdf")
    ]
    before = tables_of(chatting)
    told = estimate(chatting, paths, DAY)
    assert tables_of(chatting) == before and host.asked == []
    assert told.documents == 2 and told.pages > 2 and told.chat_model == "qwen"

    chunked(chatting, paths)
    embed_documents(chatting)
    extracted(chatting)
    for asset in ("chunk_contexts", "entity_mentions"):
        amount, really = stage(told, asset), sent(chatting, asset)
        assert really["calls"] > 0
        assert amount.calls == Range(really["calls"], really["calls"])
        assert amount.prompt_tokens == Range(really["prompt_tokens"], really["prompt_tokens"])
        assert (
            amount.completion_tokens.low
            <= really["completion_tokens"]
            <= amount.completion_tokens.high
        )
        assert amount.cost.low <= really["cost"] <= amount.cost.high
    assert len(host.asked) == stage(told, "chunk_contexts").calls.low + told.chunks

    # what is done and kept is not told again
    again = estimate(chatting, paths, DAY)
    assert again.chunks == told.chunks and again.pages == told.pages
    assert again.total.calls.low == 0
    assert stage(again, "entity_mentions") == stage(again, "chunk_contexts") == Amount()


def test_a_document_without_a_printed_day_counts_from_its_arrival(
    chatting: Run, inbox: Path
) -> None:
    text = "星河新材上半年收入增长两成，主要受益于储能需求回暖。原材料价格回落，毛利率提升。"
    path = str(make_pdf(inbox / "notes.pdf", text, text.replace("上", "下")))
    told = estimate(chatting, [path], DAY)
    chunked(chatting, [path])
    extracted(chatting)
    assert (
        stage(told, "entity_mentions").prompt_tokens.low
        == sent(chatting, "entity_mentions")["prompt_tokens"]
    )
    # the very requests: all of them are kept now
    assert stage(estimate(chatting, [path], DAY), "entity_mentions") == Amount()


def test_without_a_chat_model_nothing_is_spent_and_what_it_would_be_is_told(
    run: Run, inbox: Path
) -> None:
    path = str(make_pdf(inbox / "a.pdf", "星河新材上半年收入增长两成，毛利率提升。"))
    told = estimate(run, [path], DAY)
    assert told.chat_model is None and told.total == Amount() and told.chunks > 0
    would = {each.asset: each.by_chat_model.calls.high for each in told.assets}
    assert would["entity_mentions"] == would["chunk_contexts"] == told.chunks


def test_the_offline_extractor_and_no_graph_cost_nothing(chatting: Run, inbox: Path) -> None:
    path = str(make_pdf(inbox / "a.pdf", "星河新材上半年收入增长两成，毛利率提升。"))
    for change in ({"extractor": "offline"}, {"graph": "off"}):
        run = replace(chatting, settings=chatting.settings.model_copy(update=change))
        told = estimate(run, [path], DAY)
        assert stage(told, "entity_mentions") == Amount()
        assert stage(told, "chunk_contexts").calls.low == told.chunks > 0


def test_copies_count_once_and_broken_files_are_named(chatting: Run, inbox: Path) -> None:
    path = make_pdf(inbox / "a.pdf", "星河新材上半年收入增长两成，毛利率提升。")
    (inbox / "b.pdf").write_bytes(path.read_bytes())
    (inbox / "c.pdf").write_bytes(b"")
    told = estimate(chatting, [str(inbox)], DAY)
    assert told.documents == 1
    ((name, reason),) = told.unreadable
    assert name == "c.pdf" and reason.startswith("zero_bytes")
