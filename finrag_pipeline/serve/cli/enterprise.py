"""`finrag enterprise`: a user's own records of companies, as documents that can be asked about."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from finrag_pipeline.serve.cli.ingestion import progress_bar
from finrag_pipeline.serve.cli.options import (
    App,
    Json,
    print_degraded,
    print_json,
    settings_for,
)
from finrag_pipeline.settings import today

if TYPE_CHECKING:
    from finrag_pipeline.pipelines.enterprise_graph import EnterpriseLoad

commands = typer.Typer(no_args_is_help=True, help="Load your own records of companies.")

Records = Annotated[
    Path | None,
    typer.Argument(help="JSON, JSON lines or CSV file, or a folder; default: FINRAG_ENTERPRISE."),
]
#: Refused records that people are shown; `--json` has all.
_SHOWN = 20


@commands.command()
def check(records: Records = None, app: App = "", as_json: Json = False) -> None:
    """Read all records and say what would be taken and what refused; store nothing."""
    from finrag_pipeline.pipelines.enterprise_graph import check_enterprise

    _tell(check_enterprise(settings_for(app), records), as_json, {})


@commands.command()
def load(records: Records = None, app: App = "", as_json: Json = False) -> None:
    """Put the records in the place of those loaded before, and index what changed."""
    from finrag_pipeline.defs.runs import materialize_documents
    from finrag_pipeline.pipelines.enterprise_graph import load_enterprise
    from finrag_pipeline.store.database.connections import Database
    from finrag_pipeline.store.documents import documents
    from finrag_pipeline.store.documents.enterprise_graph import RECORDS

    settings = settings_for(app)
    with Database.open(settings) as database:
        loaded = load_enterprise(database, settings, today(), records)
    with progress_bar() as progress:
        told = materialize_documents(settings, settings.app, [RECORDS], today(), progress)
    scope = documents.Scope(settings.app, paths=(RECORDS,))
    with Database.open(settings) as database, database.connection() as connection:
        rows = documents.list_documents(connection, scope)
    indexed = sum(row["status"] == "indexed" for row in rows)
    _tell(loaded, as_json, {"changed": loaded.changed, "indexed": indexed})
    print_degraded(told.degraded)


def _tell(loaded: EnterpriseLoad, as_json: bool, stored: dict[str, Any]) -> None:
    if as_json:
        print_json(asdict(loaded) | stored)
        return
    kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(loaded.documents.items()))
    typer.echo(
        f"{loaded.companies} companies with {loaded.relations} relations "
        f"({kinds or 'no documents'}), {len(loaded.refused)} records refused"
    )
    if stored:
        typer.echo(
            f"{stored['changed']} documents changed, {len(loaded.removed)} removed, "
            f"{stored['indexed']} can be asked about"
        )
    for each in loaded.refused[:_SHOWN]:
        typer.echo(f"  {each.file}, {each.place}: {each.reason}")
    if len(loaded.refused) > _SHOWN:
        typer.echo(f"  … and {len(loaded.refused) - _SHOWN} more: `--json` lists all")
    if loaded.kept_back:
        typer.echo("  nothing was removed: mend what is refused, then load again")
    if loaded.ignored:
        typer.echo(f"  headings that mean nothing here: {', '.join(loaded.ignored)}")
