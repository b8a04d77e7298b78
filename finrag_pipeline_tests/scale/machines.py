"""A deployment on several machines, each a process with a `FINRAG_HOME` of its own: the daemon,
workers, and the broker between them. Postgres and the inbox are all that they share."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from pathlib import Path

import psutil

from finrag_pipeline.store.database.connections import Database
from finrag_pipeline_tests.serve.conftest import command
from finrag_pipeline_tests.serve.dagster_service import free_port, kill

REDIS = shutil.which("redis-server")


def wait_until(true: Callable[[], object], what: str, timeout_s: float = 150) -> None:
    deadline = time.monotonic() + timeout_s
    while not true():
        assert time.monotonic() < deadline, f"waited {timeout_s} s for: {what}"
        time.sleep(0.2)


class Broker:
    """Debian's Redis on loopback, which keeps what it was given over a `kill -9`."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._port = folder, free_port()
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self._port}/0"

    def start(self) -> None:
        assert REDIS
        self._folder.mkdir(exist_ok=True)
        where = ["--bind", "127.0.0.1", "--port", str(self._port), "--dir", str(self._folder)]
        self._process = subprocess.Popen(
            [REDIS, *where, "--appendonly", "yes", "--appendfsync", "always", "--save", ""],
            stdout=subprocess.DEVNULL,
        )

    def kill(self) -> None:
        assert self._process
        self._process.kill()
        self._process.wait()


class Worker:
    """`finrag worker` on a machine of its own."""

    def __init__(self, name: str, variables: Mapping[str, str], folder: Path) -> None:
        folder.mkdir()
        self.log = folder / "log"
        with self.log.open("wb") as log:
            self._process = subprocess.Popen(
                command("worker", "--name", name),
                env={**variables, "FINRAG_HOME": str(folder / "home")},
                cwd=folder,
                stdout=log,
                stderr=log,
            )

    def processes(self) -> list[psutil.Process]:
        worker = psutil.Process(self._process.pid)
        return [worker, *worker.children(recursive=True)]

    def has(self, process_id: int) -> bool:
        """Whether a run's process is one of its own."""
        return any(process.pid == process_id for process in self.processes())

    def kill(self) -> None:
        """`kill -9` of everything on the machine at once."""
        if self._process.poll() is None:
            kill(self.processes())
        self._process.wait()


class Runs:
    """What Postgres knows of runs."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def statuses(self) -> dict[str, str]:
        return {run: status for run, status in self._rows("select run_id, status from runs")}

    def finished(self) -> bool:
        statuses = self.statuses()
        over = all(status in ("SUCCESS", "FAILURE", "CANCELED") for status in statuses.values())
        # a failed one is followed by its retry, after a look of the daemon
        retried = self._rows("select value from run_tags where key = 'dagster/parent_run_id'")
        failed = [run for run, status in statuses.items() if status == "FAILURE"]
        return over and len(failed) <= len(retried)

    def beating(self) -> dict[str, int]:
        """Runs that began and are not over, with the process of each."""
        statuses = self.statuses()
        rows = self._rows("select run_id, process_id from public.run_heartbeats")
        return {run: process for run, process in rows if statuses.get(run) == "STARTED"}

    def starts(self, run_id: str) -> int:
        query = "select 1 from event_logs where run_id = %s and dagster_event_type = %s"
        return len(self._rows(query, run_id, "PIPELINE_START"))

    def told(self, run_id: str) -> str:
        rows = self._rows("select event from event_logs where run_id = %s", run_id)
        return "\n".join(event for (event,) in rows)

    def _rows(self, query: str, *parameters: str) -> list[tuple]:
        with self._database.connection() as connection:
            connection.execute("set local search_path = dagster")
            return [tuple(row.values()) for row in connection.execute(query, parameters)]


@contextmanager
def broker(folder: Path) -> Generator[Broker]:
    started = Broker(folder)
    started.start()
    try:
        yield started
    finally:
        started.kill()


@contextmanager
def workers(variables: Mapping[str, str], folder: Path, *names: str) -> Generator[list[Worker]]:
    started = [Worker(name, variables, folder / name) for name in names]
    try:
        yield started
    finally:
        for worker in started:
            worker.kill()


def machine(variables: Mapping[str, str], home: Path) -> dict[str, str]:
    """The variables of one more machine of a deployment."""
    home.mkdir(parents=True)
    return {**variables, "FINRAG_HOME": str(home), "PATH": os.environ["PATH"]}
