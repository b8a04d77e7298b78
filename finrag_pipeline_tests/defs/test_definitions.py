"""The asset graph, jobs, schedules and sensors, frozen: a change here is meant or a mistake."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import dagster as dg
import pytest

from finrag_pipeline.defs.assembly import build_definitions
from finrag_pipeline.defs.jobs import (
    nightly_ingestion_schedule,
    weekly_rebuild_schedule,
)
from finrag_pipeline.defs.partitions import FIRST_DAY, arrival_days, weeks_since
from finrag_pipeline.defs.resources import QueryResource
from finrag_pipeline.defs.structured import structured_load_schedule
from finrag_pipeline.records.communities import week_of
from finrag_pipeline.settings import TIME_ZONE, today
from finrag_pipeline.store.database import tables
from finrag_pipeline.store.weeks import community_builds
from finrag_pipeline_tests.pipelines.conftest import make_pdf

GRAPH = {
    "raw_pdfs": set(),
    "cleaned_text": {"raw_pdfs"},
    "html_tables": {"cleaned_text"},
    "financial_facts": {"cleaned_text", "html_tables"},
    "clique_chunks": {"cleaned_text", "html_tables"},
    "embeddings": {"clique_chunks", "html_tables"},
    "entity_mentions": {"clique_chunks"},
    "indexed_documents": {"embeddings", "entity_mentions", "financial_facts"},
    "daily_digest": {"indexed_documents"},
    "entity_graph": {"entity_mentions", "indexed_documents"},
    "entity_summaries": {"entity_graph"},
    "leiden_communities": {"entity_graph"},
    "community_summaries": {"leiden_communities"},
    "chain_reports": {"community_summaries"},
    "retrieval_evaluation": {"chain_reports"},
    "structured_financials": set(),
    "enterprise_graph": set(),
}
WEEKLY = {"leiden_communities", "community_summaries", "chain_reports", "retrieval_evaluation"}
#: Side inputs and their groups.
SIDE = {"structured_financials": "structured", "enterprise_graph": "enterprise"}
#: Where the table of an asset has another name.
TABLES = {
    "raw_pdfs": "documents",
    "daily_digest": "documents",
    "indexed_documents": "current_documents",
    "entity_graph": "entities",
    "retrieval_evaluation": "retrieval_evaluations",
}
CHECKS = {
    ("chain_reports", "weekly_build_in_time"),
    ("clique_chunks", "chunk_lengths"),
    ("community_summaries", "findings_have_evidence"),
    ("entity_graph", "entity_graph_in_step"),
    ("entity_graph", "one_reading"),
    ("entity_mentions", "chat_budget"),
    ("entity_mentions", "extraction_problems"),
    ("indexed_documents", "keyword_index_in_step"),
    ("indexed_documents", "no_empty_document"),
    ("indexed_documents", "quarantined_documents"),
    ("indexed_documents", "unfinished_stages"),
    ("leiden_communities", "one_community_a_level"),
}


@pytest.fixture(scope="module")
def definitions() -> dg.Definitions:
    return build_definitions()


def test_the_asset_graph(definitions):
    graph = definitions.resolve_asset_graph()
    assets = {
        key.to_user_string(): {parent.to_user_string() for parent in graph.get(key).parent_keys}
        for key in graph.get_all_asset_keys()
    }
    assert assets == GRAPH
    checks = {(key.asset_key.to_user_string(), key.name) for key in graph.asset_check_keys}
    assert checks == CHECKS


def test_every_asset_says_its_grain_and_shares_days_or_weeks(definitions):
    graph = definitions.resolve_asset_graph()
    for key in graph.get_all_asset_keys():
        node = graph.get(key)
        weekly = key.to_user_string() in WEEKLY
        assert (node.description or "").startswith("One row per "), key
        if (side := SIDE.get(key.to_user_string())) is not None:
            # files say all that they have at any time
            assert (node.partitions_def, node.group_name) == (None, side)
            continue
        assert node.partitions_def == (weeks_since if weekly else arrival_days)(FIRST_DAY)
        assert node.backfill_policy == dg.BackfillPolicy.single_run()
        assert node.group_name == ("weekly" if weekly else "documents")
        assert node.owners == ["team:research-data"]
        assert "postgres" in node.kinds
        assert len(node.kinds) <= 3


def test_every_asset_names_its_table_and_its_code(definitions, database):
    graph = definitions.resolve_asset_graph()
    for key in graph.get_all_asset_keys():
        metadata, name = graph.get(key).metadata, key.to_user_string()
        table = metadata["dagster/table_name"]
        assert table == TABLES.get(name, name)
        with database.connection() as connection:
            columns = tables.columns(connection, table)
        assert columns, f"there is no table {table}"
        (code,) = metadata["dagster/code_references"].code_references
        line = Path(code.file_path).read_text("utf-8").splitlines()[code.line_number - 1]
        assert line.startswith("@"), f"{code.source} is no definition"


def test_owners_are_those_of_the_deployment(monkeypatch):
    monkeypatch.setenv("FINRAG_OWNERS", "team:markets, data@broker.example")
    graph = build_definitions().resolve_asset_graph()
    for key in graph.get_all_asset_keys():
        assert graph.get(key).owners == ["team:markets", "data@broker.example"]


def test_weeks_are_named_by_their_sunday():
    weeks = weeks_since(date(2026, 3, 4))
    assert weeks.get_first_partition_key() == "2026-03-01"
    assert weeks.has_partition_key(week_of(today()).isoformat())
    assert not weeks.has_partition_key("2026-03-09")


def test_days_start_with_the_first_but_the_night_always_has_its_own():
    assert arrival_days(date(2026, 3, 4)).get_first_partition_key() == "2026-03-04"
    yesterday = (today() - timedelta(days=1)).isoformat()
    assert arrival_days(today()).get_first_partition_key() == yesterday
    assert arrival_days(today()).get_last_partition_key() == today().isoformat()


def test_a_deployment_says_where_partitions_start(monkeypatch):
    def first(**given: date) -> tuple[str, str]:
        graph = build_definitions(**given).resolve_asset_graph()
        days = graph.get(dg.AssetKey("raw_pdfs")).partitions_def
        weeks = graph.get(dg.AssetKey("chain_reports")).partitions_def
        return days.get_first_partition_key(), weeks.get_first_partition_key()

    assert first() == ("2020-01-01", "2019-12-29")
    monkeypatch.setenv("FINRAG_FIRST_DAY", "2026-03-04")
    assert first() == ("2026-03-04", "2026-03-01")
    assert first(first_day=date(2026, 5, 1)) == ("2026-03-04", "2026-03-01")
    # the command line has a partition for whatever day it is asked for
    assert first(first_day=date(2019, 7, 2)) == ("2019-07-02", "2019-06-30")


def test_a_night_and_a_week_that_are_lacking_are_told(environment, monkeypatch):
    def deadline(asset: str) -> str | None:
        policy = build_definitions().resolve_asset_graph().get(dg.AssetKey(asset)).freshness_policy
        return policy and f"{policy.deadline_cron} {policy.timezone}"

    assert deadline("chain_reports") == f"0 3 * * 1 {TIME_ZONE}"
    assert deadline("indexed_documents") == f"0 8 * * * {TIME_ZONE}"
    # nothing comes by itself
    monkeypatch.setenv("FINRAG_INBOX", "")
    assert deadline("indexed_documents") is None


def test_schedules_and_sensors(definitions):
    repository = definitions.get_repository_def()
    assert {schedule.name for schedule in repository.schedule_defs} == {
        "nightly_ingestion",
        "weekly_rebuild",
        "structured_load",
        "enterprise_load",
    }
    assert {sensor.name: sensor.default_status.value for sensor in repository.sensor_defs} == {
        "inbox_sensor": "STOPPED",
        "alert_on_failed_runs": "RUNNING",
        "alert_on_failed_checks": "RUNNING",
    }
    schedule = nightly_ingestion_schedule
    assert (schedule.cron_schedule, schedule.execution_timezone) == ("0 2 * * *", TIME_ZONE)
    assert schedule.default_status is dg.DefaultScheduleStatus.RUNNING
    schedule = weekly_rebuild_schedule
    assert (schedule.cron_schedule, schedule.execution_timezone) == ("0 3 * * 0", TIME_ZONE)
    assert schedule.default_status is dg.DefaultScheduleStatus.RUNNING
    schedule = structured_load_schedule
    assert (schedule.cron_schedule, schedule.execution_timezone) == ("30 1 * * *", TIME_ZONE)


def test_the_weekly_schedule_asks_for_the_week_that_ended(environment, tmp_path):
    at = datetime(2026, 3, 15, 3, tzinfo=ZoneInfo(TIME_ZONE))
    skipped = weekly_rebuild_schedule(dg.build_schedule_context(scheduled_execution_time=at))
    assert isinstance(skipped, dg.SkipReason)
    assert "nothing is indexed" in (skipped.skip_message or "")

    make_pdf(tmp_path / "inbox" / "a.pdf", "星河新材向澄光储能供应磷酸铁锂正极材料。")
    job = build_definitions().resolve_job_def("nightly_ingestion")
    with dg.DagsterInstance.ephemeral() as instance:
        assert job.execute_in_process(instance=instance, partition_key=today().isoformat()).success
    request = weekly_rebuild_schedule(dg.build_schedule_context(scheduled_execution_time=at))
    assert isinstance(request, dg.RunRequest)
    assert request.partition_key == "2026-03-08"


def test_a_backfill_of_weeks_builds_them_in_order_and_one_that_fails_leaves_the_last(
    environment, tmp_path, database
):
    inbox = tmp_path / "inbox"
    sentences = ["星河新材向澄光储能供应磷酸铁锂正极材料。", "澄光储能向远岫能源供应电芯。"]
    for n, sentence in enumerate(sentences):
        make_pdf(inbox / f"{n}.pdf", sentence, day=date(2026, 3, 4) + timedelta(weeks=n))
    definitions = build_definitions()
    night = definitions.resolve_job_def("nightly_ingestion")
    week = definitions.resolve_job_def("weekly_rebuild")
    with dg.DagsterInstance.ephemeral() as instance:
        first, last = "dagster/asset_partition_range_start", "dagster/asset_partition_range_end"
        assert night.execute_in_process(
            instance=instance, tags={first: "2026-03-01", last: "2026-03-14"}
        ).success
        result = week.execute_in_process(
            instance=instance, tags={first: "2026-03-01", last: "2026-03-08"}
        )
        assert result.success
        checks = {e.check_name: e.passed for e in result.get_asset_check_evaluations()}
        # both weeks are long over
        assert checks == {
            name: name != "weekly_build_in_time" for asset, name in CHECKS if asset in WEEKLY
        }
        # nothing was published by then
        failed = week.execute_in_process(
            instance=instance, partition_key="2026-02-01", raise_on_error=False
        )
        assert not failed.success
    with database.connection() as connection:
        older, newer = connection.execute(
            "select * from community_builds where published_at is not null order by week"
        ).fetchall()
        assert (str(older["week"]), str(newer["week"])) == ("2026-03-01", "2026-03-08")
        assert newer["started_from"] == older["build_id"]
        assert older["sizes"]["entities"] < newer["sizes"]["entities"]
        served = community_builds.current(connection, environment.app)
        assert served is not None
        assert served.build.build_id == newer["build_id"]


def test_a_backfill_of_days_puts_each_file_on_its_own(environment, tmp_path, database):
    inbox = tmp_path / "inbox"
    first = date(2026, 3, 9)
    for n in range(3):
        make_pdf(inbox / f"{n}.pdf", f"第{n}天的报告，收入增长。", day=first + timedelta(days=n))
    (inbox / "broken.pdf").write_text("no pdf")
    job = build_definitions().resolve_job_def("nightly_ingestion")
    with dg.DagsterInstance.ephemeral() as instance:
        result = job.execute_in_process(
            instance=instance,
            tags={
                "dagster/asset_partition_range_start": "2026-03-09",
                "dagster/asset_partition_range_end": "2026-03-10",
            },
        )
        assert result.success
        checks = {e.check_name: e.passed for e in result.get_asset_check_evaluations()}
    # broken.pdf is of today: it waits, like the file of the third day
    assert checks == {name: True for asset, name in CHECKS if asset not in WEEKLY}
    registered = result.asset_materializations_for_node("raw_pdfs")[0].metadata
    assert registered["run_waiting_for_a_later_day"].value == 2
    with database.connection() as connection:
        rows = connection.execute(
            "select source, arrival_on from current_documents order by source"
        ).fetchall()
    assert [(row["source"], row["arrival_on"].day) for row in rows] == [("0.pdf", 9), ("1.pdf", 10)]
    chunked = result.asset_materializations_for_node("clique_chunks")[0].metadata
    assert chunked["run_documents"].value == 2
    assert chunked["run_chunks"].value == 2


def test_a_bad_file_is_a_warning_and_the_run_succeeds(environment, tmp_path):
    inbox = tmp_path / "inbox"
    make_pdf(inbox / "good.pdf", "收入增长。")
    (inbox / "broken.pdf").write_text("no pdf")
    job = build_definitions().resolve_job_def("nightly_ingestion")
    with dg.DagsterInstance.ephemeral() as instance:
        result = job.execute_in_process(instance=instance, partition_key=today().isoformat())
        assert result.success
        (found,) = [
            e
            for e in result.get_asset_check_evaluations()
            if e.check_name == "quarantined_documents"
        ]
    assert not found.passed
    assert found.severity is dg.AssetCheckSeverity.WARN
    assert found.metadata["quarantined"].value == 1
    assert "export it as PDF" in str(found.metadata["sample"].value)


def test_an_empty_inbox_fails_with_one_line_and_no_retry(environment):
    job = build_definitions().resolve_job_def("nightly_ingestion")
    with dg.DagsterInstance.ephemeral() as instance:
        result = job.execute_in_process(
            instance=instance, partition_key=today().isoformat(), raise_on_error=False
        )
    assert not result.success
    (event,) = [e for e in result.all_events if e.is_step_failure]
    failure = event.step_failure_data.user_failure_data
    assert failure is not None
    assert "nothing to ingest" in (failure.description or "")
    assert not [e for e in result.all_events if e.is_step_up_for_retry]


def test_the_query_resource_answers_from_the_store(environment, tmp_path):
    make_pdf(tmp_path / "inbox" / "a.pdf", "星河新材2026年上半年收入同比增长百分之二十。")

    @dg.asset
    def briefing(query: QueryResource) -> str:
        with query.engine() as engine:
            return engine.ask("星河新材上半年收入增长多少？").answer

    definitions = build_definitions()
    with dg.DagsterInstance.ephemeral() as instance:
        job = definitions.resolve_job_def("nightly_ingestion")
        assert job.execute_in_process(instance=instance, partition_key=today().isoformat()).success
    result = dg.materialize([briefing], resources={"query": QueryResource()})
    assert "同比增长百分之二十。[1]" in result.output_for_node("briefing")
