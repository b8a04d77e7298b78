"""The alert sensors on real runs of the real assembly."""

from __future__ import annotations

import dagster as dg
import pytest

from finrag_pipeline.defs.alerts import alert_on_failed_checks, alert_on_failed_runs
from finrag_pipeline.defs.assembly import build_definitions
from finrag_pipeline.errors import AlertUndelivered
from finrag_pipeline.store.database.connections import Database
from finrag_pipeline_tests.pipelines.conftest import make_pdf

DAY = "2026-03-09"


@pytest.fixture
def instance():
    with dg.instance_for_test() as made:
        yield made


def ingest(instance: dg.DagsterInstance, path: str) -> dg.ExecuteInProcessResult:
    job = build_definitions().resolve_job_def("nightly_ingestion")
    config = {"resources": {"ingestion": {"config": {"paths": [path]}}}}
    return job.execute_in_process(
        run_config=config, partition_key=DAY, instance=instance, raise_on_error=False
    )


def failure(instance: dg.DagsterInstance, result: dg.ExecuteInProcessResult):
    return dg.build_run_status_sensor_context(
        sensor_name="alert_on_failed_runs",
        dagster_event=result.get_run_failure_event(),
        dagster_instance=instance,
        dagster_run=result.dagster_run,
        partition_key=DAY,
    ).for_run_failure()


def test_a_failed_run_is_told_with_its_line(environment, instance, httpserver, monkeypatch):
    result = ingest(instance, "/no/such/folder")
    assert not result.success
    skipped = alert_on_failed_runs(failure(instance, result))
    assert isinstance(skipped, dg.SkipReason)
    assert "neither" in (skipped.skip_message or "")

    httpserver.expect_oneshot_request("/hook").respond_with_data("ok")
    monkeypatch.setenv("FINRAG_ALERT_WEBHOOK", httpserver.url_for("/hook"))
    monkeypatch.setenv("FINRAG_UI_URL", "https://finrag.example/ui/")
    assert alert_on_failed_runs(failure(instance, result)) is None
    told = httpserver.log[0][0].json
    assert (told["job"], told["partition"], told["step"]) == ("nightly_ingestion", DAY, "raw_pdfs")
    assert "/no/such/folder does not exist" in told["reason"]
    assert told["url"] == f"https://finrag.example/ui/runs/{result.run_id}"

    instance.add_run_tags(result.run_id, {"cli": "finrag"})
    by_hand = dg.build_run_status_sensor_context(
        sensor_name="alert_on_failed_runs",
        dagster_event=result.get_run_failure_event(),
        dagster_instance=instance,
        dagster_run=instance.get_run_by_id(result.run_id),
    ).for_run_failure()
    skipped = alert_on_failed_runs(by_hand)
    assert isinstance(skipped, dg.SkipReason)
    assert "terminal" in (skipped.skip_message or "")

    # the second request finds no answer: the tick fails with a line, the run is not told again
    with pytest.raises(AlertUndelivered, match="FINRAG_ALERT_WEBHOOK"):
        alert_on_failed_runs(failure(instance, result))


def test_a_run_whose_process_died_is_told_with_what_dagster_noted(
    environment, instance, httpserver, monkeypatch
):
    httpserver.expect_oneshot_request("/hook").respond_with_data("ok")
    monkeypatch.setenv("FINRAG_ALERT_WEBHOOK", httpserver.url_for("/hook"))
    job = build_definitions().resolve_job_def("nightly_ingestion")
    run = instance.create_run_for_job(
        job, status=dg.DagsterRunStatus.STARTED, tags={"dagster/partition": DAY}
    )
    instance.report_engine_event("its process 7 on host a is gone", run)
    event = instance.report_run_failed(run)
    context = dg.build_run_status_sensor_context(
        sensor_name="alert_on_failed_runs",
        dagster_event=event,
        dagster_instance=instance,
        dagster_run=run,
    ).for_run_failure()
    assert alert_on_failed_runs(context) is None
    told = httpserver.log[0][0].json
    assert (told["step"], told["reason"]) == (None, "its process 7 on host a is gone")


def test_a_failed_check_of_a_run_that_succeeded_is_told(
    environment, instance, httpserver, monkeypatch, tmp_path
):
    httpserver.expect_request("/hook").respond_with_data("ok")
    monkeypatch.setenv("FINRAG_ALERT_WEBHOOK", httpserver.url_for("/hook"))
    pdf = tmp_path / "inbox" / "a.pdf"
    make_pdf(pdf, "星河新材向澄光储能供应磷酸铁锂正极材料。")

    def success(result: dg.ExecuteInProcessResult):
        return dg.build_run_status_sensor_context(
            sensor_name="alert_on_failed_checks",
            dagster_event=result.get_run_success_event(),
            dagster_instance=instance,
            dagster_run=result.dagster_run,
            partition_key=DAY,
        )

    healthy = ingest(instance, str(pdf))
    assert healthy.success
    assert isinstance(alert_on_failed_checks(success(healthy)), dg.SkipReason)
    assert httpserver.log == []

    with Database.open(environment) as database, database.transaction() as connection:
        connection.execute("update entity_edges set weight = weight + 1")
    broken = ingest(instance, str(pdf))
    assert broken.success
    assert alert_on_failed_checks(success(broken)) is None
    told = httpserver.log[0][0].json
    assert told["what"] == "succeeded with failed checks"
    assert "entity_graph_in_step" in told["reason"]
