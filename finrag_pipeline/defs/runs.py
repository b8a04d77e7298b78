"""The one door through which the command line starts runs."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager, redirect_stderr
from dataclasses import dataclass
from datetime import date
from io import StringIO
from typing import Any, cast

import dagster as dg
from dagster._core.definitions.job_base import InMemoryJob
from dagster._core.execution.api import execute_run
from dagster._core.remote_origin import (
    RegisteredCodeLocationOrigin,
    RemoteJobOrigin,
    RemoteRepositoryOrigin,
)
from dagster._core.storage.tags import MAX_RETRIES_TAG

from finrag_pipeline.defs.assembly import build_definitions
from finrag_pipeline.defs.failures import failure_line
from finrag_pipeline.defs.instance import open_instance
from finrag_pipeline.defs.jobs import COMMAND_LINE, nightly_ingestion, weekly_rebuild
from finrag_pipeline.errors import (
    ConfigurationError,
    PermanentError,
    StorageFull,
    StoreUnavailable,
)
from finrag_pipeline.pipelines.run.run import Progress
from finrag_pipeline.settings import Settings, today

#: As `workspace.yaml` names it.
CODE_LOCATION = "finrag_pipeline"


@dataclass(frozen=True)
class Materialized:
    """What a run has to tell beside its documents.

    `unreadable` are files and why they could not be read, `gone` those that left the quarantine;
    `degraded` says what is there, but less well than the settings ask for.
    """

    unreadable: tuple[tuple[str, str], ...]
    gone: tuple[str, ...]
    degraded: tuple[str, ...]


def materialize_documents(
    settings: Settings, app: str, paths: Sequence[str], arrival_on: date, progress: Progress
) -> Materialized:
    """Materialise the document assets for files and folders, in this process.

    The run is recorded like any other and shows in the UI.

    Args:
        arrival_on: the partition, and the arrival day of what is new.

    Returns:
        What of the run has to be told beside its documents.

    Raises:
        ConfigurationError: the day is to come.
        PermanentError: a step failed; the line is the step's own.
    """
    if arrival_on > today():
        raise ConfigurationError(f"arrival day {arrival_on} is to come: choose today or one before")
    config = {"app": app, "paths": list(paths)}
    with _finished(settings, nightly_ingestion.name, arrival_on, config, progress) as result:
        registered = result.asset_materializations_for_node("raw_pdfs")[0]
        unreadable = cast(list[list[str]], registered.metadata["unreadable_files"].value)
        gone = cast(list[str], registered.metadata["gone_files"].value)
        return Materialized(
            tuple((name, reason) for name, reason in unreadable),
            tuple(gone),
            tuple(_degraded(result)),
        )


def materialize_week(settings: Settings, app: str, week: date, progress: Progress) -> list[str]:
    """Materialise the weekly assets for one week, in this process; recorded as above.

    Args:
        week: the Sunday that opens it.

    Returns:
        What is there, but less well than the settings ask for.

    Raises:
        ConfigurationError: the week is to come.
        PermanentError: a step failed; the line is the step's own.
    """
    if week > today():
        raise ConfigurationError(f"the week of {week} is to come: choose this one or one before")
    config = {"app": app}
    with _finished(settings, weekly_rebuild.name, week, config, progress) as result:
        return list(_degraded(result))


@contextmanager
def _finished(
    settings: Settings, job_name: str, partition: date, config: dict[str, Any], progress: Progress
) -> Generator[dg.JobExecutionResult]:
    """A job's run that succeeded; its failure is raised as the line of the step that failed."""
    with quiet_storage(), open_instance(settings) as instance:
        definitions = build_definitions({"progress": progress}, first_day=partition)
        job = definitions.resolve_job_def(job_name)
        run = instance.create_run_for_job(
            job,
            run_config={
                "resources": {"ingestion": {"config": config}},
                "loggers": {"console": {"config": {"log_level": "CRITICAL"}}},
            },
            # who ended it at a terminal does not want it to come back
            tags={
                **COMMAND_LINE,
                MAX_RETRIES_TAG: "0",
                **job.get_tags_for_partition_key(partition.isoformat(), None),
            },
            # by it the UI knows whose run it is: it shows on its job's page and on the timeline
            remote_job_origin=job_origin(job_name),
        )
        result = execute_run(InMemoryJob(job), run, instance)
        if not result.success:
            raise PermanentError(
                failure_line(result.all_events)
                or "the run failed; its log is in the Dagster UI (`make dev`)"
            )
        yield result


def job_origin(job_name: str) -> RemoteJobOrigin:
    """Whose run it is, for the UI and the daemon."""
    location = RegisteredCodeLocationOrigin(CODE_LOCATION)
    return RemoteJobOrigin(RemoteRepositoryOrigin(location, "__repository__"), job_name)


def _degraded(result: dg.JobExecutionResult) -> Generator[str]:
    for event in result.get_asset_materialization_events():
        line = event.step_materialization_data.materialization.metadata.get("degraded")
        if line:
            yield str(line.value)


@contextmanager
def quiet_storage() -> Generator[None]:
    """Turns failures of Dagster's own storage into one line, without what it prints of them."""
    from sqlalchemy.exc import OperationalError

    try:
        with redirect_stderr(StringIO()):
            yield
    except OperationalError as error:
        line = f"Dagster's records: {str(error.orig).strip().splitlines()[0]}"
        if "No space left on device" in line:
            raise StorageFull(f"{line}: free some space, then run it again") from error
        raise StoreUnavailable(f"{line}: check the database, then run it again") from error
