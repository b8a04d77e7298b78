"""The asset of company records: what it loads and tells, and who indexes what it registered."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import dagster as dg
import pytest

from finrag_pipeline.defs.assembly import build_definitions
from finrag_pipeline.defs.enterprise import enterprise_load_schedule
from finrag_pipeline.defs.jobs import nightly_ingestion_schedule
from finrag_pipeline.settings import TIME_ZONE, today


def test_records_are_loaded_and_the_night_indexes_them(
    environment, database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("FINRAG_INBOX")
    assert isinstance(enterprise_load_schedule(), dg.SkipReason)
    file = tmp_path / "companies.json"
    companies = [{"id": "c1", "name": "星枢制造有限公司", "industry": "智能制造"}, {"id": "c2"}]
    file.write_text(json.dumps(companies, ensure_ascii=False), "utf-8")
    monkeypatch.setenv("FINRAG_ENTERPRISE", str(file))
    assert isinstance(enterprise_load_schedule(), dg.RunRequest)
    definitions = build_definitions()
    result = definitions.resolve_job_def("enterprise_load").execute_in_process()
    (told,) = result.asset_materializations_for_node("enterprise_graph")
    assert (told.metadata["companies"].value, told.metadata["refused"].value) == (1, 1)
    assert told.metadata["dagster/row_count"].value == 1
    assert "it has no name" in str(told.metadata["refused_records"].value)

    at = datetime.combine(today(), datetime.min.time(), ZoneInfo(TIME_ZONE)).replace(hour=2)
    (night,) = nightly_ingestion_schedule(dg.build_schedule_context(scheduled_execution_time=at))
    assert isinstance(night, dg.RunRequest)
    nightly = definitions.resolve_job_def("nightly_ingestion")
    assert nightly.execute_in_process(partition_key=night.partition_key).success
    with database.connection() as connection:
        rows = connection.execute("select source, kind from current_documents").fetchall()
    assert [tuple(row.values()) for row in rows] == [
        ("companies.json#c1/profile", "company_profile")
    ]
