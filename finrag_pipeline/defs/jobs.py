"""Jobs, the nightly and the weekly schedule, and the inbox sensor."""

import hashlib
from datetime import timedelta
from zoneinfo import ZoneInfo

import dagster as dg

from finrag_pipeline.defs import documents as document_assets
from finrag_pipeline.defs import weeks as weekly_assets
from finrag_pipeline.errors import FinragError
from finrag_pipeline.records.communities import week_of
from finrag_pipeline.settings import TIME_ZONE, load_settings, today
from finrag_pipeline.store import document_sources, search, sources
from finrag_pipeline.store.database import Database

nightly_ingestion = dg.define_asset_job(
    "nightly_ingestion",
    selection=dg.AssetSelection.groups(document_assets.GROUP),
    description="Registers the inbox and brings every document of an arrival day to its readers.",
)

weekly_rebuild = dg.define_asset_job(
    "weekly_rebuild",
    selection=dg.AssetSelection.groups(weekly_assets.GROUP),
    description="Clusters the entity graph as of a week's end, writes its reports, serves them.",
)

NO_INBOX = "FINRAG_INBOX is not set"


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
) -> dg.RunRequest | dg.SkipReason:
    if not load_settings().inbox:
        return dg.SkipReason(NO_INBOX)
    at = context.scheduled_execution_time.astimezone(ZoneInfo(TIME_ZONE))
    return dg.RunRequest(partition_key=(at.date() - timedelta(days=1)).isoformat())


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
    settings = load_settings()
    if settings.graph == "off":
        return dg.SkipReason("FINRAG_GRAPH is off")
    try:
        with Database.open(settings) as database, database.connection() as connection:
            if not search.holds_documents(connection, settings.app):
                return dg.SkipReason(f"nothing is indexed in app {settings.app!r} yet")
    except FinragError as error:
        return dg.SkipReason(str(error))
    at = context.scheduled_execution_time.astimezone(ZoneInfo(TIME_ZONE))
    return dg.RunRequest(partition_key=week_of(at.date() - timedelta(days=1)).isoformat())


@dg.sensor(
    job=nightly_ingestion,
    minimum_interval_seconds=60,
    default_status=dg.DefaultSensorStatus.STOPPED,
    description="Off by default: ingests new and changed files of the inbox within a minute.",
)
def inbox_sensor(context: dg.SensorEvaluationContext) -> dg.RunRequest | dg.SkipReason:
    settings = load_settings()
    if not settings.inbox:
        return dg.SkipReason(NO_INBOX)
    try:
        files = sources.discover(settings.inbox)
        with Database.open(settings) as database, database.connection() as connection:
            seen = document_sources.known_sources(connection, settings.app, [f.uri for f in files])
    except FinragError as error:
        return dg.SkipReason(str(error))
    changed = [f for f in files if seen.get(f.uri, ("", ""))[0] != f.fingerprint]
    if not changed:
        return dg.SkipReason(f"nothing new among {len(files)} files")
    names = "\n".join(f"{file.uri}\t{file.fingerprint}" for file in changed)
    key = hashlib.sha256(names.encode()).hexdigest()
    if context.cursor != key:
        # seen for the first time: wait one tick, so that a file still being copied settles
        context.update_cursor(key)
        return dg.SkipReason(f"{len(changed)} new or changed files; waiting until they settle")
    return dg.RunRequest(run_key=key, partition_key=today().isoformat())
