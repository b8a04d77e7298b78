"""What schedules and the sensor ask for, when they skip and when they fail; what nights take up."""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import dagster as dg
import pytest

from finrag_pipeline.defs.assembly import build_definitions
from finrag_pipeline.defs.jobs import (
    TickFailed,
    inbox_sensor,
    nightly_ingestion_schedule,
    weekly_rebuild_schedule,
)
from finrag_pipeline.pipelines.documents.raw_pdfs import register_inbox
from finrag_pipeline.pipelines.run.run import Run
from finrag_pipeline.settings import TIME_ZONE, today
from finrag_pipeline.store.documents.documents import Scope
from finrag_pipeline_tests.pipelines.conftest import make_pdf


def test_the_nightly_schedule_asks_for_the_day_that_ended(environment):
    at = datetime(2026, 3, 10, 2, tzinfo=ZoneInfo(TIME_ZONE))
    context = dg.build_schedule_context(scheduled_execution_time=at)
    (request,) = nightly_ingestion_schedule(context)
    assert isinstance(request, dg.RunRequest)
    assert request.partition_key == "2026-03-09"


def test_a_night_in_batches_is_as_many_runs_that_share_its_documents(environment, monkeypatch):
    monkeypatch.setenv("FINRAG_BATCHES", "3")
    at = datetime(2026, 3, 10, 2, tzinfo=ZoneInfo(TIME_ZONE))
    asked = nightly_ingestion_schedule(dg.build_schedule_context(scheduled_execution_time=at))
    parts = [each.run_config["resources"]["ingestion"]["config"] for each in asked]
    assert parts == [{"batch": batch, "batches": 3} for batch in (1, 2, 3)]
    assert {each.partition_key for each in asked} == {"2026-03-09"}


def test_without_an_inbox_schedule_and_sensor_skip_and_say_so(environment, monkeypatch):
    monkeypatch.setenv("FINRAG_INBOX", "")
    at = datetime(2026, 3, 10, 2, tzinfo=ZoneInfo(TIME_ZONE))
    skipped = nightly_ingestion_schedule(dg.build_schedule_context(scheduled_execution_time=at))
    assert isinstance(skipped, dg.SkipReason)
    assert skipped.skip_message == "FINRAG_INBOX is not set"
    assert isinstance(inbox_sensor(dg.build_sensor_context()), dg.SkipReason)


def test_the_sensor_waits_for_a_file_to_settle_then_asks_once(environment, tmp_path):
    make_pdf(tmp_path / "inbox" / "a.pdf", "光伏需求回暖。")
    with dg.DagsterInstance.ephemeral() as instance:
        (request,) = settled(instance)
    assert isinstance(request, dg.RunRequest)
    assert request.partition_key == today().isoformat()


def settled(instance: dg.DagsterInstance) -> Any:
    """What the sensor says at its second look."""
    context = dg.build_sensor_context(instance)
    first = inbox_sensor(context)
    assert isinstance(first, dg.SkipReason)
    return inbox_sensor(dg.build_sensor_context(instance, cursor=context.cursor))


def test_the_sensor_takes_what_a_killed_run_left_once_none_is_in_progress(
    environment, tmp_path, database
):
    inbox = tmp_path / "inbox"
    make_pdf(inbox / "a.pdf", "光伏需求回暖。")
    register_inbox(Run(database, environment, Scope("default")), str(inbox), [today()])
    job = build_definitions().resolve_job_def("nightly_ingestion")
    with dg.DagsterInstance.ephemeral() as instance:
        running = instance.create_run_for_job(job, status=dg.DagsterRunStatus.STARTED)
        busy = settled(instance)
        assert isinstance(busy, dg.SkipReason)
        assert busy.skip_message == "nothing new among 1 files"
        instance.report_run_failed(running)
        (request,) = settled(instance)
        assert isinstance(request, dg.RunRequest) and request.partition_key == today().isoformat()
        assert job.execute_in_process(instance=instance, partition_key=today().isoformat()).success
        assert isinstance(settled(instance), dg.SkipReason)


@pytest.mark.parametrize(
    ("broken", "line"),
    [
        ({"FINRAG_INBOX": "/nowhere/inbox"}, "/nowhere/inbox does not exist; check the path"),
        ({}, "nothing to ingest"),
        ({"FINRAG_DATABASE_URL": "postgresql://127.0.0.1:1/none"}, "127.0.0.1"),
        ({"FINRAG_INBX": "x"}, "did you mean FINRAG_INBOX?"),
    ],
)
def test_a_tick_that_could_not_look_fails_with_one_line(
    environment, monkeypatch, tmp_path, broken, line
):
    if broken:
        make_pdf(tmp_path / "inbox" / "a.pdf", "光伏需求回暖。")
    repository = build_definitions().get_repository_def()
    for name, value in broken.items():
        monkeypatch.setenv(name, value)
    with dg.DagsterInstance.ephemeral() as instance:
        context = dg.build_sensor_context(instance, repository_def=repository)
        with pytest.raises(TickFailed, match=re.escape(line)) as met:
            inbox_sensor.evaluate_tick(context)
    assert "\n" not in str(met.value) and met.value.__cause__ is None
    at = datetime(2026, 3, 8, 3, tzinfo=ZoneInfo(TIME_ZONE))
    if "FINRAG_DATABASE_URL" in broken:
        with pytest.raises(TickFailed, match=re.escape(line)):
            weekly_rebuild_schedule(dg.build_schedule_context(scheduled_execution_time=at))


def test_a_night_takes_up_what_earlier_days_left(environment, tmp_path, database):
    inbox = tmp_path / "inbox"
    first = date(2026, 3, 9)
    file = make_pdf(inbox / "late.pdf", "海外订单增长。", day=first)
    gone = make_pdf(inbox / "gone.pdf", "国内订单下滑。", day=first)
    run = Run(database, environment, Scope("default"))
    register_inbox(run, str(inbox), [first])
    gone.rename(tmp_path / "elsewhere.pdf")
    job = build_definitions().resolve_job_def("nightly_ingestion")

    def night(day: date) -> list[str]:
        with dg.DagsterInstance.ephemeral() as instance:
            result = job.execute_in_process(instance=instance, partition_key=day.isoformat())
        assert result.success
        with database.connection() as connection:
            rows = connection.execute("select source from current_documents order by 1").fetchall()
        return [row["source"] for row in rows]

    # a killed run had registered both; a night of the day before is not concerned
    assert night(first - timedelta(days=1)) == []
    assert night(first + timedelta(days=1)) == ["late.pdf"]
    (tmp_path / "elsewhere.pdf").rename(gone)
    assert night(first + timedelta(days=2)) == ["gone.pdf", "late.pdf"]
    # what is indexed under an older revision is for a backfill
    with database.transaction() as connection:
        connection.execute("delete from document_stages where stage = 'indexed_documents'")
        connection.execute("update documents set indexed_at = null")
    night(first + timedelta(days=3))
    with database.connection() as connection:
        assert not connection.execute("select from documents where indexed_at > now()").fetchall()
        rows = connection.execute("select indexed_at from documents").fetchall()
    assert [row["indexed_at"] for row in rows] == [None, None]
    assert file.exists()
