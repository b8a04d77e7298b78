"""`finrag enterprise`: what is taken and refused of records, and that they can be asked about."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from finrag_pipeline.errors import ConfigurationError
from finrag_pipeline.serve.cli.main import app
from finrag_pipeline.settings import Settings

COMPANIES = [
    {"id": "c1", "name": "星枢制造有限公司", "industry": "智能制造", "investors": ["远川资本"]},
    {"id": "c2", "name": "月桥物流有限公司", "employees": "几百", "备注": "x"},
]


def finrag(*arguments: str) -> str:
    outcome = CliRunner().invoke(app, list(arguments))
    if outcome.exception:
        raise outcome.exception
    return outcome.stdout


def test_check_tells_and_load_indexes(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FINRAG_DATABASE_URL", str(settings.database_url))
    monkeypatch.setenv("FINRAG_HOME", str(settings.home))
    with pytest.raises(ConfigurationError, match="FINRAG_ENTERPRISE is not set"):
        finrag("enterprise", "load")
    file = tmp_path / "companies.json"
    with pytest.raises(ConfigurationError, match="does not exist"):
        finrag("enterprise", "check", str(file))
    file.write_text(json.dumps(COMPANIES, ensure_ascii=False), "utf-8")
    monkeypatch.setenv("FINRAG_ENTERPRISE", str(file))
    checked = finrag("enterprise", "check")
    assert "1 companies with 2 relations (1 company_profile, 1 company_relations)" in checked
    assert "companies.json, companies[1]: employees is '几百'" in checked
    loaded = json.loads(finrag("enterprise", "load", "--json"))
    assert (loaded["changed"], loaded["indexed"], loaded["kept_back"]) == (2, 2, True)
    found = json.loads(finrag("search", "星枢制造", "--source-type", "edge", "--json"))
    assert [each["source"] for each in found["results"]] == ["companies.json#c1/relations"]
    assert (
        json.loads(finrag("search", "星枢制造", "--source-type", "doc", "--json"))["results"] == []
    )
