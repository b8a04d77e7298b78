"""Records of companies that a user keeps: their asset, its job and schedule."""

from datetime import timedelta

import dagster as dg

from finrag_pipeline.defs.catalog import table_of
from finrag_pipeline.defs.jobs import tick
from finrag_pipeline.defs.metadata import of_records, of_table
from finrag_pipeline.defs.resources import IngestionResource
from finrag_pipeline.pipelines.enterprise_graph import load_enterprise
from finrag_pipeline.pipelines.run.run import silent
from finrag_pipeline.settings import TIME_ZONE, load_settings, today
from finrag_pipeline.store.database import tables
from finrag_pipeline.store.documents import enterprise_graph as store

GROUP = "enterprise"


@dg.asset(group_name=GROUP, kinds={"postgres", "python"})
def enterprise_graph(context: dg.AssetExecutionContext, ingestion: IngestionResource) -> None:
    """One row per document made of a company's record, in `enterprise_graph`: profile, relations,
    projects, needs.

    What changed is registered as arrived on the day that has ended, so that the nightly run indexes
    it; a record that is gone is withdrawn. What is refused is told with its place and reason.
    """
    with ingestion.run((), silent) as run:
        settings = run.settings.model_copy(update={"app": run.scope.app_id})
        loaded = load_enterprise(run.database, settings, today() - timedelta(days=1))
        with run.database.connection() as connection:
            rows = store.count(connection, settings.app)
            columns = tables.columns(connection, table_of(context))
    context.add_output_metadata({**of_records(loaded), **of_table(columns, rows)})
    context.log.info(
        f"enterprise_graph: {loaded.companies} companies, {loaded.changed} documents changed, "
        f"{len(loaded.removed)} removed, {len(loaded.refused)} records refused"
    )


enterprise_load = dg.define_asset_job(
    "enterprise_load",
    selection=dg.AssetSelection.groups(GROUP),
    description="Puts company records, as their files have them now, in place of those before.",
)


@dg.schedule(
    name="enterprise_load",
    job=enterprise_load,
    cron_schedule="45 1 * * *",
    execution_timezone=TIME_ZONE,
    default_status=dg.DefaultScheduleStatus.RUNNING,
    description="01:45 Asia/Shanghai, on by default: the records that FINRAG_ENTERPRISE names, "
    "before the nightly run indexes them.",
)
def enterprise_load_schedule() -> dg.RunRequest | dg.SkipReason:
    with tick():
        settings = load_settings()
    return dg.RunRequest() if settings.enterprise else dg.SkipReason("FINRAG_ENTERPRISE is not set")
