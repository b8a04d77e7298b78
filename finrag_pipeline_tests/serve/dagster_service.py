"""`finrag dev` as an operator runs it: a process of its own, asked through its GraphQL API."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Generator, Iterable, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

import psutil
import requests

from finrag_pipeline_tests.paths import SAMPLE_PDFS
from finrag_pipeline_tests.serve.conftest import command

_LAUNCH = """
mutation Launch($params: ExecutionParams!) {
  launchRun(executionParams: $params) {
    __typename
    ... on LaunchRunSuccess { run { runId } }
    ... on PythonError { message }
    ... on RunConfigValidationInvalid { errors { message } }
  }
}
"""
_RUN = """
query Run($id: ID!) {
  runOrError(runId: $id) { ... on Run { status tags { key value } } }
}
"""
_MESSAGES = """
query Messages($id: ID!) {
  runOrError(runId: $id) { ... on Run { eventConnection(limit: 1000) { events {
    ... on MessageEvent { eventType message }
  } } } }
}
"""
_TERMINATE = """
mutation End($id: String!) { terminateRun(runId: $id) { __typename } }
"""
_REPOSITORY = {
    "repositoryName": "__repository__",
    "repositoryLocationName": "finrag_pipeline",
}


class Service:
    """A running `finrag dev`."""

    def __init__(self, process: subprocess.Popen[bytes], port: int) -> None:
        self.process = process
        self._url = f"http://127.0.0.1:{port}/graphql"

    def ask(self, query: str, **variables: Any) -> dict[str, Any]:
        reply = requests.post(
            self._url, json={"query": query, "variables": variables}, timeout=60
        ).json()
        assert "errors" not in reply, reply
        return reply["data"]

    def wait_until_loaded(self, timeout_s: float = 120) -> None:
        query = "{ repositoriesOrError { __typename } }"
        deadline = time.monotonic() + timeout_s
        while True:
            assert self.process.poll() is None, "finrag dev ended"
            try:
                if self.ask(query)["repositoriesOrError"]["__typename"] == "RepositoryConnection":
                    return
            except requests.ConnectionError:
                pass
            assert time.monotonic() < deadline, "the code location was not loaded"
            time.sleep(0.2)

    def launch(self, job: str, partition: str, config: Mapping[str, Any] | None = None) -> str:
        """Queue a run, as the UI does; returns its id."""
        params = {
            "selector": _REPOSITORY | {"jobName": job},
            "runConfigData": config or {},
            "executionMetadata": {"tags": [{"key": "dagster/partition", "value": partition}]},
        }
        launched = self.ask(_LAUNCH, params=params)["launchRun"]
        assert launched["__typename"] == "LaunchRunSuccess", launched
        return launched["run"]["runId"]

    def status(self, run_id: str) -> str:
        return self.ask(_RUN, id=run_id)["runOrError"]["status"]

    def wait_for(self, run_id: str, *statuses: str, timeout_s: float = 120) -> str:
        """Wait until a run has one of some statuses; returns it."""
        deadline = time.monotonic() + timeout_s
        while (status := self.status(run_id)) not in statuses:
            assert time.monotonic() < deadline, f"run {run_id} is {status}"
            time.sleep(0.2)
        return status

    def messages(self, run_id: str) -> list[str]:
        """What the run's log says, line by line."""
        events = self.ask(_MESSAGES, id=run_id)["runOrError"]["eventConnection"]["events"]
        return [event["message"] for event in events if event.get("message")]

    def terminate(self, run_id: str) -> str:
        return self.ask(_TERMINATE, id=run_id)["terminateRun"]["__typename"]

    def processes(self) -> list[psutil.Process]:
        """Everything that it started and that lives, itself excepted."""
        return psutil.Process(self.process.pid).children(recursive=True)

    def stop(self, number: signal.Signals = signal.SIGTERM, timeout_s: float = 100) -> int:
        """Stop it as systemd or Ctrl-C would; returns its exit code."""
        self.process.send_signal(number)
        return self.process.wait(timeout_s)

    def kill(self) -> None:
        """`kill -9` of everything at once, as a power cut; an external Postgres stays."""
        kill([*self.processes(), psutil.Process(self.process.pid)])
        self.process.wait()


def kill(processes: Iterable[psutil.Process]) -> None:
    """End processes at once: none of them sees the others go."""
    processes = list(processes)
    for process in processes:
        with suppress(psutil.NoSuchProcess):
            process.suspend()
    for process in processes:
        with suppress(psutil.NoSuchProcess):
            process.kill()
    psutil.wait_procs(processes, timeout=10)


def processes_of(home: Path) -> list[psutil.Process]:
    """Everything that works on a home, its embedded Postgres included."""
    found: list[psutil.Process] = []
    for process in psutil.process_iter():
        with suppress(psutil.Error):
            if process.environ().get("FINRAG_HOME") == str(home):
                found.append(process)
    return found


def service_variables(home: Path, inbox: Path) -> dict[str, str]:
    """The environment of a service on a home of its own, with an embedded Postgres."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("FINRAG_", "DAGSTER_"))}
    return kept | {"FINRAG_HOME": str(home), "FINRAG_INBOX": str(inbox)}


def add_report(inbox: Path) -> None:
    """Put one more report into an inbox: a sample's pages under a content of its own."""
    count = len(os.listdir(inbox))
    target = inbox / f"report_{count}.pdf"
    shutil.copy(SAMPLE_PDFS / "alder_petfood_hogs_20260210.pdf", target)
    with target.open("ab") as file:
        file.write(b"%% %d\n" % count)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextmanager
def running(
    variables: Mapping[str, str], folder: Path, output: IO[bytes] | int = subprocess.DEVNULL
) -> Generator[Service]:
    """`finrag dev` from a folder, until its code location is loaded; stopped afterwards.

    It starts as a shell starts what goes to the background: with SIGINT ignored.
    """
    port = free_port()
    process = subprocess.Popen(
        command("dev", "--port", str(port)),
        env=dict(variables),
        cwd=folder,
        stdout=output,
        stderr=output,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN),
    )
    service = Service(process, port)
    try:
        service.wait_until_loaded()
        yield service
    finally:
        if process.poll() is None:
            service.stop()
