"""`finrag dev`: the Dagster UI with its daemon, on the same Postgres as everything else."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Annotated

import typer

from finrag_pipeline.errors import ConfigurationError
from finrag_pipeline.settings import load_settings

if TYPE_CHECKING:
    from psutil import Process

# How often new processes are looked for: a run's are told from others while it has a parent.
_LOOK_S = 1.0
# What a run may take to note that it was interrupted; then it is ended, as by a power cut.
_PATIENCE_S = 20.0


def dev(
    host: Annotated[str, typer.Option("--host")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port")] = 3000,
) -> None:
    """Open the Dagster UI with its daemon; Ctrl-C ends both, and the runs that they started."""
    from finrag_pipeline.defs.instance import prepare_environment, workspace_file

    _require_free_port(host, port)
    variables = prepare_environment(load_settings())
    variables["PYTHONWARNINGS"] = "ignore"  # Dagster's own: about its beta features and commands
    # handlers come before the child: a shell starts background commands with SIGINT ignored, and
    # what ignores SIGINT would, in Dagster, ignore SIGTERM, too
    ended_by: list[int] = []
    wanted = [signal.SIGINT, signal.SIGTERM]
    if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:  # as nohup leaves it
        wanted.append(signal.SIGHUP)
    for number in wanted:
        signal.signal(number, lambda number, frame: ended_by.append(number))
    command = ["dagster", "dev", "-w", str(workspace_file()), "-h", host, "-p", str(port)]
    process = subprocess.Popen(
        [sys.executable, "-m", *command],
        env={**os.environ, **variables},
        start_new_session=True,  # Ctrl-C is ours to pass on
    )
    typer.echo(f"Dagster UI: http://{host}:{port}")
    started = _wait(process, ended_by)
    _end(started)
    raise typer.Exit(0 if ended_by else process.returncode)


def _require_free_port(host: str, port: int) -> None:
    """Raises: ConfigurationError: something listens there, or the address is not of this host."""
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except (OSError, OverflowError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise ConfigurationError(
            f"the UI cannot listen on {host}:{port} ({reason}): choose another --port, or end what "
            "listens there"
        ) from None


def _wait(process: subprocess.Popen[bytes], ended_by: list[int]) -> set[Process]:
    """Wait for the end of Dagster, which a signal of ours brings about.

    Returns:
        Every process that it started, also those that lost their parent since.
    """
    import psutil

    dagster = psutil.Process(process.pid)
    started: set[Process] = set()
    told = False
    while True:
        try:
            started.update(dagster.children(recursive=True))
        except psutil.NoSuchProcess:
            return started
        if ended_by and not told:
            process.terminate()
            told = True
        try:
            process.wait(_LOOK_S)
            return started
        except subprocess.TimeoutExpired:
            continue


def _end(started: set[Process]) -> None:
    """End what is left: a code server waits for its runs, which may take hours.

    A run that is interrupted says so in its record; the next one goes on where it stopped.
    """
    import psutil

    left = [process for process in started if process.is_running()]
    for process in left:
        _send(process, signal.SIGTERM)
    _, left = psutil.wait_procs(left, timeout=_PATIENCE_S)
    for process in left:
        _send(process, signal.SIGKILL)
    psutil.wait_procs(left, timeout=_PATIENCE_S)


def _send(process: Process, number: signal.Signals) -> None:
    import psutil

    with suppress(psutil.NoSuchProcess):
        process.send_signal(number)
