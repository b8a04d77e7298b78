"""`finrag dev` and the runs that it launches: nothing is left behind, nothing stays for ever."""

from __future__ import annotations

import signal
import socket
import subprocess
import time
from pathlib import Path

import psutil
import pytest

from finrag_pipeline.settings import today
from finrag_pipeline_tests.serve.conftest import command, environment
from finrag_pipeline_tests.serve.dagster_service import add_report, running

pytestmark = pytest.mark.faults

JOB = "nightly_ingestion"


@pytest.fixture
def add_reports(settings):
    """Put so many new reports into the inbox."""

    def add(number: int) -> None:
        for _ in range(number):
            add_report(Path(settings.inbox))

    return add


def settled(service) -> list[psutil.Process]:
    """The service's processes, once it starts no more of them."""
    before = service.processes()
    while True:
        time.sleep(2)
        now = service.processes()
        if now == before:
            return now
        before = now


def wait_for_at_most(service, number: int, timeout_s: float = 90) -> None:
    """Wait until no more processes live; a run's may take seconds to end after its last event."""
    deadline = time.monotonic() + timeout_s
    while len(left := service.processes()) > number:
        assert time.monotonic() < deadline, [process.cmdline() for process in left]
        time.sleep(0.5)


# a code server, and runs that start readers
@pytest.mark.timeout(400)
def test_runs_leave_no_process_and_stopping_leaves_none(settings, add_reports, tmp_path):
    with running(environment(settings), tmp_path) as service:
        # one more than idle at most: Python's tracker of semaphores stays with the code server
        most = len(settled(service)) + 1
        for _ in range(2):
            add_reports(1)
            run_id = service.launch(JOB, today().isoformat())
            assert service.wait_for(run_id, "SUCCESS", "FAILURE") == "SUCCESS"
            wait_for_at_most(service, most)

        add_reports(8)
        run_id = service.launch(JOB, today().isoformat())
        service.wait_for(run_id, "STARTED")
        working = service.processes()
        assert len(working) > most
        assert service.stop(signal.SIGTERM) == 0
        assert not [process for process in working if process.is_running()]


@pytest.mark.timeout(400)
def test_after_a_power_cut_dead_runs_are_told_and_the_queue_goes_on(
    settings, database, add_reports, tmp_path, finrag
):
    day = today().isoformat()
    add_reports(8)
    with running(environment(settings), tmp_path) as service:
        killed = [service.launch(JOB, day) for _ in range(2)]
        waiting = service.launch(JOB, day)  # two run at a time
        for run_id in killed:
            service.wait_for(run_id, "STARTED")
        wait_for_beats(database, killed)
        service.kill()
    with database.transaction() as connection:  # the time that the cut lasted
        connection.execute("update run_heartbeats set seen_at = seen_at - interval '30 s'")
    with running(environment(settings), tmp_path) as service:
        for run_id in killed:
            assert service.wait_for(run_id, "FAILURE", timeout_s=60) == "FAILURE"
            (told,) = [line for line in service.messages(run_id) if "was seen last at" in line]
            assert "launch it again, it goes on where it stopped" in told
        assert service.wait_for(waiting, "SUCCESS", "FAILURE") == "SUCCESS"


def wait_for_beats(database, run_ids) -> None:
    for _ in range(200):
        with database.connection() as connection:
            rows = connection.execute(
                "select from run_heartbeats where run_id = any(%s)", (list(run_ids),)
            )
            if rows.rowcount == len(run_ids):
                return
        time.sleep(0.1)
    raise AssertionError("the runs do not beat")


@pytest.mark.timeout(400)
def test_a_run_of_the_command_line_is_seen_and_ended_from_the_ui(
    settings, database, add_reports, tmp_path
):
    add_reports(8)
    with running(environment(settings), tmp_path) as service:
        ingestion = subprocess.Popen(
            command("ingest", settings.inbox),
            env=environment(settings),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        query = """{ runsOrError(filter: {pipelineName: "nightly_ingestion", tags: [
            {key: ".dagster/repository", value: "__repository__@finrag_pipeline"},
            {key: "cli", value: "finrag"}]}) {
            ... on Runs { results { id repositoryOrigin { repositoryLocationName } } } } }"""
        runs: list = []
        while not runs and ingestion.poll() is None:
            runs = service.ask(query)["runsOrError"]["results"]
        # what the timeline goes by
        assert runs[0]["repositoryOrigin"] == {"repositoryLocationName": "finrag_pipeline"}
        run_id = runs[0]["id"]
        wait_for_beats(database, [run_id])
        assert service.terminate(run_id) == "TerminateRunSuccess"
        _, told = ingestion.communicate(timeout=60)
        assert ingestion.returncode == 1
        assert "interrupted: run the same command again" in told
        assert service.wait_for(run_id, "CANCELED", "FAILURE", "SUCCESS") == "CANCELED"


def test_a_busy_port_is_one_line_at_once(settings, finrag):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        told = finrag("dev", "--port", port)
    assert told.returncode == 1
    assert told.stdout == ""
    (line,) = told.stderr.splitlines()
    assert line.startswith(f"finrag: the UI cannot listen on 127.0.0.1:{port}")
