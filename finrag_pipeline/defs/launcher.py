"""Which runs are alive, for Dagster's run monitoring, and how a run of the command line is ended.

Where runs are started is a launcher's own: `HeartbeatRunLauncher` on this machine, beside it
`celery_launcher` on several, `k8s_launcher` on a cluster.
"""

from __future__ import annotations

import time
from abc import abstractmethod
from typing import Literal

from dagster import DagsterRun, DefaultRunLauncher
from dagster._core.launcher import CheckRunHealthResult, RunLauncher, WorkerStatus
from dagster._core.storage.tags import GRPC_INFO_TAG
from dagster._grpc.types import CanCancelExecutionRequest, CanCancelExecutionResult
from dagster._serdes import deserialize_value

from finrag_pipeline.pipelines.run.heartbeat import BEAT_S, SILENT_S
from finrag_pipeline.settings import load_settings
from finrag_pipeline.store.database.connections import Database
from finrag_pipeline.store.usage import run_heartbeats


class KnowsByHeartbeat(RunLauncher):
    """What every launcher here knows of runs, those of the command line included.

    Every run beats (`pipelines.run.heartbeat`), wherever it was started, and run monitoring marks
    as failed what fell silent. What a broker or a code server believes of it does not count.
    """

    @property
    def supports_check_run_worker_health(self) -> Literal[True]:
        return True

    def check_run_worker_health(self, run: DagsterRun) -> CheckRunHealthResult:
        """Running while it beats; of a run that never did the launcher knows itself."""
        last = _last_beat(run)
        if last is not None and last.silent_s < 0:
            # the clock went back: who lives is seen at the new time within moments
            time.sleep(2 * BEAT_S)
            last = _last_beat(run)
        if last is None:
            return self._health_before_the_first_beat(run)
        if abs(last.silent_s) < SILENT_S:
            return CheckRunHealthResult(WorkerStatus.RUNNING)
        return _gone(
            f"its process {last.process_id} on {last.host} was seen last at "
            f"{last.seen_at:%Y-%m-%d %H:%M:%S %Z}"
        )

    @abstractmethod
    def _health_before_the_first_beat(self, run: DagsterRun) -> CheckRunHealthResult: ...

    def _ask_to_end(self, run: DagsterRun) -> bool:
        """Have a run end with its next beat; False where it never beat."""
        with Database.open(load_settings()) as database, database.transaction() as connection:
            asked = run_heartbeats.ask_to_end(connection, run.run_id)
        if asked:
            self._instance.report_run_canceling(run)
        return asked


class HeartbeatRunLauncher(KnowsByHeartbeat, DefaultRunLauncher):
    """The default launcher, which also knows when a run's process is gone.

    The default one cannot tell: after a power cut its runs stay "started" and keep their places in
    the queue for ever.
    """

    def terminate(self, run_id: str) -> bool:
        """End a run; one that no code server started is asked through its heartbeat."""
        run = self._instance.get_run_by_id(run_id) if self.has_instance else None
        if run is None or run.is_finished or GRPC_INFO_TAG in run.tags:
            return super().terminate(run_id)
        return self._ask_to_end(run)

    def _health_before_the_first_beat(self, run: DagsterRun) -> CheckRunHealthResult:
        if GRPC_INFO_TAG not in run.tags or self._known_to_code_server(run):
            return CheckRunHealthResult(WorkerStatus.RUNNING)
        return _gone("its code server does not know it")

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


def _gone(seen: str) -> CheckRunHealthResult:
    return CheckRunHealthResult(
        WorkerStatus.NOT_FOUND, f"{seen}; launch it again, it goes on where it stopped"
    )
