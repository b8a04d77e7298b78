"""`finrag dev`: the Dagster UI with its daemon, on the same Postgres as everything else."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Annotated

import typer

from finrag_pipeline.settings import load_settings


def dev(
    host: Annotated[str, typer.Option("--host")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port")] = 3000,
) -> None:
    """Open the Dagster UI with its daemon; Ctrl-C ends both."""
    from finrag_pipeline.defs.instance import prepare_environment

    variables = prepare_environment(load_settings())
    workspace = Path("workspace.yaml")
    location = (
        ["-w", str(workspace)] if workspace.exists() else ["-m", "finrag_pipeline.definitions"]
    )
    dagster = [sys.executable, "-m", "dagster", "dev", *location, "-h", host, "-p", str(port)]
    typer.echo(f"Dagster UI: http://{host}:{port}")
    variables["PYTHONWARNINGS"] = "ignore"  # Dagster's own: about its beta features and commands
    process = subprocess.Popen(dagster, env={**os.environ, **variables})
    # Ctrl-C reaches the child by itself, a SIGTERM of ours does not; either way it stops its own
    # children, and we only wait
    signal.signal(signal.SIGINT, lambda number, frame: None)
    signal.signal(signal.SIGTERM, lambda number, frame: process.terminate())
    raise typer.Exit(process.wait())
