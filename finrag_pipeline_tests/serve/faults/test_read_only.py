"""A database that takes no writes: questions are answered, whoever writes gets one clear line."""

from __future__ import annotations

import json

import pytest

from finrag_pipeline_tests.serve.faults.conftest import OwnPostgres, Start, one_line

pytestmark = pytest.mark.faults

QUESTION = "奥尔德宠物食品的收入是多少？"


@pytest.mark.timeout(400)
def test_questions_are_answered_and_writers_are_told(
    postgres: OwnPostgres, reports, start: Start
) -> None:
    settings = postgres.settings
    code, _, err = start(settings, "ingest", str(reports)).ended()
    assert code == 0, err
    _, before, _ = start(settings, "ask", QUESTION, "--json").ended()
    with postgres.connect() as connection:
        # as a standby after a switch-over; sessions begin anew
        connection.execute("alter system set default_transaction_read_only = on")
        connection.execute("select pg_reload_conf()")
    for arguments in (["ingest", str(reports)], ["rebuild"], ["delete", "--app", "default"]):
        if arguments[0] == "delete":
            arguments.append("--yes")
        code, told, err = start(settings, *arguments).ended()
        assert (code, told) == (1, ""), arguments
        assert "takes no writes" in one_line(err), arguments
    code, after, err = start(settings, "ask", QUESTION, "--json").ended()
    assert code == 0, err
    assert json.loads(after)["answer"] == json.loads(before)["answer"]
    code, _, err = start(settings, "search", QUESTION, "--json").ended()
    assert code == 0, err
    with postgres.connect() as connection:
        connection.execute("set default_transaction_read_only = off")
        connection.execute("alter system reset default_transaction_read_only")
        connection.execute("select pg_reload_conf()")
    code, told, err = start(settings, "ingest", str(reports)).ended()
    assert code == 0 and "2 unchanged" in told, err
