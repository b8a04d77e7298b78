"""Runs that meet: two nights at once, and a week's build while documents come in."""

from __future__ import annotations

import json
import shutil

import pytest

from finrag_pipeline.store.database.connections import Database
from finrag_pipeline_tests.paths import SAMPLE_PDFS, SAMPLES
from finrag_pipeline_tests.pipelines.rows import rows_of
from finrag_pipeline_tests.pipelines.weekly_rows import weekly_rows
from finrag_pipeline_tests.serve.faults.conftest import Start

pytestmark = pytest.mark.faults

FIRST = "yunlu_xinghe_initiation_20250418.pdf"
LATER = ("canglan_xinghe_q3_20251030.pdf", "hengyu_chengguang_update_20260115.pdf")
WEEK = "2025-11-30"
REGISTRY = {"FINRAG_REGISTRY": str(SAMPLES / "registry.csv")}


@pytest.mark.timeout(600)
def test_two_nights_at_once_leave_the_rows_of_one(
    settings, database: Database, reports, start: Start
) -> None:
    code, _, err = start(settings, "ingest", str(reports), "--app", "one").ended()
    assert code == 0, err
    both = [start(settings, "ingest", str(reports), "--app", "two", "--json") for _ in range(2)]
    for each in both:
        code, told, err = each.ended()
        assert code == 0, err
        assert json.loads(told)["counts"]["quarantined"] == 0
    assert rows_of(database, "two") == rows_of(database, "one")


# two ingestions and three builds of a week
@pytest.mark.timeout(900)
def test_a_week_is_built_while_documents_come_in(
    settings, database: Database, tmp_path, start: Start
) -> None:
    folder = tmp_path / "reports"
    folder.mkdir()
    shutil.copy(SAMPLE_PDFS / FIRST, folder)
    code, _, err = start(settings, "ingest", str(folder), **REGISTRY).ended()
    assert code == 0, err
    for name in LATER:
        shutil.copy(SAMPLE_PDFS / name, folder)
    night = start(settings, "ingest", str(folder), **REGISTRY)
    code, told, err = start(settings, "rebuild", "--week", WEEK, "--json", **REGISTRY).ended()
    assert code == 0, err
    assert json.loads(told)["week"] == WEEK
    code, told, err = night.ended()
    assert code == 0 and "2 indexed" in told, err
    # built once more, the week is what it is without anybody beside it
    assert start(settings, "rebuild", "--week", WEEK, **REGISTRY).ended()[0] == 0
    beside = weekly_rows(settings.database_url or "")
    with database.transaction() as connection:
        connection.execute("delete from community_builds")
    assert start(settings, "rebuild", "--week", WEEK, **REGISTRY).ended()[0] == 0
    alone = weekly_rows(settings.database_url or "")
    for table in ("leiden_communities", "community_members", "chain_reports"):
        assert beside[table] == alone[table], table
