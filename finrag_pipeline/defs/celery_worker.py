"""What `finrag worker` serves: each run it is handed becomes a process, if nobody has it yet."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from typing import Any

from dagster import DagsterInstance, DagsterRunStatus
from dagster._cli.api import _execute_run_command_body  # pyright: ignore[reportPrivateUsage]
from dagster._grpc.types import ExecuteRunArgs
from dagster._serdes import unpack_value
from dagster_celery.config import TASK_EXECUTE_JOB_NAME

from finrag_pipeline.defs.celery_launcher import celery_app
from finrag_pipeline.pipelines.run.heartbeat import claim, heartbeat
from finrag_pipeline.settings import Settings, load_settings

_NOT_BEGUN = (DagsterRunStatus.NOT_STARTED, DagsterRunStatus.STARTING)


def serve(settings: Settings, slots: int, name: str) -> None:
    """Take runs from the broker until SIGTERM or Ctrl-C; runs that go on are waited for.

    Args:
        slots: runs at a time.
    """
    app = celery_app(settings)
    app.task(_execute, name=TASK_EXECUTE_JOB_NAME)
    app.worker_main(
        [
            "worker",
            # each run is a process already
            *("--pool", "threads", "--concurrency", str(slots)),
            *("--queues", app.conf.task_default_queue, "--hostname", f"{name}@%h"),
            *("--loglevel", "WARNING", "--without-gossip", "--without-mingle"),
        ]
    )


def _execute(execute_job_args_packed: Any) -> None:
    run_id = unpack_value(execute_job_args_packed, as_type=ExecuteRunArgs).run_id
    # a process of its own: its readers, its memory and its signals are not the worker's, and Ctrl-C
    # at the worker lets it finish
    subprocess.run([sys.executable, "-m", __name__, run_id], start_new_session=True)


def execute_once(run_id: str) -> None:
    """Execute a run that was handed out, unless it was begun before.

    A broker may hand a run out again, to a second worker while the first is at it, or after it
    ended: the row of its first beat decides.
    """
    settings = load_settings()
    with DagsterInstance.get() as instance:
        run = instance.get_run_by_id(run_id)
        if run is None or run.status not in _NOT_BEGUN:
            return
        if not claim(settings, run_id):
            instance.report_engine_event("Handed out again: another process has this run", run)
            return
        with heartbeat(settings, run_id):
            _execute_run_command_body(run_id, instance, lambda event: None, True)


if __name__ == "__main__":
    # a shell starts what goes to the background with it ignored, and a run is ended by it
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.environ["PYTHONWARNINGS"] = "ignore"
    execute_once(sys.argv[1])
