"""Jobs, the nightly and the weekly schedule, and the inbox sensor."""

import hashlib
from collections.abc import Generator
from contextlib import contextmanager
from datetime import date, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import dagster as dg
from dagster._core.storage.dagster_run import NOT_FINISHED_STATUSES
from dagster._core.storage.tags import RETRY_STRATEGY_TAG

from finrag_pipeline.defs import documents as document_assets
from finrag_pipeline.defs import weeks as weekly_assets
from finrag_pipeline.errors import FinragError
from finrag_pipeline.records.communities import week_of
from finrag_pipeline.settings import TIME_ZONE, Settings, load_settings, today
from finrag_pipeline.store.database.connections import Database
from finrag_pipeline.store.documents import document_sources, documents, sources
from finrag_pipeline.store.search import entries

#: A run whose machine died is begun again as a whole, and goes on where it stopped.
_AS_A_WHOLE = {RETRY_STRATEGY_TAG: "ALL_STEPS"}

nightly_ingestion = dg.define_asset_job(
    "nightly_ingestion",
    tags=_AS_A_WHOLE,
    selection=dg.AssetSelection.groups(document_assets.GROUP),
    description="Registers the inbox and brings every document of an arrival day to its readers.",
)

weekly_rebuild = dg.define_asset_job(
    "weekly_rebuild",
    tags=_AS_A_WHOLE,
    selection=dg.AssetSelection.groups(weekly_assets.GROUP),
    description="Clusters the entity graph as of a week's end, writes its reports, serves them.",
)

#: Tags that tell runs of the command line from those of the UI, schedules and sensors.
COMMAND_LINE = {"cli": "finrag"}

NO_INBOX = "FINRAG_INBOX is not set"


class TickFailed(dg.DagsterError):
    """A schedule or sensor could not look. Dagster shows its own errors as they are, and any other
    one below a line that says nothing."""


@contextmanager
def tick() -> Generator[None]:
    """What goes wrong fails the tick with its one line: skipped is what looked and found nothing.

    Raises:
        TickFailed: in place of any `FinragError`.
    """
    try:
        yield
    except FinragError as error:
        raise TickFailed(str(error)) from None


@dg.schedule(
    name="nightly_ingestion",
    job=nightly_ingestion,
    cron_schedule="0 2 * * *",
    execution_timezone=TIME_ZONE,
    default_status=dg.DefaultScheduleStatus.RUNNING,
    description="02:00 Asia/Shanghai, on by default: the arrival day that ended at midnight.",
)
def nightly_ingestion_schedule(
    context: dg.ScheduleEvaluationContext,
) -> list[dg.RunRequest] | dg.SkipReason:
    with tick():
        settings = load_settings()
    if not (settings.inbox or settings.enterprise):
        return dg.SkipReason(NO_INBOX)
    at = context.scheduled_execution_time.astimezone(ZoneInfo(TIME_ZONE))
    return _in_batches(settings, at.date() - timedelta(days=1))


@dg.schedule(
    name="weekly_rebuild",
    job=weekly_rebuild,
    cron_schedule="0 3 * * 0",
    execution_timezone=TIME_ZONE,
    default_status=dg.DefaultScheduleStatus.RUNNING,
    description="Sunday 03:00 Asia/Shanghai, on by default: the week that ended at midnight.",
)
def weekly_rebuild_schedule(
    context: dg.ScheduleEvaluationContext,
) -> dg.RunRequest | dg.SkipReason:
    with tick():
        settings = load_settings()
        if settings.graph == "off":
            return dg.SkipReason("FINRAG_GRAPH is off")
        with Database.open(settings) as database, database.connection() as connection:
            if not entries.holds_documents(connection, settings.app):
                return dg.SkipReason(f"nothing is indexed in app {settings.app!r} yet")
    at = context.scheduled_execution_time.astimezone(ZoneInfo(TIME_ZONE))
    return dg.RunRequest(partition_key=week_of(at.date() - timedelta(days=1)).isoformat())


@dg.sensor(
    job=nightly_ingestion,
    minimum_interval_seconds=60,
    default_status=dg.DefaultSensorStatus.STOPPED,
    description="Off by default: ingests new and changed files of the inbox within a minute, and "
    "what a killed run left.",
)
def inbox_sensor(context: dg.SensorEvaluationContext) -> list[dg.RunRequest] | dg.SkipReason:
    with tick():
        settings = load_settings()
        if not settings.inbox:
            return dg.SkipReason(NO_INBOX)
        files = sources.discover(settings.inbox)
        with Database.open(settings) as database, database.connection() as connection:
            seen = document_sources.known_sources(connection, settings.app, [f.uri for f in files])
            # while a run goes on, what is registered is its own
            left = [] if _in_progress(context) else documents.never_tried(connection, settings.app)
    changed = [f for f in files if seen.get(f.uri, ("", ""))[0] != f.fingerprint]
    if not changed and not left:
        return dg.SkipReason(f"nothing new among {len(files)} files")
    names = "\n".join([*(f"{file.uri}\t{file.fingerprint}" for file in changed), *left])
    key = hashlib.sha256(names.encode()).hexdigest()
    if context.cursor != key:
        # seen for the first time: wait one tick, so that a file still being copied settles
        context.update_cursor(key)
        return dg.SkipReason(
            f"{len(changed)} new or changed files, {len(left)} documents left by a run that "
            "ended early; waiting until they settle"
        )
    # what a run leaves again as it was is not asked for again: the night takes it
    return _in_batches(settings, today(), key)


def batch_configs(batches: int, **config: Any) -> list[dict[str, Any]]:
    """The configuration of each of the runs that share one scope of documents."""
    return [
        {"resources": {"ingestion": {"config": {**config, "batch": batch, "batches": batches}}}}
        for batch in range(1, batches + 1)
    ]


def _in_batches(settings: Settings, day: date, key: str | None = None) -> list[dg.RunRequest]:
    return [
        dg.RunRequest(
            run_key=key and f"{key}:{batch}", run_config=config, partition_key=day.isoformat()
        )
        for batch, config in enumerate(batch_configs(settings.batches), start=1)
    ]


def _in_progress(context: dg.SensorEvaluationContext) -> bool:
    unfinished = dg.RunsFilter(job_name=nightly_ingestion.name, statuses=NOT_FINISHED_STATUSES)
    return bool(context.instance.get_run_ids(unfinished, limit=1))
