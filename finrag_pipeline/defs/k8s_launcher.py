"""Runs on a cluster: each is a Job of Kubernetes (extra `k8s`)."""

from __future__ import annotations

from dagster import DagsterRun
from dagster._core.launcher import CheckRunHealthResult, WorkerStatus
from dagster_k8s.launcher import K8sRunLauncher

from finrag_pipeline.defs.jobs import COMMAND_LINE
from finrag_pipeline.defs.launcher import KnowsByHeartbeat


class HeartbeatK8sRunLauncher(KnowsByHeartbeat, K8sRunLauncher):
    """Dagster's launcher of Jobs, which knows by heartbeats whether a run lives.

    A node that lost its network keeps a Job active for minutes; and runs of the command line have
    none.
    """

    def terminate(self, run_id: str) -> bool:
        """Delete a run's Job; one of the command line is asked through its heartbeat."""
        run = self._instance.get_run_by_id(run_id)
        if run is None or run.is_finished:
            return False
        if _of_the_command_line(run):
            return self._ask_to_end(run)
        return bool(super().terminate(run_id))

    def _health_before_the_first_beat(self, run: DagsterRun) -> CheckRunHealthResult:
        if _of_the_command_line(run):
            return CheckRunHealthResult(WorkerStatus.RUNNING)
        return K8sRunLauncher.check_run_worker_health(self, run)


def _of_the_command_line(run: DagsterRun) -> bool:
    return COMMAND_LINE.items() <= run.tags.items()
