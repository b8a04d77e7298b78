"""Runs that the command line leaves to the daemon, and to whichever machine takes them."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from datetime import date

from dagster import DagsterEvent
from dagster._core.code_pointer import ModuleCodePointer
from dagster._core.origin import (
    DEFAULT_DAGSTER_ENTRY_POINT,
    JobPythonOrigin,
    RepositoryPythonOrigin,
)

from finrag_pipeline.defs.assembly import build_definitions
from finrag_pipeline.defs.instance import open_instance
from finrag_pipeline.defs.jobs import batch_configs, nightly_ingestion
from finrag_pipeline.defs.runs import job_origin, quiet_storage
from finrag_pipeline.settings import Settings
from finrag_pipeline.store.documents.sources import absolute_uri


def queue_documents(
    settings: Settings, app: str, paths: Sequence[str], arrival_on: date, batches: int
) -> list[str]:
    """Queue the runs that materialise the document assets for files and folders.

    Args:
        paths: where every worker finds them.
        arrival_on: the partition, and the arrival day of what is new.
        batches: runs that share the documents.

    Returns:
        The ids of the runs.
    """
    configs = batch_configs(batches, app=app, paths=[absolute_uri(path) for path in paths])
    with quiet_storage(), open_instance(settings) as instance:
        definitions = build_definitions(first_day=arrival_on)
        job = definitions.resolve_job_def(nightly_ingestion.name)
        tags = job.get_tags_for_partition_key(arrival_on.isoformat(), None)
        runs = [
            instance.create_run_for_job(
                job,
                run_config=config,
                tags=tags,
                remote_job_origin=job_origin(job.name),
                job_code_origin=code_of(job.name),
            )
            for config in configs
        ]
        for run in runs:
            # its place in the queue is an event: no code location has to be loaded for it
            instance.report_dagster_event(DagsterEvent.job_enqueue(run), run_id=run.run_id)
        return [run.run_id for run in runs]


def code_of(job_name: str) -> JobPythonOrigin:
    """Where a worker finds the job: by its module, whatever folder and Python it has."""
    pointer = ModuleCodePointer("finrag_pipeline.definitions", "defs", None)
    repository = RepositoryPythonOrigin(
        executable_path=sys.executable,
        code_pointer=pointer,
        entry_point=DEFAULT_DAGSTER_ENTRY_POINT,
    )
    return JobPythonOrigin(job_name, repository)
