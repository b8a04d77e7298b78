"""What the documents show runs: the notebook, Python in the README, and its commands."""

from __future__ import annotations

import json
import re
import shlex
from typing import Any

import click
import pytest
import typer.main

from finrag_pipeline.serve.cli.main import app
from finrag_pipeline.settings import Settings
from finrag_pipeline_tests.paths import PROJECT, SAMPLES

README = (PROJECT / "README.md").read_text("utf-8")


@pytest.fixture
def samples_set(sample_store: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """The environment as it is once the samples are ingested."""
    monkeypatch.setenv("FINRAG_HOME", str(sample_store.home))
    monkeypatch.setenv("FINRAG_DATABASE_URL", sample_store.database_url or "")
    monkeypatch.setenv("FINRAG_REGISTRY", str(SAMPLES / "registry.csv"))
    monkeypatch.setenv("MPLBACKEND", "agg")


def test_the_notebook_runs_on_the_samples(samples_set: None) -> None:
    notebook = json.loads((PROJECT / "docs" / "notebook.ipynb").read_text("utf-8"))
    told: dict[str, Any] = {}
    for cell in notebook["cells"]:
        assert not cell.get("outputs"), "outputs grow old: clear them"
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), cell["id"], "exec"), told)
    assert told["answer"].status == "answered"
    assert "31.00" in told["answer"].answer and "31.00" not in told["before"].answer
    assert told["margin"].points[0].workings and told["cell"].place is not None
    assert len(told["actual"]) == 2 and told["views"].total == 2
    assert told["changes"].edges and len(told["found"]) == 5


def test_python_of_the_readme_runs_on_the_samples(samples_set: None) -> None:
    blocks = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    assert blocks
    for block in blocks:
        told: dict[str, Any] = {}
        exec(compile(block, "README.md", "exec"), told)
        assert told["answer"].status == "answered"
        assert len(told["found"]) == 5 and len(told["revenue"]) > 2
        assert told["company"].name == "星河新材"


def lines() -> list[str]:
    """Every `finrag …` of the README's blocks, without what follows a `#`."""
    blocks = "\n".join(re.findall(r"```(?:sh)?\n(.*?)```", README, re.DOTALL))
    return re.findall(r"^(?:\.venv/bin/)?finrag (.+)$", blocks, re.MULTILINE)


@pytest.mark.parametrize("line", lines())
def test_commands_of_the_readme_are_understood(line: str) -> None:
    """They are read as the command line reads them, and not run."""
    command: Any = typer.main.get_command(app)
    arguments = shlex.split(line, comments=True)
    context = click.Context(command)
    while isinstance(command, click.Group) or hasattr(command, "commands"):
        name, command, arguments = command.resolve_command(context, arguments)
        context = click.Context(command, info_name=name, parent=context)
    command.make_context(context.info_name, arguments, parent=context.parent)
