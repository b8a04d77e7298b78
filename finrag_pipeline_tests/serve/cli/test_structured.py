"""`finrag structured`: what is taken and refused of a vendor's files, told before and after."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from finrag_pipeline.errors import ConfigurationError
from finrag_pipeline.serve.cli.main import app
from finrag_pipeline.settings import Settings
from finrag_pipeline_tests.vendor import write_csv, write_vendor


def finrag(*arguments: str) -> str:
    outcome = CliRunner().invoke(app, list(arguments))
    if outcome.exception:
        raise outcome.exception
    return outcome.stdout


def test_check_tells_and_load_stores(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FINRAG_DATABASE_URL", str(settings.database_url))
    monkeypatch.setenv("FINRAG_HOME", str(settings.home))
    with pytest.raises(ConfigurationError, match="FINRAG_STRUCTURED is not set"):
        finrag("structured", "load")
    mapping = write_vendor(tmp_path / "vendor")
    monkeypatch.setenv("FINRAG_STRUCTURED", str(mapping))
    write_csv(mapping.parent, "600519,星河新材,2024,FY,x,1,\n")
    told = json.loads(finrag("structured", "check", "--json"))
    assert (told["figures"], told["refused"], told["removed"]) == (4, 1, [])
    assert told["files"][0]["refused"] == [
        {"line": 2, "column": "营业收入", "reason": "'x' is no number"}
    ]
    assert json.loads(finrag("status", "--json"))["structured_financials"] == 0
    shown = finrag("structured", "load", str(mapping))
    assert "利润表.csv: 1 figures of 1 companies taken, 1 refused" in shown
    assert "  line 2, 营业收入: 'x' is no number" in shown
    assert json.loads(finrag("status", "--json"))["structured_financials"] == 4
    mapping.write_text("files: []", "utf-8")
    assert "book.xlsx, sheet 资产负债表: 1 figures removed" in finrag("structured", "load")
