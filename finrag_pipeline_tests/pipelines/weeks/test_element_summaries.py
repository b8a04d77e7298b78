"""Summaries of entities and relations with many descriptions, by a model over real HTTP."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from pytest_httpserver import HTTPServer

from finrag_pipeline.models.chat import ChatRequest
from finrag_pipeline.pipelines.run.run import Run
from finrag_pipeline.pipelines.weeks.community_summaries import summarise_week
from finrag_pipeline.pipelines.weeks.community_writers import load_writer
from finrag_pipeline.settings import Settings
from finrag_pipeline.stages.reports.element_summary import Described
from finrag_pipeline.stages.reports.limits import ReportLimits
from finrag_pipeline.store.database.connections import Database
from finrag_pipeline.store.documents.documents import Scope
from finrag_pipeline_tests.models.servers import Answer, ModelHost, said
from finrag_pipeline_tests.pipelines.communities import (
    WEEK,
    add_build,
    publish_groups,
    records,
    reported,
)
from finrag_pipeline_tests.pipelines.graph_documents import APP


@pytest.fixture
def host() -> Iterator[ModelHost]:
    with HTTPServer(threaded=True) as server:
        yield ModelHost(server, "/chat/completions", reported)


@pytest.fixture
def graph(database: Database) -> Database:
    publish_groups(database)
    add_build(database)
    return database


def run(database: Database, settings: Settings, host: ModelHost) -> Run:
    chat = {"chat_base_url": host.url, "chat_model": "qwen"}
    return Run(database, settings.model_copy(update=chat), Scope(APP))


def test_an_element_with_many_descriptions_is_summed_up_once(
    graph: Database, settings: Settings, host: ModelHost
) -> None:
    with graph.transaction() as connection:
        connection.execute(
            "update entity_mentions set description = '谷满材料的说法' || ordinal || chunk "
            "where name like '谷满材料'"
        )
    summed: list[str] = []

    def answer(body: Any) -> Answer:
        if records(body):
            return reported(body)
        summed.append(body["messages"][1]["content"])
        return said(json.dumps({"summary": f"小结{len(summed)}。"}, ensure_ascii=False))

    host.answer = answer
    limits = ReportLimits(few=1)
    summarise_week(run(graph, settings, host), WEEK, limits)
    (text,) = summed
    assert text.startswith("谷满材料\n- 谷满材料的说法")
    told = [line for body in host.asked for line in records(body)]
    assert any(line.startswith("谷满材料（公司）：小结1。") for line in told)
    assert summarise_week(run(graph, settings, host), WEEK, limits).written == 0
    with graph.transaction() as connection:
        connection.execute("update leiden_communities set report_id = null")
        connection.execute("update community_builds set published_at = now()")
        connection.execute("delete from model_replies")
    # another build of the same descriptions: nobody is asked again
    add_build(graph, "b-other")
    summarise_week(run(graph, settings, host), WEEK, limits)
    assert len(summed) == 1
    with graph.connection() as connection:
        row = connection.execute("select count(*) as n from element_summaries").fetchone()
    assert row == {"n": 2}


def test_what_exceeds_one_request_is_summed_up_in_parts_and_those_again(
    database: Database, settings: Settings, host: ModelHost
) -> None:
    limits = ReportLimits(prompt_tokens=400, summary_tokens=20)
    host.answer = lambda body: said(json.dumps({"summary": f"第{len(host.asked)}段小结。"}))
    writer = load_writer(run(database, settings, host), limits)
    texts = tuple(f"谷满材料在第{number}座基地生产隔膜，产能逐年扩大。" for number in range(40))
    (found,) = writer.summaries([Described("谷满材料", texts)])
    asked = [body["messages"] for body in host.asked]
    for system, user in asked:
        request = ChatRequest(system["content"], user["content"], 1)
        assert request.prompt_tokens <= limits.prompt_tokens
    assert len(asked) > 2
    assert found == f"第{len(asked)}段小结。"
    last = asked[-1][1]["content"].splitlines()
    assert last == ["谷满材料", *(f"- 第{number}段小结。" for number in range(1, len(asked)))]
    # every description was told once
    told = [line for _, user in asked[:-1] for line in user["content"].splitlines()[1:]]
    assert told == [f"- {text}" for text in texts]
