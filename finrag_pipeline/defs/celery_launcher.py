"""Runs on several machines: handed out by a Redis broker to `finrag worker` (extra `celery`).

The broker carries runs and knows nothing of them: who has one, and whether it lives, stands in
`run_heartbeats`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

from celery import Celery
from dagster import DagsterRun
from dagster._core.errors import DagsterUserCodeUnreachableError
from dagster._core.launcher import CheckRunHealthResult, LaunchRunContext, WorkerStatus
from dagster._serdes import ConfigurableClassData
from dagster_celery.defaults import task_default_queue
from dagster_celery.launcher import CeleryRunLauncher
from dagster_celery.make_app import make_app
from kombu.exceptions import OperationalError

from finrag_pipeline.defs.launcher import KnowsByHeartbeat
from finrag_pipeline.settings import Settings, load_settings


def celery_config(settings: Settings) -> dict[str, Any]:
    """What the launcher and the workers say to Celery, by the names of its settings."""
    return {
        "broker": settings.broker_url,
        # no results: what became of a run stands in Postgres
        "backend": "disabled://",
        "task_default_queue": task_default_queue,
        "config_source": {
            # a run is given back to the queue by a worker that stops before it began
            "task_acks_late": True,
            # a busy worker keeps no run from an idle one
            "worker_prefetch_multiplier": 1,
            "worker_cancel_long_running_tasks_on_connection_loss": False,
            # a worker outlives its broker
            "broker_connection_retry_on_startup": True,
            "broker_connection_max_retries": None,
            "broker_transport_options": {"socket_keepalive": True, "health_check_interval": 30},
        },
    }


def celery_app(settings: Settings) -> Celery:
    """The application that both sides speak by."""
    return make_app(celery_config(settings))


class HeartbeatCeleryRunLauncher(KnowsByHeartbeat, CeleryRunLauncher):
    """Dagster's Celery launcher, which asks heartbeats, not the broker, whether a run lives.

    That one takes a killed worker for a living one as long as the broker says so, and knows
    nothing of runs of the command line.
    """

    def __init__(self, inst_data: ConfigurableClassData | None = None) -> None:
        config = celery_config(load_settings())
        super().__init__(
            default_queue=config["task_default_queue"],
            broker=config["broker"],
            backend=config["backend"],
            config_source=config["config_source"],
            inst_data=inst_data,
        )

    @classmethod
    def config_type(cls) -> dict[str, Any]:
        return {}

    @classmethod
    def from_config_value(
        cls, inst_data: ConfigurableClassData, config_value: Mapping[str, Any]
    ) -> Self:
        return cls(inst_data=inst_data)

    def launch_run(self, context: LaunchRunContext) -> None:
        """Hand a run out.

        Raises:
            DagsterUserCodeUnreachableError: the broker does not answer; by this error, and no
                other, the daemon leaves a run in its queue.
        """
        try:
            super().launch_run(context)
        except (OperationalError, OSError) as error:
            raise DagsterUserCodeUnreachableError(
                f"the broker of FINRAG_BROKER_URL does not answer ({error}): the run waits for it"
            ) from error

    def terminate(self, run_id: str) -> bool:
        """Ask a run to end by its heartbeat; one that no worker has is ended at once."""
        run = self._instance.get_run_by_id(run_id)
        if run is None or run.is_finished:
            return False
        if not self._ask_to_end(run):
            # whoever gets it finds that it is over
            self._instance.report_run_canceling(run)
            self._instance.report_run_canceled(run)
        return True

    def get_run_worker_debug_info(
        self, run: DagsterRun, include_container_logs: bool | None = True
    ) -> str | None:
        return None

    def _health_before_the_first_beat(self, run: DagsterRun) -> CheckRunHealthResult:
        # a worker's beats before it begins: this is one of the command line
        return CheckRunHealthResult(WorkerStatus.RUNNING)
