"""Which runs are alive, for Dagster's run monitoring, and how a run of the command line is ended.

Runs are launched by the code server, as by Dagster's default launcher.
"""

from __future__ import annotations

import time

from dagster import DagsterRun, DefaultRunLauncher
from dagster._core.launcher import CheckRunHealthResult, WorkerStatus
from dagster._core.storage.tags import GRPC_INFO_TAG
from dagster._grpc.types import CanCancelExecutionRequest, CanCancelExecutionResult
from dagster._serdes import deserialize_value

from finrag_pipeline.pipelines.run.heartbeat import BEAT_S, SILENT_S
from finrag_pipeline.settings import load_settings
from finrag_pipeline.store.database.connections import Database
from finrag_pipeline.store.usage import run_heartbeats


class HeartbeatRunLauncher(DefaultRunLauncher):
    """The default launcher, which also knows when a run's process is gone.

    The default one cannot tell: after a power cut its runs stay "started" and keep their places in
    the queue for ever. Here every run beats (`pipelines.run.heartbeat`), those of the command line
    included, and run monitoring marks as failed what fell silent.
    """

    @property
    def supports_check_run_worker_health(self) -> bool:
        return True

    def check_run_worker_health(self, run: DagsterRun) -> CheckRunHealthResult:
        """Running while it beats; a run that never did is asked for at its code server."""
        last = _last_beat(run)
        if last is not None and last.silent_s < 0:
            # the clock went back: who lives is seen at the new time within moments
            time.sleep(2 * BEAT_S)
            last = _last_beat(run)
        if last is None:
            known = GRPC_INFO_TAG not in run.tags or self._known_to_code_server(run)
            alive, seen = known, "its code server does not know it"
        else:
            alive = abs(last.silent_s) < SILENT_S
            seen = (
                f"its process {last.process_id} on {last.host} was seen last at "
                f"{last.seen_at:%Y-%m-%d %H:%M:%S %Z}"
            )
        if alive:
            return CheckRunHealthResult(WorkerStatus.RUNNING)
        return CheckRunHealthResult(
            WorkerStatus.NOT_FOUND, f"{seen}; launch it again, it goes on where it stopped"
        )

    def terminate(self, run_id: str) -> bool:
        """End a run; one that no code server started is asked through its heartbeat."""
        run = self._instance.get_run_by_id(run_id) if self.has_instance else None
        if run is None or run.is_finished or GRPC_INFO_TAG in run.tags:
            return super().terminate(run_id)
        with Database.open(load_settings()) as database, database.transaction() as connection:
            asked = run_heartbeats.ask_to_end(connection, run_id)
        if asked:
            self._instance.report_run_canceling(run)
        return asked

    def _known_to_code_server(self, run: DagsterRun) -> bool:
        client = self._get_grpc_client_for_termination(run.run_id)
        if client is None:
            return False
        try:
            reply = client.can_cancel_execution(CanCancelExecutionRequest(run_id=run.run_id))
        except Exception:  # of gRPC or of Dagster: the server is gone, whatever it says
            return False
        return deserialize_value(reply, CanCancelExecutionResult).can_cancel


def _last_beat(run: DagsterRun) -> run_heartbeats.LastBeat | None:
    with Database.open(load_settings()) as database, database.connection() as connection:
        return run_heartbeats.last_beat(connection, run.run_id)
