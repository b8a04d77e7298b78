"""The clock goes back: what was written until then lies in the future, and everything goes on."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from psycopg import sql

from finrag_pipeline.settings import Settings
from finrag_pipeline.store.database.connections import Database
from finrag_pipeline.store.usage import model_replies
from finrag_pipeline_tests.paths import SAMPLE_PDFS, SAMPLES
from finrag_pipeline_tests.serve.faults.conftest import Start

pytestmark = pytest.mark.faults

FIRST = "yunlu_xinghe_initiation_20250418.pdf"
LATER = "canglan_xinghe_q3_20251030.pdf"
QUESTION = "星河新材的目标价下调到多少？"
WEEK = "2025-11-30"
REGISTRY = {"FINRAG_REGISTRY": str(SAMPLES / "registry.csv")}

#: Moments of the server, and the days on which documents arrived.
_CLOCKED = """
select c.table_name, c.column_name from information_schema.columns c
join information_schema.tables t using (table_schema, table_name)
where c.table_schema = 'public' and t.table_type = 'BASE TABLE'
  and (c.data_type = 'timestamp with time zone' or c.column_name = 'arrival_on')
"""


def set_clock_back(database: Database, days: int) -> int:
    """Move all that the store wrote until now so many days into the future."""
    with database.transaction() as connection:
        columns = connection.execute(_CLOCKED).fetchall()
        for row in columns:
            table, column = (sql.Identifier(name) for name in row.values())
            statement = sql.SQL("update {} set {} = {} + make_interval(days => {})")
            connection.execute(statement.format(table, column, column, sql.Literal(days)))
    return len(columns)


@pytest.mark.timeout(600)
def test_nights_weeks_and_questions_go_on(
    settings: Settings, database: Database, tmp_path: Path, start: Start
) -> None:
    folder = tmp_path / "reports"
    folder.mkdir()
    shutil.copy(SAMPLE_PDFS / FIRST, folder)
    for arguments in (["ingest", str(folder)], ["rebuild", "--week", WEEK], ["ask", QUESTION]):
        code, _, err = start(settings, *arguments, **REGISTRY).ended()
        assert code == 0, err
    with database.transaction() as connection:
        model_replies.keep(connection, "r", "s", "m", "reply")
    assert set_clock_back(database, 40) > 10

    shutil.copy(SAMPLE_PDFS / LATER, folder)
    code, told, err = start(settings, "ingest", str(folder), **REGISTRY).ended()
    # what was indexed at a moment to come counts as of this run, too
    assert code == 0 and "2 documents: 2 indexed, 0 unchanged, 0 quarantined" in told, err
    code, told, err = start(settings, "rebuild", "--week", WEEK, "--json", **REGISTRY).ended()
    assert code == 0, err
    code, told, err = start(settings, "ask", QUESTION, "--json", **REGISTRY).ended()
    assert code == 0, err
    reply = json.loads(told)
    assert reply["status"] == "answered"
    assert LATER in {each["source"] for each in reply["evidence"]}
    code, told, err = start(settings, "search", QUESTION, "--json", **REGISTRY).ended()
    assert code == 0 and json.loads(told)["degraded"] == [], err
    code, told, err = start(settings, "status", "--json", **REGISTRY).ended()
    assert code == 0, err
