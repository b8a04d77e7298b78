"""Figures that a user's own data vendor supplies: their asset, its job and schedule."""

import dagster as dg

from finrag_pipeline.defs.catalog import table_of
from finrag_pipeline.defs.jobs import tick
from finrag_pipeline.defs.metadata import of_supplied, of_table
from finrag_pipeline.defs.resources import IngestionResource
from finrag_pipeline.pipelines.run.run import silent
from finrag_pipeline.pipelines.structured_financials import load_structured
from finrag_pipeline.settings import TIME_ZONE, load_settings
from finrag_pipeline.store.database import tables
from finrag_pipeline.store.facts import structured_financials as store

GROUP = "structured"


@dg.asset(group_name=GROUP, kinds={"postgres", "python"})
def structured_financials(context: dg.AssetExecutionContext, ingestion: IngestionResource) -> None:
    """One row per figure of a vendor's files in `structured_financials`, as FINRAG_STRUCTURED maps.

    All files are read and replaced at once. What of them is refused is told with line and reason.
    """
    with ingestion.run((), silent) as run:
        settings = run.settings.model_copy(update={"app": run.scope.app_id})
        loaded = load_structured(run.database, settings)
        with run.database.connection() as connection:
            rows = store.count(connection, settings.app)
            columns = tables.columns(connection, table_of(context))
    context.add_output_metadata({**of_supplied(loaded), **of_table(columns, rows)})
    context.log.info(f"structured_financials: {loaded.figures} figures, {loaded.refused} refused")


structured_load = dg.define_asset_job(
    "structured_load",
    selection=dg.AssetSelection.groups(GROUP),
    description="Puts a vendor's figures, as its files have them now, in place of those before.",
)


@dg.schedule(
    name="structured_load",
    job=structured_load,
    cron_schedule="30 1 * * *",
    execution_timezone=TIME_ZONE,
    default_status=dg.DefaultScheduleStatus.RUNNING,
    description="01:30 Asia/Shanghai, on by default: the files that FINRAG_STRUCTURED maps.",
)
def structured_load_schedule() -> dg.RunRequest | dg.SkipReason:
    with tick():
        settings = load_settings()
    return dg.RunRequest() if settings.structured else dg.SkipReason("FINRAG_STRUCTURED is not set")
