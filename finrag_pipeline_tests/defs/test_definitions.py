"""The asset graph, jobs, schedules and sensors, frozen: a change here is meant or a mistake."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

import dagster as dg
import pytest

from finrag_pipeline.defs.assembly import build_definitions
from finrag_pipeline.defs.jobs import inbox_sensor, nightly_ingestion_schedule
from finrag_pipeline.defs.resources import QueryResource
from finrag_pipeline.settings import TIME_ZONE, today
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
}
CHECKS = {
    ("clique_chunks", "chunk_lengths"),
    ("entity_graph", "entity_graph_in_step"),
    ("entity_graph", "one_reading"),
    ("entity_mentions", "extraction_problems"),
    ("indexed_documents", "keyword_index_in_step"),
    ("indexed_documents", "no_empty_document"),
    ("indexed_documents", "quarantined_documents"),
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


def test_every_asset_says_its_grain_and_shares_the_arrival_days(definitions):
    graph = definitions.resolve_asset_graph()
    for key in graph.get_all_asset_keys():
        node = graph.get(key)
        assert (node.description or "").startswith("One row per "), key
        assert node.partitions_def is not None
        assert node.backfill_policy == dg.BackfillPolicy.single_run()
        assert node.group_name == "documents"
        assert node.owners == ["team:research-data"]


def test_schedules_and_sensors(definitions):
    repository = definitions.get_repository_def()
    assert {schedule.name for schedule in repository.schedule_defs} == {"nightly_ingestion"}
    assert {sensor.name for sensor in repository.sensor_defs} == {"inbox_sensor"}
    schedule = nightly_ingestion_schedule
    assert (schedule.cron_schedule, schedule.execution_timezone) == ("0 2 * * *", TIME_ZONE)
    assert schedule.default_status is dg.DefaultScheduleStatus.RUNNING
    assert inbox_sensor.default_status is dg.DefaultSensorStatus.STOPPED


@pytest.fixture
def environment(settings, monkeypatch):
    """The test's store as the environment that assets read."""
    monkeypatch.setenv("FINRAG_HOME", str(settings.home))
    monkeypatch.setenv("FINRAG_DATABASE_URL", settings.database_url)
    monkeypatch.setenv("FINRAG_INBOX", settings.inbox)
    monkeypatch.setenv("FINRAG_WORKERS", "1")
    return settings


def test_the_nightly_schedule_asks_for_the_day_that_ended(environment):
    at = datetime(2026, 3, 10, 2, tzinfo=ZoneInfo(TIME_ZONE))
    context = dg.build_schedule_context(scheduled_execution_time=at)
    request = nightly_ingestion_schedule(context)
    assert isinstance(request, dg.RunRequest)
    assert request.partition_key == "2026-03-09"


def test_without_an_inbox_schedule_and_sensor_skip_and_say_so(environment, monkeypatch):
    monkeypatch.setenv("FINRAG_INBOX", "")
    at = datetime(2026, 3, 10, 2, tzinfo=ZoneInfo(TIME_ZONE))
    skipped = nightly_ingestion_schedule(dg.build_schedule_context(scheduled_execution_time=at))
    assert isinstance(skipped, dg.SkipReason)
    assert skipped.skip_message == "FINRAG_INBOX is not set"
    assert isinstance(inbox_sensor(dg.build_sensor_context()), dg.SkipReason)


def test_the_sensor_waits_for_a_file_to_settle_then_asks_once(environment, tmp_path):
    inbox = tmp_path / "inbox"
    empty = inbox_sensor(dg.build_sensor_context())
    assert isinstance(empty, dg.SkipReason)
    assert "holds no .pdf, .docx" in (empty.skip_message or "")

    make_pdf(inbox / "a.pdf", "光伏需求回暖。")
    context = dg.build_sensor_context()
    first = inbox_sensor(context)
    assert isinstance(first, dg.SkipReason)
    request = inbox_sensor(dg.build_sensor_context(cursor=context.cursor))
    assert isinstance(request, dg.RunRequest)
    assert request.partition_key == today().isoformat()


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
    assert checks == {name: True for _, name in CHECKS}
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
