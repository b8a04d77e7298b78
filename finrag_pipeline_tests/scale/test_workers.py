"""Two workers on one Postgres: one is killed, the broker goes away, a run is handed out twice."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from dagster._grpc.types import ExecuteRunArgs
from dagster._serdes import pack_value

from finrag_pipeline.defs.jobs import nightly_ingestion
from finrag_pipeline.defs.queueing import code_of
from finrag_pipeline.settings import Settings
from finrag_pipeline.store.database.connections import Database
from finrag_pipeline_tests.pipelines.conftest import make_pdf
from finrag_pipeline_tests.pipelines.rows import rows_of
from finrag_pipeline_tests.scale.machines import (
    REDIS,
    Runs,
    Worker,
    broker,
    machine,
    wait_until,
    workers,
)
from finrag_pipeline_tests.serve.conftest import command, environment
from finrag_pipeline_tests.serve.dagster_service import running

pytestmark = [
    pytest.mark.scale,
    pytest.mark.timeout(1200),
    pytest.mark.skipif(REDIS is None, reason="redis-server is not installed (apt-get install)"),
]

celery_launcher = pytest.importorskip(
    "finrag_pipeline.defs.celery_launcher",
    exc_type=ImportError,
    reason="the extra celery is not installed",
)

#: As dagster-celery names what a worker is told to do.
EXECUTE = "execute_job"
BATCHES = 3


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Small reports, enough for every batch to have some."""
    for number in range(9):
        pages = (f"公司{number}全年收入增长{number + 3}%。", f"第{number}条产线将于明年投产。")
        make_pdf(tmp_path / "reports" / f"report_{number}.pdf", *pages)
    return tmp_path / "reports"


def ingest(folder: Path, variables: dict[str, str], *options: str) -> str:
    done = subprocess.run(
        command("ingest", str(folder), *options), env=variables, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def has_one(runs: Runs, worker: Worker) -> list[str]:
    return [run for run, process in runs.beating().items() if worker.has(process)]


def reading(database: Database) -> int:
    """How many passages of stages are stored."""
    with database.connection() as connection:
        row = connection.execute("select count(*) as n from document_stages").fetchone()
    assert row is not None
    return row["n"]


def test_a_killed_worker_a_broker_that_restarts_and_a_second_copy(
    settings: Settings, database: Database, tmp_path: Path, folder: Path
):
    variables = environment(settings)
    runs = Runs(database)
    with broker(tmp_path / "redis") as redis:
        shared = variables | {"FINRAG_BROKER_URL": redis.url}
        daemon = machine(shared, tmp_path / "daemon")
        with (
            running(daemon, tmp_path / "daemon"),
            workers(shared, tmp_path, "ada", "bob") as (ada, bob),
        ):
            queued = ingest(folder, daemon, "--queue", "--batches", str(BATCHES)).split()
            assert len(queued) == BATCHES

            # one worker dies while documents are read, the other has its run handed out again
            wait_until(lambda: has_one(runs, ada) and has_one(runs, bob), "a run on each worker")
            wait_until(lambda: reading(database), "documents that are read")
            (lost,), (going_on,) = has_one(runs, ada), has_one(runs, bob)
            ada.kill()
            hand_out_again(settings, redis.url, going_on)
            wait_until(lambda: runs.statuses()[lost] == "FAILURE", "the lost run to be noticed")
            assert "was seen last at" in runs.told(lost)

            # the broker goes away until every run that was begun has ended without it
            redis.kill()
            wait_until(lambda: not runs.beating(), "runs to end without a broker")
            redis.start()
            with workers(shared, tmp_path, "eve"):
                wait_until(runs.finished, "every run to end", 300)

    statuses = runs.statuses()
    assert [run for run, status in statuses.items() if status != "SUCCESS"] == [lost]
    assert len(statuses) == BATCHES + 1
    assert all(runs.starts(run) == 1 for run in statuses)
    # the rows are those of one process that nothing befell
    ingest(folder, variables, "--app", "whole")
    assert rows_of(database, "default") == rows_of(database, "whole")


def test_of_two_processes_that_begin_a_run_one_executes_it(
    settings: Settings, database: Database, tmp_path: Path, folder: Path
):
    variables = machine(environment(settings), tmp_path / "home")
    (run_id,) = ingest(folder, variables, "--queue").split()
    with database.transaction() as connection:
        connection.execute("update dagster.runs set status = 'STARTING'")
        connection.execute(
            "update dagster.runs set run_body = replace(run_body, %s, %s)",
            ('DagsterRunStatus.QUEUED"', 'DagsterRunStatus.STARTING"'),
        )
    instance = {"DAGSTER_HOME": str(tmp_path / "home" / "dagster")}
    url = database.dagster_url()
    begun = [
        subprocess.Popen(
            [sys.executable, "-m", "finrag_pipeline.defs.celery_worker", run_id],
            env=variables | instance | {"FINRAG_DAGSTER_URL": url},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for _ in range(2)
    ]
    assert [process.wait(300) for process in begun] == [0, 0]
    runs = Runs(database)
    assert runs.statuses() == {run_id: "SUCCESS"}
    assert runs.starts(run_id) == 1


def hand_out_again(settings: Settings, url: str, run_id: str) -> None:
    """What a broker does after its visibility timeout, whoever has the run."""
    app = celery_launcher.celery_app(settings.model_copy(update={"broker_url": url}))
    packed = pack_value(ExecuteRunArgs(code_of(nightly_ingestion.name), run_id, None))
    app.send_task(
        EXECUTE,
        kwargs={"execute_job_args_packed": packed},
        queue=app.conf.task_default_queue,
        routing_key=f"{app.conf.task_default_queue}.{EXECUTE}",
    )
