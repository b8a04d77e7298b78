"""`finrag reports`: what it lists, shows and writes into a folder."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from finrag_pipeline.errors import ConfigurationError, NotFound
from finrag_pipeline.pipelines.documents.indexed_documents import withdraw_document
from finrag_pipeline.pipelines.run.run import Run
from finrag_pipeline.serve.cli.reports import commands
from finrag_pipeline.settings import Settings
from finrag_pipeline.stages.chains.markdown import unescaped
from finrag_pipeline.store.database.connections import Database
from finrag_pipeline.store.documents.documents import Scope
from finrag_pipeline_tests.pipelines.graph_documents import APP, publish
from finrag_pipeline_tests.pipelines.weeks.test_chain_reports import (
    FIRST,
    LATER,
    NEXT,
    WEEK,
    weekly,
)

Reports = Callable[..., Any]


@pytest.fixture
def reports(
    database: Database, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Reports:
    """Run `finrag reports …` over a store with two weekly builds; parsed with ``--json``."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("FINRAG_HOME", str(settings.home))
    monkeypatch.setenv("FINRAG_DATABASE_URL", settings.database_url or "")
    run = Run(database, settings, Scope(APP))
    publish(database, FIRST)
    weekly(run, WEEK)
    publish(database, LATER)
    weekly(run, NEXT)

    def run_command(*arguments: str) -> Any:
        outcome = CliRunner().invoke(commands, list(arguments))
        if outcome.exception and not isinstance(outcome.exception, SystemExit):
            raise outcome.exception
        assert outcome.exit_code == 0, outcome.output
        return json.loads(outcome.stdout) if "--json" in arguments else outcome.stdout

    return run_command


def test_reports_are_listed_and_shown(reports: Reports) -> None:
    listed = reports("list", "--json")
    assert listed["build"]["week"] == NEXT.isoformat()
    chain = listed["chains"][0]
    assert (chain["kind"], chain["entities"], chain["changed"]) == ("industry_chain", 5, True)
    assert chain["title"] in reports("list")
    shown = reports("show", chain["id"])
    assert "汐原电力股份公司" in shown
    assert unescaped(reports("show", chain["id"], "--json")["markdown"]) == shown
    assert "\\" not in shown and "&" not in shown
    # any day of a week names it
    older = reports("show", chain["id"], "--week", (WEEK + timedelta(days=5)).isoformat())
    assert WEEK.isoformat() in older and "汐原电力股份公司" not in older
    community = listed["communities"][0]
    told = reports("show", community["id"], "--json")
    assert (told["kind"], told["rating"]) == ("community", community["rating"])
    quote = told["findings"][0]["evidence"][0]["quote"].splitlines()[0]
    assert quote in told["markdown"].replace("\\", "")


def test_what_is_not_there_is_named(reports: Reports) -> None:
    with pytest.raises(NotFound, match="finrag reports list"):
        reports("show", "c-unknown")
    with pytest.raises(NotFound, match="finrag rebuild --week 2020-01-01"):
        reports("list", "--week", "2020-01-01")


def test_what_was_withdrawn_is_told_nowhere(
    reports: Reports, database: Database, tmp_path: Path
) -> None:
    before = reports("list", "--json")
    chain = before["chains"][0]
    with database.connection() as connection:
        rows = connection.execute("select document_id from documents").fetchall()
    for row in rows:
        withdraw_document(database, APP, row["document_id"])
    assert reports("list", "--json")["chains"] == []
    with pytest.raises(NotFound, match="withdrawn: run `finrag rebuild`"):
        reports("show", chain["id"])
    community = reports("show", before["communities"][0]["id"], "--json")
    assert community["findings"] == [] and "withdrawn" in community["summary"]
    assert reports("export", str(tmp_path / "out"), "--json")["files"] == ["index.html", "index.md"]


def test_reports_are_written_into_a_folder(reports: Reports, tmp_path: Path) -> None:
    folder = tmp_path / "out" / "reports"
    written = reports("export", str(folder), "--json")["files"]
    assert sorted(path.name for path in folder.iterdir()) == written
    assert {"index.html", "index.md"} < set(written)
    listed = reports("list", "--json")
    assert len(written) == 2 + 2 * len(listed["chains"])
    index = (folder / "index.md").read_text(encoding="utf-8")
    for each in (*listed["chains"], *listed["communities"]):
        assert each["title"] in index.replace("\\", "")
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    reports("export", str(folder))
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
    # a chain that goes on keeps its file
    older = reports("export", str(tmp_path / "older"), "--week", WEEK.isoformat(), "--json")
    assert len(set(older["files"]) & set(written)) >= 4


def test_nothing_else_is_overwritten(reports: Reports, tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    notes = folder / "index.md"
    notes.write_text("notes of my own\n", encoding="utf-8")
    with pytest.raises(ConfigurationError, match="move it away"):
        reports("export", str(folder))
    assert [path.name for path in folder.iterdir()] == ["index.md"]
    assert notes.read_text(encoding="utf-8") == "notes of my own\n"
    with pytest.raises(ConfigurationError, match="cannot be written to"):
        reports("export", str(notes))
