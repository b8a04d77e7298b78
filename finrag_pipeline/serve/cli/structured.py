"""`finrag structured`: figures of a user's own data vendor, from files that a YAML file maps."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from finrag_pipeline.serve.cli.options import App, Json, print_json, settings_for

if TYPE_CHECKING:
    from finrag_pipeline.pipelines.structured_financials import Load

commands = typer.Typer(no_args_is_help=True, help="Load figures of your own data vendor.")

Mapping = Annotated[
    Path | None,
    typer.Argument(help="YAML file that maps the vendor's files; default: FINRAG_STRUCTURED."),
]
#: Refused rows of a table that people are shown; `--json` has all.
_SHOWN = 20


@commands.command()
def check(mapping: Mapping = None, app: App = "", as_json: Json = False) -> None:
    """Read all files of the mapping and say what would be taken and what refused; store nothing."""
    from finrag_pipeline.pipelines.structured_financials import check_structured

    _tell(check_structured(settings_for(app), mapping), as_json, "would be taken")


@commands.command()
def load(mapping: Mapping = None, app: App = "", as_json: Json = False) -> None:
    """Put the files' figures in the place of those loaded before; what is mapped no more goes."""
    from finrag_pipeline.pipelines.structured_financials import load_structured
    from finrag_pipeline.store.database.connections import Database

    settings = settings_for(app)
    with Database.open(settings) as database:
        loaded = load_structured(database, settings, mapping)
    _tell(loaded, as_json, "taken")


def _tell(loaded: Load, as_json: bool, taken: str) -> None:
    if as_json:
        removed = [
            {"file": file, "sheet": sheet, "figures": figures}
            for file, sheet, figures in loaded.removed
        ]
        tables = [asdict(table) for table in loaded.tables]
        totals = {"figures": loaded.figures, "refused": loaded.refused}
        print_json({**totals, "files": tables, "removed": removed})
        return
    for table in loaded.tables:
        sheet = f", sheet {table.sheet}" if table.sheet else ""
        typer.echo(
            f"{table.file}{sheet}: {table.figures} figures of {table.companies} companies {taken}, "
            f"{len(table.refused)} refused"
        )
        for each in table.refused[:_SHOWN]:
            column = f", {each.column}" if each.column else ""
            typer.echo(f"  line {each.line}{column}: {each.reason}")
        if len(table.refused) > _SHOWN:
            typer.echo(f"  … and {len(table.refused) - _SHOWN} more: `--json` lists all")
    for file, sheet, figures in loaded.removed:
        typer.echo(f"{file}{f', sheet {sheet}' if sheet else ''}: {figures} figures removed")
