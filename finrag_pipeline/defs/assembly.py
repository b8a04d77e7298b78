"""Everything that this package defines, put together once."""

from collections.abc import Mapping
from datetime import date
from typing import Any

import dagster as dg

from finrag_pipeline.defs.alerts import alert_on_failed_checks, alert_on_failed_runs
from finrag_pipeline.defs.catalog import placed
from finrag_pipeline.defs.checks import DOCUMENT_CHECKS
from finrag_pipeline.defs.digests import daily_digest
from finrag_pipeline.defs.documents import DOCUMENT_ASSETS
from finrag_pipeline.defs.enterprise import (
    enterprise_graph,
    enterprise_load,
    enterprise_load_schedule,
)
from finrag_pipeline.defs.jobs import (
    inbox_sensor,
    nightly_ingestion,
    nightly_ingestion_schedule,
    weekly_rebuild,
    weekly_rebuild_schedule,
)
from finrag_pipeline.defs.partitions import FIRST_DAY, arrival_days, weeks_since
from finrag_pipeline.defs.resources import IngestionResource, ProgressResource, QueryResource
from finrag_pipeline.defs.structured import (
    structured_financials,
    structured_load,
    structured_load_schedule,
)
from finrag_pipeline.defs.week_checks import WEEKLY_CHECKS
from finrag_pipeline.defs.weeks import WEEKLY_ASSETS
from finrag_pipeline.settings import load_settings


def build_definitions(
    resource_overrides: Mapping[str, Any] | None = None, first_day: date | None = None
) -> dg.Definitions:
    """The real assembly of the configured deployment.

    Args:
        resource_overrides: single resources by key, replaced by tests and the command line.
        first_day: a day that has a partition, however early it is.

    Raises:
        ConfigurationError: a setting is malformed.
    """
    settings = load_settings()
    first = min(each for each in (settings.first_day or FIRST_DAY, first_day) if each)
    days, weeks = arrival_days(first), weeks_since(first)
    return dg.Definitions(
        assets=[
            # without an inbox nothing comes by itself, and nothing is late
            *placed([*DOCUMENT_ASSETS, daily_digest], days, settings, watched=bool(settings.inbox)),
            *placed(WEEKLY_ASSETS, weeks, settings),
            *placed([structured_financials, enterprise_graph], None, settings),
        ],
        asset_checks=[*DOCUMENT_CHECKS, *WEEKLY_CHECKS],
        jobs=[nightly_ingestion, weekly_rebuild, structured_load, enterprise_load],
        schedules=[
            nightly_ingestion_schedule,
            weekly_rebuild_schedule,
            structured_load_schedule,
            enterprise_load_schedule,
        ],
        sensors=[inbox_sensor, alert_on_failed_runs, alert_on_failed_checks],
        resources={
            "ingestion": IngestionResource(),
            "query": QueryResource(),
            "progress": ProgressResource(),
            **(resource_overrides or {}),
        },
        # documents run in parallel inside a step, in processes of their own
        executor=dg.in_process_executor,
    )
