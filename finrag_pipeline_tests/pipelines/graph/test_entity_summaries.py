"""Summaries of frequent entities: extracted, or written by a chat model over real HTTP."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any

import pytest
from pytest_httpserver import HTTPServer

from finrag_pipeline.pipelines.documents.indexed_documents import withdraw_document
from finrag_pipeline.pipelines.graph.entity_summaries import write_summaries
from finrag_pipeline.pipelines.run.run import Run
from finrag_pipeline.query.lanes.entity_summaries import summaries as as_of
from finrag_pipeline.settings import Settings
from finrag_pipeline.store.database.connections import Database
from finrag_pipeline.store.documents.documents import Scope
from finrag_pipeline.store.graph import entity_summaries
from finrag_pipeline_tests.models.servers import Answer, ModelHost, refusal, said, tell_waits
from finrag_pipeline_tests.pipelines.graph_documents import APP, Report, Said, publish

DAY = date(2026, 3, 2)
LATER = date(2026, 3, 9)


#: The twelve chunks that name each of today's entities most, from all of them.
FOREMOST = """
select entity_id, chunk_id
from (select entity_id, chunk_id,
             row_number() over (partition by entity_id order by sum(round(weight * 10)::int) desc,
                                max(published_on) desc, document_id, chunk) as rank
      from entity_chunks
      where published_on <= coalesce(%(as_of)s::date, 'infinity')
      group by entity_id, chunk_id, document_id, chunk) ranked
where rank <= 12
order by entity_id, rank
"""


@pytest.fixture
def documents(database: Database) -> list[str]:
    """Three reports whose chunks name one company more than four times, and others less."""
    chunk = Said((("远岫能源公司", None),))
    other = Said((("汐原电力公司", None),))
    reports = [
        Report("a.pdf", DAY, (chunk,) * 5 + (other,)),
        Report("b.pdf", LATER, (chunk, chunk, other)),
    ]
    return [publish(database, report).document_id for report in reports]


def written_by_model(body: Any) -> Answer:
    reply = {"concept": [{"text": "远岫能源公司是一家公司。", "passages": [1, 2]}]}
    return said(json.dumps(reply, ensure_ascii=False))


@pytest.fixture
def host() -> Iterator[ModelHost]:
    with HTTPServer(threaded=True) as server:
        yield ModelHost(server, "/chat/completions", written_by_model)


def run(database: Database, settings: Settings, host: ModelHost | None = None) -> Run:
    if host is not None:
        chat = {"chat_base_url": host.url, "chat_model": "qwen"}
        settings = settings.model_copy(update=chat)
    return Run(database, settings, Scope(APP))


def stored(database: Database) -> dict[str, entity_summaries.StoredSummary]:
    with database.connection() as connection:
        return entity_summaries.summaries(connection, APP)


def test_only_frequent_entities_are_summed_up_and_only_when_they_change(
    database: Database, settings: Settings, documents: list[str]
) -> None:
    offline = run(database, settings)
    first = write_summaries(offline)
    assert (first.frequent, first.written) == (1, 1)
    assert write_summaries(offline).written == 0
    (summary,) = stored(database).values()
    assert summary.written_by == "offline"
    assert "远岫能源公司" in summary.summary_text
    assert all(anchor.split(":")[0] in documents for anchor in summary.anchor_chunk_ids)


def test_what_is_withdrawn_leaves_the_summary_at_once(
    database: Database, settings: Settings, documents: list[str]
) -> None:
    write_summaries(run(database, settings))
    withdraw_document(database, APP, documents[1])
    assert stored(database) == {}
    assert write_summaries(run(database, settings)).written == 1
    (summary,) = stored(database).values()
    assert summary.published_to == DAY
    assert not any(documents[1] in anchor for anchor in summary.anchor_chunk_ids)


def test_the_foremost_chunks_are_those_that_name_an_entity_most_by_all_its_names(
    database: Database,
) -> None:
    long, short, other = "远岫能源系统公司", "远岫", "汐原电力股份公司"
    draw = random.Random(5)
    for number in range(9):
        chunks = [
            Said(
                tuple((long, short) for _ in range(draw.randint(0, 2)))
                + tuple((short, None) for _ in range(draw.randint(0, 2)))
                + ((other, None),)
            )
            for _ in range(6)
        ]
        publish(database, Report(f"{number}.pdf", DAY + timedelta(number % 3), tuple(chunks)))
    with database.connection() as connection:
        entities = [row["entity_id"] for row in connection.execute("select * from entities")]
        assert len(entities) == 2
        for as_of in (None, DAY, DAY + timedelta(1), DAY + timedelta(9)):
            afresh = connection.execute(FOREMOST, {"as_of": as_of}).fetchall()
            found = entity_summaries.sources(connection, APP, entities, as_of)
            assert [
                (source.entity_id, anchor.chunk_id) for source in found for anchor in source.anchors
            ] == [(row["entity_id"], row["chunk_id"]) for row in afresh]
            assert len(afresh) == 24


def test_as_of_a_day_a_summary_rests_on_what_was_published_by_then(
    database: Database, settings: Settings, documents: list[str]
) -> None:
    write_summaries(run(database, settings))
    (entity_id,) = stored(database)
    with database.connection() as connection:
        then = as_of(connection, APP, [entity_id], DAY)
        assert as_of(connection, APP, [entity_id], date(2026, 3, 1)) == {}
        assert as_of(connection, APP, [entity_id], LATER) == as_of(
            connection, APP, [entity_id], None
        )
    withdraw_document(database, APP, documents[1])
    write_summaries(run(database, settings))
    assert then == {entity_id: stored(database)[entity_id].summary_text}


def test_a_chat_model_writes_what_its_passages_say(
    database: Database, settings: Settings, documents: list[str], host: ModelHost
) -> None:
    by_chat = run(database, settings, host)
    # passages that were not given are no ground for a sentence: it is asked once more
    host.faults = [lambda _: said('{"concept": [{"text": "远岫", "passages": [99]}]}')]
    assert write_summaries(by_chat).written == 1
    assert len(host.asked) == 2
    (summary,) = stored(database).values()
    assert summary.written_by == "qwen"
    assert summary.summary_text == "概念：远岫能源公司是一家公司。"
    assert len(summary.anchor_chunk_ids) == 2
    assert write_summaries(by_chat).written == 0
    assert len(host.asked) == 2


def test_a_model_that_fails_leaves_none_and_says_so(
    database: Database,
    settings: Settings,
    documents: list[str],
    host: ModelHost,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tell_waits(monkeypatch)
    by_chat = run(database, settings, host)
    host.answer = lambda _: refusal(500, "out of memory")
    failed = write_summaries(by_chat)
    assert failed.written == 0
    assert "1 entities have no summary" in failed.degraded[0]
    assert "out of memory" in failed.degraded[0]
    assert stored(database) == {}
    host.answer = written_by_model
    assert write_summaries(by_chat).written == 1
