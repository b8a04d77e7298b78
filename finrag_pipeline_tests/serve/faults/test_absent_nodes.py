"""A query node that was off for longer than the log of changes reaches back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from finrag_pipeline_tests.serve.faults.conftest import REPORTS, OwnPostgres, Start

pytestmark = pytest.mark.faults

QUESTION = "Alder pet food revenue"


def copies(home: Path) -> set[str]:
    """The keyword copies of a node, by what their folders are called."""
    return {each.name for each in (home / "keyword").rglob("*") if each.is_dir()}


@pytest.mark.timeout(400)
def test_a_node_that_was_off_for_a_month_has_what_came_meanwhile(
    postgres: OwnPostgres, reports: Path, start: Start, tmp_path: Path
) -> None:
    writer = postgres.settings
    node = writer.model_copy(update={"home": tmp_path / "node"})
    later = reports / REPORTS[0]
    kept = tmp_path / later.name
    later.rename(kept)
    code, _, err = start(writer, "ingest", str(reports)).ended()
    assert code == 0, err
    code, told, err = start(node, "search", QUESTION, "--lane", "keyword", "--json").ended()
    assert code == 0 and later.name not in told, err
    before = copies(node.home)

    kept.rename(later)
    code, _, err = start(writer, "ingest", str(reports)).ended()
    assert code == 0, err
    with postgres.connect() as connection:
        # a month goes by
        connection.execute("update index_changes set changed_at = changed_at - interval '31 days'")
    # each run removes what is older than every copy may be that follows the log
    code, _, err = start(writer, "ingest", str(reports)).ended()
    assert code == 0, err
    with postgres.connect() as connection:
        row = connection.execute("select count(*) from index_changes").fetchone()
    assert row == (0,)

    code, told, err = start(node, "search", QUESTION, "--lane", "keyword", "--json").ended()
    assert code == 0, err
    found = json.loads(told)
    assert found["results"][0]["source"] == later.name and not found["degraded"]
    assert copies(node.home) != before
    # and follows the log again
    anew = copies(node.home)
    code, told, err = start(node, "search", QUESTION, "--lane", "keyword", "--json").ended()
    assert code == 0 and copies(node.home) == anew, err
