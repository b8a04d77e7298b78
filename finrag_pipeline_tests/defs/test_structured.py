"""The asset of a vendor's figures: what it loads and tells, and when nothing is there to load."""

from __future__ import annotations

from pathlib import Path

import dagster as dg
import pytest

from finrag_pipeline.defs.assembly import build_definitions
from finrag_pipeline.defs.structured import structured_load_schedule
from finrag_pipeline_tests.vendor import write_csv, write_vendor


def test_the_asset_loads_and_tells(
    environment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert isinstance(structured_load_schedule(), dg.SkipReason)
    mapping = write_vendor(tmp_path / "vendor")
    write_csv(mapping.parent, "600519,星河新材,2024,FY,x,1,\n")
    monkeypatch.setenv("FINRAG_STRUCTURED", str(mapping))
    assert isinstance(structured_load_schedule(), dg.RunRequest)
    result = build_definitions().resolve_job_def("structured_load").execute_in_process()
    (told,) = result.asset_materializations_for_node("structured_financials")
    assert (told.metadata["figures"].value, told.metadata["refused"].value) == (4, 1)
    assert told.metadata["dagster/row_count"].value == 4
    assert "'x' is no number" in str(told.metadata["refused_rows"].value)
