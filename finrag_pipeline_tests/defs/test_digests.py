"""The daily note as an asset: it stands with its day's materialisation."""

from __future__ import annotations

from datetime import date

import dagster as dg
import pytest

from finrag_pipeline.defs.assembly import build_definitions
from finrag_pipeline.settings import Settings
from finrag_pipeline.store.database.connections import Database
from finrag_pipeline_tests.query.covers import add_report


def test_a_day_keeps_its_note(
    settings: Settings, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FINRAG_HOME", str(settings.home))
    monkeypatch.setenv("FINRAG_DATABASE_URL", str(settings.database_url))
    with database.transaction() as connection:
        add_report(connection, "a1", published_on=date(2026, 3, 20), price="44")
    definitions = build_definitions(first_day=date(2026, 3, 20))
    job = definitions.resolve_implicit_global_asset_job_def()
    with dg.DagsterInstance.ephemeral() as instance:
        run = job.execute_in_process(
            instance=instance,
            partition_key="2026-03-20",
            asset_selection=[dg.AssetKey("daily_digest")],
        )
        assert run.success
        (event,) = run.asset_materializations_for_node("daily_digest")
    note = event.metadata["note"].value
    assert "目标价44元/股" in str(note) and "第1页" in str(note)
    assert event.metadata["dagster/partition_row_count"].value == 1
