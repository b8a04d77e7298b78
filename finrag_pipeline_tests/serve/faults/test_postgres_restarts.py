"""Postgres is restarted under whoever works on it: a run goes on, a server answers the next
question, a question in flight gets one clear line."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest
import requests

from finrag_pipeline.store.database.connections import Database
from finrag_pipeline_tests.pipelines.rows import rows_of
from finrag_pipeline_tests.serve.faults.conftest import (
    REPORTS,
    OwnPostgres,
    Start,
    complaints,
    one_line,
    wait_until,
)
from finrag_pipeline_tests.serve.serving import served

pytestmark = pytest.mark.faults

QUESTION = "奥尔德宠物食品的收入是多少？"
#: A question waits for this lock at its first look at the store.
HOLD = "begin; lock table documents in access exclusive mode"
WAITING = "select from pg_locks where not granted"


# three ingestions; one of them waits twenty seconds before it tries again
@pytest.mark.timeout(600)
def test_a_run_goes_on_after_a_restart(postgres: OwnPostgres, reports, start: Start) -> None:
    settings = postgres.settings
    whole = start(settings, "ingest", str(reports), "--app", "whole")
    cut = start(settings, "ingest", str(reports), "--app", "cut")
    with postgres.connect() as connection:
        query = (
            "select from document_stages s join documents d using (document_id)"
            " where d.app_id = 'cut' and s.stage = 'cleaned_text'"
        )
        wait_until(lambda: connection.execute(query).rowcount > 0, 240)
    postgres.restart()
    for each in (whole, cut):
        code, told, err = each.ended()
        assert code == 0, err
        assert "2 documents: 2 indexed" in told and complaints(err) == []
    with Database.open(settings) as database:
        rows = rows_of(database, "cut")
        assert rows == rows_of(database, "whole")
        assert len(rows["documents"]) == len(REPORTS)


@pytest.mark.timeout(400)
def test_questions_go_on_after_a_restart(
    postgres: OwnPostgres, reports, start: Start, tmp_path
) -> None:
    settings = postgres.settings
    code, _, err = start(settings, "ingest", str(reports)).ended()
    assert code == 0, err
    with served(settings, tmp_path) as server, ThreadPoolExecutor(1) as threads:

        def ask() -> requests.Response:
            return requests.post(f"{server.url}v1/ask", json={"question": QUESTION}, timeout=120)

        before = ask()
        assert before.status_code == 200, before.text
        holder = postgres.connect()
        holder.execute(HOLD)
        flying = threads.submit(ask)
        asked = start(settings, "ask", QUESTION, "--json")
        with postgres.connect() as looking:
            wait_until(lambda: looking.execute(WAITING).rowcount >= 2)
        postgres.restart()
        with pytest.raises(psycopg.OperationalError):
            holder.execute("commit")

        reply = flying.result()
        assert reply.status_code == 503, reply.text
        assert reply.headers["Retry-After"]
        assert reply.json()["error"]["mend"] == "try again in a few seconds"
        code, told, err = asked.ended()
        assert (code, told) == (1, "")
        assert "run it again" in one_line(err) or "check that the server runs" in one_line(err)

        after = ask()
        assert after.status_code == 200, after.text
        assert after.json()["answer"] == before.json()["answer"]
        postgres.stop()
        assert ask().status_code == 503
        postgres.start()
        assert ask().json()["answer"] == before.json()["answer"]
    code, told, _ = start(settings, "ask", QUESTION, "--json").ended()
    assert json.loads(told)["answer"] == before.json()["answer"]
