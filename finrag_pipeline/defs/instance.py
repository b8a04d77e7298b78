"""The Dagster instance: its home folder, and its storage in the Postgres of everything else."""

import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import dagster as dg
import yaml

from finrag_pipeline.settings import Settings, today
from finrag_pipeline.store.database.connections import Database
from finrag_pipeline.store.documents import arrival_days
from finrag_pipeline.store.embedded.home import home_errors

#: `dagster.yaml` reads the storage URL from here.
URL_VARIABLE = "FINRAG_DAGSTER_URL"


def prepare_environment(settings: Settings) -> dict[str, str]:
    """Make Dagster's home and schema, and say which variables its processes need.

    A `DAGSTER_HOME` that is set already is respected as it is.

    Returns:
        Variables for this process and those it starts.
    """
    with Database.open(settings) as database, database.connection() as connection:
        # every process of a deployment is told the same day, whatever arrives meanwhile
        first_on = settings.first_day or arrival_days.first_day(connection) or today()
        variables = {
            URL_VARIABLE: database.dagster_url(),
            # the clock may have gone back since it arrived
            "FINRAG_FIRST_DAY": min(first_on, today()).isoformat(),
        }
    if "DAGSTER_HOME" not in os.environ:
        home = settings.home / "dagster"
        with home_errors(settings.home):
            _write_instance_file(home, yaml.safe_dump(instance_config(settings), sort_keys=False))
        variables["DAGSTER_HOME"] = str(home)
    return variables


def instance_config(settings: Settings) -> dict[str, Any]:
    """The Dagster instance of a deployment: `dagster.yaml`, with what the settings say of it."""
    config: dict[str, Any] = yaml.safe_load(_shipped("dagster.yaml").read_text())
    if settings.broker_url:
        config |= yaml.safe_load(_shipped("dagster-celery.yaml").read_text())
    config["concurrency"] = {"runs": {"max_concurrent_runs": settings.concurrent_runs}}
    if settings.model_runs:
        # no limit of a pool by name can stand in the file, and there is no other pool of ours
        config["concurrency"]["pools"] = {"default_limit": settings.model_runs}
    return config


def _write_instance_file(home: Path, wanted: str) -> None:
    home.mkdir(parents=True, exist_ok=True)
    target = home / "dagster.yaml"
    if not target.exists() or target.read_text() != wanted:
        scratch = home / f"dagster.yaml.{os.getpid()}"
        scratch.write_text(wanted)
        scratch.replace(target)  # processes that start side by side never see half a file


@contextmanager
def open_instance(settings: Settings) -> Generator[dg.DagsterInstance]:
    """The persistent instance, so that runs of the command line show in the UI."""
    os.environ.update(prepare_environment(settings))
    with dg.DagsterInstance.get() as instance:
        yield instance


def workspace_file() -> Path:
    """Where the code location stands, under the same name from a checkout and from a wheel."""
    return _shipped("workspace.yaml")


def _shipped(name: str) -> Path:
    """A file that lies beside the package in a checkout, and in it once installed."""
    package = Path(__file__).parents[1]
    installed = package / name
    return installed if installed.exists() else package.parent / name
