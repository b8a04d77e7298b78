"""The asset graph, jobs, schedules and sensors, frozen: a change here is meant or a mistake."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

import dagster as dg
import pytest

from finrag_pipeline.defs.assembly import build_definitions
from finrag_pipeline.defs.jobs import (
    inbox_sensor,
    nightly_ingestion_schedule,
    weekly_rebuild_schedule,
)
from finrag_pipeline.defs.partitions import ARRIVAL_DAYS, WEEKS
from finrag_pipeline.defs.resources import QueryResource
from finrag_pipeline.records.communities import week_of
from finrag_pipeline.settings import TIME_ZONE, today
from finrag_pipeline.store import community_builds
from finrag_pipeline_tests.pipelines.conftest import make_pdf

GRAPH = {
    "raw_pdfs": set(),
    "cleaned_text": {"raw_pdfs"},
    "html_tables": {"cleaned_text"},
    "clique_chunks": {"cleaned_text", "html_tables"},
    "embeddings": {"clique_chunks", "html_tables"},
    "entity_mentions": {"clique_chunks"},
    "indexed_documents": {"embeddings", "entity_mentions"},
    "entity_graph": {"entity_mentions", "indexed_documents"},
    "entity_summaries": {"entity_graph"},
    "leiden_communities": {"entity_graph"},
    "community_summaries": {"leiden_communities"},
    "chain_reports": {"community_summaries"},
}
WEEKLY = {"leiden_communities", "community_summaries", "chain_reports"}
CHECKS = {
    ("chain_reports", "weekly_build_in_time"),
    ("clique_chunks", "chunk_lengths"),
    ("community_summaries", "findings_have_evidence"),
    ("entity_graph", "entity_graph_in_step"),
    ("entity_graph", "one_reading"),
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
        assert node.partitions_def == (WEEKS if weekly else ARRIVAL_DAYS)
        assert node.backfill_policy == dg.BackfillPolicy.single_run()
        assert node.group_name == ("weekly" if weekly else "documents")
        assert node.owners == ["team:research-data"]


def test_weeks_are_named_by_their_sunday_and_the_last_one_is_watched(definitions):
    assert WEEKS.get_first_partition_key() == "2020-01-05"
    assert WEEKS.has_partition_key(week_of(today()).isoformat())
    assert not WEEKS.has_partition_key("2026-03-09")
    policy = definitions.resolve_asset_graph().get(dg.AssetKey("chain_reports")).freshness_policy
    assert policy is not None
    assert (policy.deadline_cron, policy.timezone) == ("0 3 * * 1", TIME_ZONE)


def test_schedules_and_sensors(definitions):
    repository = definitions.get_repository_def()
    assert {schedule.name for schedule in repository.schedule_defs} == {
        "nightly_ingestion",
        "weekly_rebuild",
    }
    assert {sensor.name for sensor in repository.sensor_defs} == {"inbox_sensor"}
    schedule = nightly_ingestion_schedule
    assert (schedule.cron_schedule, schedule.execution_timezone) == ("0 2 * * *", TIME_ZONE)
    assert schedule.default_status is dg.DefaultScheduleStatus.RUNNING
    assert inbox_sensor.default_status is dg.DefaultSensorStatus.STOPPED
    schedule = weekly_rebuild_schedule
    assert (schedule.cron_schedule, schedule.execution_timezone) == ("0 3 * * 0", TIME_ZONE)
    assert schedule.default_status is dg.DefaultScheduleStatus.RUNNING


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
    assert registered["waiting_for_a_later_day"].value == 2
    with database.connection() as connection:
        rows = connection.execute(
            "select source, arrival_on from current_documents order by source"
        ).fetchall()
    assert [(row["source"], row["arrival_on"].day) for row in rows] == [("0.pdf", 9), ("1.pdf", 10)]
    chunked = result.asset_materializations_for_node("clique_chunks")[0].metadata
    assert chunked["documents"].value == 2
    assert chunked["chunks"].value == 2
    assert "| 0.pdf |" in str(chunked["preview"].value)


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
