"""`finrag entities`: what it prints, and that decisions reach the graph."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from finrag_pipeline.errors import NotFound
from finrag_pipeline.serve.cli.entities import commands
from finrag_pipeline.settings import Settings
from finrag_pipeline.store.database.connections import Database
from finrag_pipeline_tests.pipelines.graph_documents import Report, Said, publish

DAY = date(2026, 3, 2)
SUPPLY = (("星河新材", None), ("澄光储能", None))


@pytest.fixture
def entities(
    database: Database, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Any]:
    """Run `finrag entities …` over a store with three reports; parsed with ``--json``."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("FINRAG_HOME", str(settings.home))
    monkeypatch.setenv("FINRAG_DATABASE_URL", settings.database_url or "")
    publish(database, Report("a.pdf", DAY, (Said(SUPPLY, ((0, "supplies", 1),)),)))
    publish(database, Report("b.pdf", DAY, (Said((("远岫能源公司", "远岫"),)),)))
    publish(database, Report("c.pdf", DAY, (Said((("汐原电力公司", None),)),)))

    def run(*arguments: str) -> Any:
        outcome = CliRunner().invoke(commands, list(arguments))
        if outcome.exception and not isinstance(outcome.exception, SystemExit):
            raise outcome.exception
        assert outcome.exit_code == 0, outcome.output
        return json.loads(outcome.stdout) if "--json" in arguments else outcome.stdout

    return run


def test_what_the_graph_holds_of_an_entity(entities):
    shown = entities("show", "星河新材", "--json")
    assert shown["codes"] == ["688991.SH"]
    assert shown["aliases"] == [{"name": "星河新材", "since": "2026-03-02", "until": "2026-03-02"}]
    first = shown["edges"][0]
    assert (first["edge_type"], first["other"], first["outgoing"]) == ("supplies", "澄光储能", True)
    printed = entities("show", "688991.SH")
    assert "→ supplies 澄光储能 (1)" in printed
    listed = entities("list", "--json")
    assert listed["counts"]["entities"] == 4
    assert {row["name"] for row in listed["entities"]} >= {"星河新材", "澄光储能"}


def test_merges_and_splits_are_listed_and_undone(entities):
    merged = entities("merge", "远岫", "汐原电力公司", "--reason", "one firm", "--json")
    assert set(names(entities("show", "汐原电力公司", "--json"))) == {
        "汐原电力公司",
        "远岫能源公司",
        "远岫",
    }
    parted = entities("split", "星河新材", "688991.SH", "--json")
    assert entities("show", "星河新材", "--json")["codes"] == []
    decisions = entities("decisions", "--json")["decisions"]
    assert [row["decision_id"] for row in decisions] == [
        parted["decision_id"],
        merged["decision_id"],
    ]
    assert decisions[1]["reason"] == "one firm"
    for each in (merged, parted):
        entities("undo", str(each["decision_id"]))
    assert names(entities("show", "汐原电力公司", "--json")) == ["汐原电力公司"]
    assert entities("show", "星河新材", "--json")["codes"] == ["688991.SH"]


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (("show", "不存在"), "no entity is named '不存在'"),
        (("merge", "远岫", "远岫能源公司"), "are one entity already"),
        (("split", "远岫能源公司", "汐原电力公司"), "cannot be split"),
        (("undo", "99"), "no decision 99 stands"),
    ],
)
def test_what_cannot_be_done_is_one_clear_line(entities, arguments, line):
    with pytest.raises(NotFound, match=line) as failure:
        entities(*arguments)
    assert "\n" not in str(failure.value)


def names(entity: dict[str, Any]) -> list[str]:
    return [alias["name"] for alias in entity["aliases"]]
