"""`finrag worker`, which executes runs of other machines; `finrag exec` for Dagster's own tools."""

from __future__ import annotations

import os
import shutil
import socket
import sys
from pathlib import Path
from typing import Annotated

import typer

from finrag_pipeline.errors import ConfigurationError
from finrag_pipeline.extras import install_extra
from finrag_pipeline.settings import load_settings


def worker(
    slots: Annotated[int, typer.Option("--slots", min=1, help="Runs at a time.")] = 1,
    name: Annotated[str, typer.Option("--name", help="Told in logs.")] = "finrag",
) -> None:
    """Execute runs that `finrag dev` on another machine hands out; Ctrl-C waits for those begun."""
    from finrag_pipeline.defs.instance import prepare_environment

    settings = load_settings()
    if settings.broker_url is None:
        raise ConfigurationError(
            "FINRAG_BROKER_URL is not set: name the Redis of the machine that runs `finrag dev`"
        )
    try:
        from finrag_pipeline.defs.celery_worker import serve
    except ModuleNotFoundError as error:
        raise ConfigurationError(
            f"{error.name} is not installed: {install_extra('celery')}"
        ) from None
    os.environ.update(prepare_environment(settings))
    typer.echo(f"waiting for runs on {socket.gethostname()}, {slots} at a time")
    serve(settings, slots, name)


def execute(
    command: Annotated[list[str], typer.Argument(help="e.g. dagster-webserver --read-only")],
) -> None:
    """Run a tool of Dagster on this deployment's instance; all that follows is the tool's own."""
    from finrag_pipeline.defs.instance import prepare_environment

    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    found = shutil.which(command[0], path=path)
    if found is None:
        raise ConfigurationError(f"there is no command {command[0]!r}")
    variables = prepare_environment(load_settings())
    sys.stdout.flush()
    os.execve(found, command, {**os.environ, **variables})
