"""Reports of a week's communities over real Postgres: by a model over real HTTP, and without."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from pytest_httpserver import HTTPServer

from finrag_pipeline.errors import (
    BudgetExhausted,
    ConfigurationError,
    ModelUnavailable,
    TransientError,
)
from finrag_pipeline.models.chat import ChatRequest
from finrag_pipeline.pipelines.documents.indexed_documents import withdraw_document
from finrag_pipeline.pipelines.run.run import Run
from finrag_pipeline.pipelines.weeks.community_summaries import Summarised, summarise_week
from finrag_pipeline.records.communities import CommunityReport
from finrag_pipeline.settings import Settings
from finrag_pipeline.stages.reports.limits import ReportLimits
from finrag_pipeline.store.database.connections import Database
from finrag_pipeline.store.documents.documents import Scope
from finrag_pipeline.store.weeks import community_builds, community_summaries
from finrag_pipeline_tests.models.servers import Answer, ModelHost, refusal, said, tell_waits
from finrag_pipeline_tests.pipelines.communities import (
    BUILD,
    DAY,
    WEEK,
    add_build,
    publish_groups,
    records,
    reported,
    stored_rows,
    supply,
)
from finrag_pipeline_tests.pipelines.graph_documents import APP, Report, publish

#: A part fits, all three together do not.
LIMITS = ReportLimits(prompt_tokens=700, batch=2)


@pytest.fixture
def host() -> Iterator[ModelHost]:
    with HTTPServer(threaded=True) as server:
        yield ModelHost(server, "/chat/completions", reported)


@pytest.fixture
def graph(database: Database) -> Database:
    publish_groups(database)
    add_build(database)
    return database


def run(database: Database, settings: Settings, host: ModelHost | None = None, **more: Any) -> Run:
    if host is not None:
        more |= {"chat_base_url": host.url, "chat_model": "qwen"}
    return Run(database, settings.model_copy(update=more), Scope(APP))


def summarise(run: Run, limits: ReportLimits = LIMITS) -> Summarised:
    return summarise_week(run, WEEK, limits)


def reports(database: Database) -> dict[str, CommunityReport]:
    """The report of each community that has one."""
    with database.connection() as connection:
        rows = community_summaries.communities(connection, BUILD)
        ids = {row.community_id: row.report_id for row in rows if row.report_id}
        found = community_summaries.reports(connection, ids.values())
    return {community: found[report] for community, report in ids.items()}


def reasons(database: Database) -> dict[str, str]:
    with database.connection() as connection:
        rows = community_summaries.communities(connection, BUILD)
    return {row.community_id: row.no_report for row in rows if row.no_report}


def held(database: Database) -> bool:
    """Whether every passage of every report stands in what readers see."""
    passages = [
        passage
        for report in reports(database).values()
        for finding in report.findings
        for passage in finding.evidence
    ]
    with database.connection() as connection:
        return bool(passages) and not community_summaries.lost(connection, passages)


def test_a_parent_over_budget_is_written_from_the_reports_of_its_parts(
    graph: Database, settings: Settings, host: ModelHost
) -> None:
    found = summarise(run(graph, settings, host))
    assert (found.written, found.reused, found.without, found.degraded) == (4, 0, 0, ())
    assert reasons(graph) == {"alone": "one entity alone"}
    assert held(graph)
    of = reports(graph)
    lines = records(host.asked[-1])
    for part in ("part-0", "part-1", "part-2"):
        title = f"{of[part].title} {of[part].summary}"
        own = [line for line in lines if title in line]
        elements = [line for line in lines if line.startswith(of[part].title[2:6])]
        assert bool(own) != bool(elements), f"{part} is told twice, or not at all"
    assert any("共9条材料" in line for line in lines)
    for body in host.asked:
        system, user = (message["content"] for message in body["messages"])
        assert ChatRequest(system, user, 1).prompt_tokens <= LIMITS.prompt_tokens
    with graph.connection() as connection:
        stored = community_builds.find(connection, BUILD)
    assert stored is not None
    assert stored.summarised_at is not None


def test_a_parent_within_the_budget_is_written_from_its_elements(
    graph: Database, settings: Settings, host: ModelHost
) -> None:
    summarise(run(graph, settings, host), ReportLimits())
    sizes = sorted(len(records(body)) for body in host.asked)
    # five companies and four links in each part; all of them and the link between two
    assert sizes == [9, 9, 9, 28]


def test_unchanged_communities_are_not_written_again(
    graph: Database, settings: Settings, host: ModelHost
) -> None:
    summarise(run(graph, settings, host))
    before, asked = stored_rows(graph), len(host.asked)
    again = summarise(run(graph, settings, host))
    assert (again.written, again.reused) == (0, 4)
    assert len(host.asked) == asked
    assert stored_rows(graph) == before


def test_a_change_in_one_part_writes_it_and_what_is_above_it(
    graph: Database, settings: Settings, host: ModelHost
) -> None:
    summarise(run(graph, settings, host))
    before = reports(graph)
    publish(graph, Report("new.pdf", DAY, (supply("玄岳", 0, 3),)))
    asked = len(host.asked)
    again = summarise(run(graph, settings, host))
    assert (again.written, again.reused) == (2, 2)
    assert len(host.asked) == asked + 2
    changed = {each for each, report in reports(graph).items() if report != before[each]}
    assert changed == {"part-0", "top"}


def test_what_is_interrupted_goes_on_and_ends_in_the_same_rows(
    graph: Database, settings: Settings, host: ModelHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    tell_waits(monkeypatch)
    summarise(run(graph, settings, host))
    whole = stored_rows(graph)
    with graph.transaction() as connection:
        connection.execute("delete from community_builds")
        connection.execute("delete from community_summaries")
        connection.execute("delete from model_replies")
    add_build(graph)

    def parts_only(body: Any) -> Answer:
        alone = not any(line.startswith("报告") for line in records(body))
        return reported(body) if alone else refusal(503, "busy")

    host.answer = parts_only
    with pytest.raises(ModelUnavailable):
        summarise(run(graph, settings, host))
    assert set(reports(graph)) == {"part-0", "part-1", "part-2"}
    with graph.connection() as connection:
        stored = community_builds.find(connection, BUILD)
    assert stored is not None
    assert stored.summarised_at is None
    host.answer = reported
    assert summarise(run(graph, settings, host)).written == 1
    assert stored_rows(graph) == whole


def test_a_budget_that_ends_stops_the_run(
    graph: Database, settings: Settings, host: ModelHost
) -> None:
    with pytest.raises(BudgetExhausted):
        summarise(run(graph, settings, host, chat_budget_tokens=1000))
    assert host.asked == []
    assert reports(graph) == {}


def test_what_a_model_cannot_write_is_told_and_its_elements_go_up(
    graph: Database, settings: Settings, host: ModelHost
) -> None:
    finding = {"summary": "s", "explanation": "e", "records": [99]}
    reply = {"title": "t", "summary": "s", "rating": 1, "rating_reason": "r"}
    lines: list[str] = []

    def refuse(body: Any) -> Answer:
        own = records(body)
        if len(own) == 9 and any("谷满材料" in line for line in own):
            return said(json.dumps(reply | {"findings": [finding]}))
        lines.extend(own)
        return reported(body)

    host.answer = refuse
    found = summarise(run(graph, settings, host))
    assert (found.written, found.without) == (3, 1)
    assert "must name records" in reasons(graph)["part-1"]
    assert len(found.degraded) == 1
    assert "qwen wrote no report on 1 of " in found.degraded[0]
    assert any(line.startswith("谷满") for line in lines)
    host.answer = reported
    assert summarise(run(graph, settings, host)).degraded == ()
    assert set(reasons(graph)) == {"alone"}


def test_what_is_withdrawn_while_it_is_written_of_is_no_evidence(
    graph: Database, settings: Settings, host: ModelHost
) -> None:
    with graph.connection() as connection:
        row = connection.execute(
            "select document_id from document_sources where uri like '%across.pdf'"
        ).fetchone()
    assert row is not None

    def withdraw(body: Any) -> Answer:
        withdraw_document(graph, APP, row["document_id"])
        return reported(body)

    host.faults = [withdraw]
    summarise(run(graph, settings, host))
    assert held(graph)
    assert set(reports(graph)) == {"top", "part-0", "part-1", "part-2"}


def test_a_build_that_is_replaced_while_it_is_written_of_leaves_no_report(
    graph: Database, settings: Settings, host: ModelHost
) -> None:
    def replace(body: Any) -> Answer:
        with graph.transaction() as connection:
            connection.execute("delete from community_builds")
        return reported(body)

    host.faults = [replace]
    with pytest.raises(TransientError, match="was replaced"):
        summarise(run(graph, settings, host))
    assert stored_rows(graph)["community_summaries"] == []


def test_without_a_model_the_whole_chain_is_told_at_the_top(
    graph: Database, settings: Settings
) -> None:
    offline = run(graph, settings)
    found = summarise(offline)
    assert (found.written, found.without) == (4, 0)
    assert held(graph)
    first = reports(graph)["top"].findings[0]
    # four links in each part, and one from part to part
    assert len(first.explanation.splitlines()) == 13
    assert "玄岳电力 供应 谷满矿业" in first.explanation
    rows = stored_rows(graph)
    assert summarise(offline, ReportLimits(LIMITS.prompt_tokens, batch=50)).written == 0
    assert stored_rows(graph) == rows


def test_a_week_without_communities_is_named(database: Database, settings: Settings) -> None:
    with pytest.raises(ConfigurationError, match="finrag rebuild --week 2026-03-01"):
        summarise(run(database, settings))
