"""Which runs count as alive; `serve/test_dev.py` has it with real processes."""

from __future__ import annotations

import signal
import threading

import dagster as dg
import pytest
from dagster._core.launcher import WorkerStatus
from dagster._core.storage.tags import GRPC_INFO_TAG

from finrag_pipeline.defs.launcher import HeartbeatRunLauncher
from finrag_pipeline.pipelines.run.heartbeat import heartbeat
from finrag_pipeline.settings import Settings
from finrag_pipeline.store.usage import run_heartbeats


@pytest.fixture
def launcher(environment):
    with dg.DagsterInstance.ephemeral() as instance:
        launcher = HeartbeatRunLauncher()
        launcher.register_instance(instance)
        yield launcher


@pytest.fixture
def run(launcher):
    return launcher._instance.create_run_for_job(dg.GraphDefinition("empty").to_job())


def silence(database, seconds: int) -> None:
    with database.transaction() as connection:
        connection.execute(
            "update run_heartbeats set seen_at = seen_at - make_interval(secs => %s)", (seconds,)
        )


def test_a_run_lives_while_it_beats_and_shortly_after(launcher, run, settings, database):
    with heartbeat(settings, run.run_id):
        wait_for_beat(database, run.run_id)
        assert launcher.check_run_worker_health(run).status == WorkerStatus.RUNNING
    assert launcher.check_run_worker_health(run).status == WorkerStatus.RUNNING


def test_a_silent_run_is_dead_and_says_where_it_was(launcher, run, database, monkeypatch):
    # the test's server may be younger than a run's silence must be
    monkeypatch.setattr("finrag_pipeline.defs.launcher.SILENT_S", 0.0)
    with database.transaction() as connection:
        run_heartbeats.beat(connection, run.run_id, "night-1", 4711)
    health = launcher.check_run_worker_health(run)
    assert health.status == WorkerStatus.NOT_FOUND
    assert "its process 4711 on night-1 was seen last at" in health.msg


def test_silence_counts_from_the_start_of_a_server_that_was_down(database):
    with database.transaction() as connection:
        run_heartbeats.beat(connection, "r1", "night-1", 4711)
    silence(database, 24 * 3600)
    with database.connection() as connection:
        last = run_heartbeats.last_beat(connection, "r1")
        (up_s,) = (
            connection.execute(
                "select extract(epoch from now() - pg_postmaster_start_time())::float8 as up"
            )
            .fetchone()
            .values()
        )
    assert last.silent_s <= up_s < 24 * 3600


def test_after_the_clock_went_back_who_beats_lives_and_who_is_silent_is_dead(
    launcher, run, settings, database
):
    with heartbeat(settings, run.run_id):
        wait_for_beat(database, run.run_id)
        silence(database, -3600)
        assert launcher.check_run_worker_health(run).status == WorkerStatus.RUNNING
    silence(database, -3600)
    health = launcher.check_run_worker_health(run)
    assert health.status == WorkerStatus.NOT_FOUND
    assert "was seen last at" in health.msg


def test_a_run_that_never_beat_is_asked_for_at_its_code_server(launcher, run):
    assert launcher.check_run_worker_health(run).status == WorkerStatus.RUNNING
    # of a code server that is gone
    launcher._instance.add_run_tags(
        run.run_id, {GRPC_INFO_TAG: '{"host": "localhost", "socket": "/tmp/no-such-socket"}'}
    )
    launched = launcher._instance.get_run_by_id(run.run_id)
    assert launcher.check_run_worker_health(launched).status == WorkerStatus.NOT_FOUND


def test_who_is_asked_to_end_is_interrupted(database, settings):
    # a shell starts what goes to the background with it ignored
    signal.signal(signal.SIGINT, signal.default_int_handler)
    with pytest.raises(KeyboardInterrupt), heartbeat(settings, "r1"):
        wait_for_beat(database, "r1")
        with database.transaction() as connection:
            assert run_heartbeats.ask_to_end(connection, "r1")
        threading.Event().wait(60)


def test_a_run_that_nobody_knows_cannot_be_ended(launcher, run):
    assert launcher.terminate(run.run_id) is False
    assert launcher._instance.get_run_by_id(run.run_id).status == dg.DagsterRunStatus.NOT_STARTED


def test_a_store_that_is_gone_stops_no_run(settings, tmp_path):
    gone = Settings(_env_file=None, home=tmp_path, database_url="postgresql://127.0.0.1:1/gone")
    with heartbeat(gone, "r1"):
        pass


def test_runs_of_long_ago_are_forgotten(database, settings):
    with database.transaction() as connection:
        run_heartbeats.beat(connection, "old", "night-1", 1)
    silence(database, 8 * 24 * 3600)
    with heartbeat(settings, "r1"):
        wait_for_beat(database, "r1")
    with database.connection() as connection:
        assert run_heartbeats.last_beat(connection, "old") is None


def wait_for_beat(database, run_id: str) -> None:
    for _ in range(300):
        with database.connection() as connection:
            if run_heartbeats.last_beat(connection, run_id):
                return
        threading.Event().wait(0.05)
    raise AssertionError("no beat")
