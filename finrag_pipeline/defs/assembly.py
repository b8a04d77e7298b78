"""Everything that this package defines, put together once."""

from collections.abc import Mapping
from typing import Any

import dagster as dg

from finrag_pipeline.defs.alerts import alert_on_failed_checks, alert_on_failed_runs
from finrag_pipeline.defs.checks import DOCUMENT_CHECKS
from finrag_pipeline.defs.documents import DOCUMENT_ASSETS
from finrag_pipeline.defs.jobs import (
    inbox_sensor,
    nightly_ingestion,
    nightly_ingestion_schedule,
    weekly_rebuild,
    weekly_rebuild_schedule,
)
from finrag_pipeline.defs.resources import IngestionResource, QueryResource, log_progress
from finrag_pipeline.defs.week_checks import WEEKLY_CHECKS
from finrag_pipeline.defs.weeks import WEEKLY_ASSETS


def build_definitions(resource_overrides: Mapping[str, Any] | None = None) -> dg.Definitions:
    """The real assembly; tests and the command line replace single resources by key."""
    return dg.Definitions(
        assets=[*DOCUMENT_ASSETS, *WEEKLY_ASSETS],
        asset_checks=[*DOCUMENT_CHECKS, *WEEKLY_CHECKS],
        jobs=[nightly_ingestion, weekly_rebuild],
        schedules=[nightly_ingestion_schedule, weekly_rebuild_schedule],
        sensors=[inbox_sensor, alert_on_failed_runs, alert_on_failed_checks],
        resources={
            "ingestion": IngestionResource(),
            "query": QueryResource(),
            "progress": log_progress,
            **(resource_overrides or {}),
        },
        # documents run in parallel inside a step, in processes of their own
        executor=dg.in_process_executor,
    )
