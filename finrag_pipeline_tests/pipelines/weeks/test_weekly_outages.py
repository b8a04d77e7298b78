"""A chat model that stops a week's build: what it wrote stays, and the build that is run again ends
in the rows of one that was never stopped."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import pytest
from pytest_httpserver import HTTPServer

from finrag_pipeline.errors import FinragError
from finrag_pipeline.pipelines.run.run import Run
from finrag_pipeline.pipelines.weeks.community_summaries import Summarised, summarise_week
from finrag_pipeline.settings import Settings
from finrag_pipeline.stages.reports.limits import ReportLimits
from finrag_pipeline.store.database.connections import Database
from finrag_pipeline.store.documents.documents import Scope
from finrag_pipeline_tests.models.servers import Answer, StoppingModel, refusal, said, tell_waits
from finrag_pipeline_tests.pipelines.communities import (
    WEEK,
    add_build,
    publish_groups,
    records,
    reported,
    stored_rows,
)
from finrag_pipeline_tests.pipelines.graph_documents import APP

pytestmark = pytest.mark.faults

#: Parts are written before their parent, an entity with two descriptions before them all.
LIMITS = ReportLimits(prompt_tokens=700, batch=2, few=1)


def answered(body: Any) -> Answer:
    if records(body):
        return reported(body)
    return said(json.dumps({"summary": "一家材料公司。"}, ensure_ascii=False))


@pytest.fixture
def model() -> Iterator[StoppingModel]:
    with HTTPServer(threaded=True) as server:
        yield StoppingModel(server, answered)


@pytest.fixture
def graph(database: Database) -> Database:
    publish_groups(database)
    with database.transaction() as connection:
        connection.execute(
            "update entity_mentions set description = '谷满材料的说法' || ordinal || chunk "
            "where name like '谷满材料'"
        )
    add_build(database)
    return database


FAULTS: dict[str, Callable[[Any], Answer]] = {
    "401": lambda _: refusal(401, "who are you"),
    "404": lambda _: refusal(404, "no such model"),
    "429": lambda _: refusal(429, "slow down"),
    "500": lambda _: refusal(500, "out of memory"),
    "garbage": lambda _: said("I am sorry, but I cannot help with that."),
}


@pytest.mark.parametrize("after", [0, 2])
@pytest.mark.parametrize("stop", [*FAULTS, "down", "budget"])
def test_a_week_that_is_stopped_ends_as_if_it_were_not(
    graph: Database,
    settings: Settings,
    model: StoppingModel,
    monkeypatch: pytest.MonkeyPatch,
    stop: str,
    after: int,
) -> None:
    tell_waits(monkeypatch)

    def summarised(**more: Any) -> Summarised:
        chat = {"chat_base_url": model.host.url, "chat_model": "qwen"} | more
        run = Run(graph, settings.model_copy(update=chat), Scope(APP))
        return summarise_week(run, WEEK, LIMITS)

    assert summarised().degraded == ()
    whole, requests = stored_rows(graph), set(model.answers)
    with graph.transaction() as connection:
        for table in ("community_builds", "community_summaries", "model_replies", "model_usage"):
            connection.execute(f"delete from {table}")
    add_build(graph)
    model.answers.clear()

    if stop == "down":
        model.server.stop()
    elif stop != "budget":
        model.after, model.fault = after, FAULTS[stop]
    # a request may take some 2,600 tokens, and takes 100
    budget = {"chat_budget_tokens": 2_500 + 100 * after} if stop == "budget" else {}
    with suppress(FinragError):
        assert summarised(**budget).degraded
    assert stored_rows(graph) != whole

    model.mend()
    assert summarised().degraded == ()
    assert stored_rows(graph) == whole
    assert set(model.answers) == requests and model.answers.total() == len(requests)
