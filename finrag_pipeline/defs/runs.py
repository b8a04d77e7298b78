"""The one door through which the command line starts runs."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager, redirect_stderr
from dataclasses import dataclass
from datetime import date
from io import StringIO
from typing import Any, cast

import dagster as dg

from finrag_pipeline.defs.assembly import build_definitions
from finrag_pipeline.defs.instance import open_instance
from finrag_pipeline.defs.jobs import nightly_ingestion, weekly_rebuild
from finrag_pipeline.errors import (
    ConfigurationError,
    PermanentError,
    StorageFull,
    StoreUnavailable,
    TransientError,
)
from finrag_pipeline.pipelines.run import Progress
from finrag_pipeline.settings import Settings, today


@dataclass(frozen=True)
class Materialized:
    """What a run has to tell beside its documents.

    `unreadable` are files and why they could not be read; `degraded` says what is there, but less
    well than the settings ask for.
    """

    unreadable: tuple[tuple[str, str], ...]
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
        return Materialized(
            tuple((name, reason) for name, reason in unreadable), tuple(_degraded(result))
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
) -> Generator[dg.ExecuteInProcessResult]:
    """A job's run that succeeded; its failure is raised as the line of the step that failed."""
    with _quiet_storage(), open_instance(settings) as instance:
        definitions = build_definitions({"progress": progress}, first_day=partition)
        job = definitions.resolve_job_def(job_name)
        result = job.execute_in_process(
            run_config={
                "resources": {"ingestion": {"config": config}},
                "loggers": {"console": {"config": {"log_level": "CRITICAL"}}},
            },
            partition_key=partition.isoformat(),
            instance=instance,
            raise_on_error=False,
        )
        if not result.success:
            raise PermanentError(_why(result))
        yield result


def _degraded(result: dg.ExecuteInProcessResult) -> Generator[str]:
    for event in result.get_asset_materialization_events():
        line = event.step_materialization_data.materialization.metadata.get("degraded")
        if line:
            yield str(line.value)


@contextmanager
def _quiet_storage() -> Generator[None]:
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


_ERRORS = f"{TransientError.__module__}."
_TRANSIENT = {cls.__name__ for cls in TransientError.__subclasses__()}


def _why(result: dg.ExecuteInProcessResult) -> str:
    """The line of the first step that failed by itself."""
    for event in result.all_events:
        if event.is_step_failure:
            failure = event.step_failure_data
            if failure.user_failure_data and failure.user_failure_data.description:
                return failure.user_failure_data.description
            chain = [failure.error] if failure.error else []
            while chain and chain[-1].cause:
                chain.append(chain[-1].cause)
            if any(error.cls_name == "DagsterExecutionInterruptedError" for error in chain):
                return "interrupted: run the same command again, it goes on where it stopped"
            # a transient error that outlived its retries says what is wrong; else the deepest does
            telling = [error for error in chain if error.cls_name in _TRANSIENT] or chain[-1:]
            if telling:
                line = telling[0].message.strip().splitlines()[0].removeprefix(_ERRORS)
                return f"{event.step_key}: {line}"
    return "the run failed; its log is in the Dagster UI (`make dev`)"
