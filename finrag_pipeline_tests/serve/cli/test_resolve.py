"""`finrag resolve`: its contract, and what it says without a registry."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from finrag_pipeline.errors import ConfigurationError
from finrag_pipeline.serve.cli.resolve import resolve
from finrag_pipeline_tests.paths import SAMPLES

REGISTRY = SAMPLES / "registry.csv"

cli = typer.Typer()
cli.command()(resolve)


@pytest.fixture(autouse=True)
def _alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("FINRAG_REGISTRY", str(REGISTRY))


def test_the_json_contract():
    outcome = CliRunner().invoke(cli, ["蓝桥磷化", "储芯一哥", "澄光", "--app", "x", "--json"])
    assert outcome.exit_code == 0
    renamed, nickname, nobody = json.loads(outcome.stdout)["results"]
    assert renamed == {
        "name": "蓝桥磷化",
        "code": "688991.SH",
        "codes": ["688991.SH"],
        "canonical_name": "星河新材",
        "confidence": 1.0,
        "candidates": [{"code": "688991.SH", "canonical_name": "星河新材", "confidence": 1.0}],
    }
    assert nickname["codes"] == ["688992.SH", "04917.HK"]
    assert len(nickname["candidates"]) == 2
    assert nobody == {
        "name": "澄光",
        "code": None,
        "codes": [],
        "canonical_name": None,
        "confidence": 0.0,
        "candidates": [],
    }


def test_for_people():
    outcome = CliRunner().invoke(cli, ["蓝桥磷化", "澄光"])
    assert outcome.exit_code == 0
    assert "688991.SH" in outcome.stdout
    assert "澄光" in outcome.stdout


@pytest.mark.parametrize("path", ["", "none.csv"])
def test_without_a_registry_the_mend_is_told(path: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("FINRAG_REGISTRY", path)
    outcome = CliRunner().invoke(cli, ["星河新材"])
    assert isinstance(outcome.exception, ConfigurationError)
    assert "FINRAG_REGISTRY" in str(outcome.exception)


def test_skipped_rows_are_told_apart_from_results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path = tmp_path / "registry.csv"
    bad = "\n".join(f"x{at}y,坏行" for at in range(9))
    path.write_text(f"code,full_names\n688991,星河新材料股份有限公司\n{bad}\n")
    monkeypatch.setenv("FINRAG_REGISTRY", str(path))
    outcome = CliRunner().invoke(cli, ["星河新材料", "--json"])
    assert json.loads(outcome.stdout)["results"][0]["code"] == "688991.SH"
    assert outcome.stderr.count("skipped") == 5
    assert "4 more lines" in outcome.stderr
