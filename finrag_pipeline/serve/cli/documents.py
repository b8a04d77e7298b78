"""`finrag documents`: what the store holds, what was kept and dropped, and taking it back."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from finrag_pipeline.records import Cell
from finrag_pipeline.records.facts import FinancialFact
from finrag_pipeline.serve.cli.options import (
    App,
    Json,
    Yes,
    open_store,
    print_degraded,
    print_json,
    print_table,
    require_agreement,
    settings_for,
)

if TYPE_CHECKING:
    from finrag_pipeline.store.documents.purging import Purged

commands = typer.Typer(no_args_is_help=True, help="List, show and withdraw documents.")

Name = Annotated[
    str,
    typer.Argument(help="File name, its stem, or a document id; to show one, a part of its name."),
]


class Status(StrEnum):
    """What readers get of a document."""

    REGISTERED = "registered"
    INDEXED = "indexed"
    QUARANTINED = "quarantined"
    WITHDRAWN = "withdrawn"


def _day(row: dict[str, Any]) -> str:
    """The day of publication, with what it rests on where that is no printed day."""
    day = row["published_on"] or row["arrival_on"]
    basis = row["published_basis"] or "arrival"
    return f"{day}" if basis == "day" else f"{day} ({basis})"


@commands.command("list")
def list_documents(
    status: Annotated[
        Status | None, typer.Option("--status", help="Only these; of quarantined ones, why.")
    ] = None,
    app: App = "",
    as_json: Json = False,
) -> None:
    """Every document of an app with its status."""
    from finrag_pipeline.store.documents import documents

    with open_store(app) as (connection, app_id):
        rows = documents.list_documents(connection, documents.Scope(app_id), status=status)
        rows = documents.with_seconds(connection, rows)
    if as_json:
        print_json({"documents": rows})
        return
    if status is Status.QUARANTINED:
        print_table(
            ("document", "day", "source", "reason"),
            (
                (row["document_id"], row["arrival_on"], row["source"], documents.why(row))
                for row in rows
            ),
        )
        return
    print_table(
        ("document", "status", "day", "pages", "chunks", "tables", "facts", "code", "source"),
        (
            (
                row["document_id"],
                row["status"],
                _day(row),
                row["pages"],
                row["chunks"],
                row["tables"],
                row["facts"],
                row["company_code"],
                row["source"],
            )
            for row in rows
        ),
    )


@commands.command()
def show(
    name: Name,
    tables: Annotated[bool, typer.Option("--tables", help="Its tables.")] = False,
    text: Annotated[bool, typer.Option("--text", help="Its regions, kept and dropped.")] = False,
    facts: Annotated[bool, typer.Option("--facts", help="Its figures, in base units.")] = False,
    app: App = "",
    as_json: Json = False,
) -> None:
    """What a document says of itself, its tables, its text, or its figures."""
    from finrag_pipeline.store.documents import cleaned_text, documents, html_tables
    from finrag_pipeline.store.facts import financial_facts

    with open_store(app) as (connection, app_id):
        document_id = documents.find(connection, app_id, name, partly=True)
        rows = documents.list_documents(connection, documents.Scope(app_id), [document_id])
        row = documents.with_seconds(connection, rows)[0]
        revision = row["revision"]
        result: dict[str, Any] = {}
        cells: dict[int, tuple[Cell, ...]] = {}
        if tables:
            result["tables"] = html_tables.tables_of(connection, document_id, revision)
            if not as_json:
                read = html_tables.read(connection, document_id, revision)
                cells = {table.ordinal: table.cells for table in read}
        if text:
            result["regions"] = [
                {
                    "page": region.page,
                    "bbox": region.bbox,
                    "kind": region.kind,
                    "kept": region.kept,
                    "rule": region.rule,
                    "text": region.text,
                }
                for region in cleaned_text.regions(connection, document_id, revision)
            ]
        if facts:
            read = financial_facts.read(connection, document_id, revision)
            result["facts"] = [_fact(n, document_id, fact) for n, fact in enumerate(read)]
    if as_json:
        print_json(result or row | {"reason": documents.why(row)})
        return
    if facts:
        _print_facts(result["facts"])
    for table in result.get("tables", ()):
        _print_figures(table, cells[table["ordinal"]])
    for region in result.get("regions", ()):
        mark = " " if region["kept"] else f"- [{region['rule']}]"
        typer.echo(f"{region['page']:>4} {mark} {region['text']}")
    if not result:
        for field, value in (row | {"reason": documents.why(row)}).items():
            for told in _told(field, value):
                typer.echo(f"{field:<22}{told}")


def _print_figures(table: dict[str, Any], cells: Sequence[Cell]) -> None:
    """A table as it is read: title and unit, headings, rows with their figures, the note below."""
    from finrag_pipeline.stages.tables.phrases import is_value
    from finrag_pipeline.stages.tables.rendering import to_grid

    unit = f" ({table['unit']})" if table["unit"] else ""
    typer.echo(f"page {table['page']}: {table['title'] or 'table'}{unit}\n")
    header, rows = to_grid(cells)
    figures = {
        n
        for n, column in enumerate(zip(*rows, strict=True))
        if 2 * sum(map(is_value, column)) > sum(map(bool, column))
    }
    print_table(header, rows, right=figures)
    typer.echo(f"\n{table['footnote']}\n" if table["footnote"] else "")


def _fact(ordinal: int, document_id: str, fact: FinancialFact) -> dict[str, Any]:
    """A figure as `--facts` tells it: its value a JSON number, its cell by its table's grid."""
    said = asdict(fact)
    period, place = said.pop("period"), said.pop("place")
    whole = fact.value == fact.value.to_integral_value()
    return {
        "fact_id": f"{document_id}/{ordinal}",
        **said,
        "value": int(fact.value) if whole else float(fact.value),
        "currency": fact.currency,
        "fiscal_year": period["fiscal_year"],
        "period": period["kind"],
        "first_on": period["first_on"],
        "last_on": period["last_on"],
        "page": place["page"],
        "bbox": place["bbox"],
    }


def _print_facts(facts: Sequence[dict[str, Any]]) -> None:
    """Figures in order of print, one a line."""
    print_table(
        ("page", "metric", "label", "period", "value", "unit", "scope", "kind", "of"),
        (
            (
                fact["page"],
                fact["metric"],
                fact["label"],
                f"{fact['fiscal_year']} {fact['period']}",
                fact["value"],
                fact["unit"],
                fact["scope"],
                fact["source"] + ("" if fact["checked"] is not False else ", sums fail"),
                fact["segment"] or fact["broker"] or "",
            )
            for fact in facts
        ),
        right={0, 4},
    )


def _told(field: str, value: Any) -> Iterator[str]:
    """What people read of a field, line by line; boxes are for `--json`."""
    if value in (None, [], {}) or field == "metadata_places":
        return
    if field == "flagged_pages":
        for page in value:
            for flag in page["flags"]:
                detail = f" ({flag['detail']})" if flag["detail"] else ""
                yield f"page {page['page']}: {flag['reason']}{detail}"
    elif field == "eps_forecasts":
        yield ", ".join(f"{each['year']}E {each['value']:g}" for each in value)
    else:
        yield ", ".join(map(str, value)) if isinstance(value, list) else str(value)


@commands.command()
def withdraw(
    name: Name,
    purge: Annotated[
        bool,
        typer.Option(
            "--purge", help="Also from weekly builds of any age, cached replies and keyword copies."
        ),
    ] = False,
    yes: Yes = False,
    app: App = "",
    as_json: Json = False,
) -> None:
    """Take a document from readers and remove all that was made of it.

    Where several files hold it, it goes from all of them: that is asked before.
    """
    from finrag_pipeline.pipelines.documents.indexed_documents import (
        purge_document,
        withdraw_document,
    )
    from finrag_pipeline.pipelines.graph.graph_rebuild import settle_graph
    from finrag_pipeline.pipelines.run.run import Run
    from finrag_pipeline.store.database.connections import Database
    from finrag_pipeline.store.documents import document_sources, documents

    settings = settings_for(app)
    with Database.open(settings) as database:
        with database.connection() as connection:
            document_id = documents.find(connection, settings.app, name)
            held = document_sources.sources_of(connection, document_id)
        files: list[str] = [source["uri"] for source in held]
        if len(files) > 1:
            loss = f"{document_id} is the content of {len(files)} files ({', '.join(files)})"
            require_agreement(f"{loss} and would be withdrawn from all of them", yes, as_json)
        purged = None
        if purge:
            purged = purge_document(database, settings.app, document_id)
        else:
            withdraw_document(database, settings.app, document_id)
        degraded = settle_graph(Run(database, settings, documents.Scope(settings.app)))
    undo = _undo(files, app)
    if as_json:
        told = {"document_id": document_id, "status": "withdrawn", "files": files, "undo": undo}
        print_json(told | {"purged": asdict(purged)} if purged else told)
    else:
        typer.echo(f"withdrew {document_id}")
        for uri in files:
            typer.echo(f"  {uri}")
        typer.echo(f"undo: {undo}" if undo else "no file holds it: ingest one that does to undo")
        if purged:
            typer.echo(_purging(purged))
    print_degraded(degraded)


def _purging(purged: Purged) -> str:
    """What went with a document, and what is not the store's to remove."""
    reports = f"{purged.communities} reports on communities and {purged.chains} on chains"
    rest = f"{purged.elements} summaries and {purged.replies} cached replies"
    mend = "; write them anew: finrag rebuild" if purged.builds else ""
    return (
        f"purged: {reports} of {purged.builds} weekly builds, {rest}{mend}\n"
        "what stays: its files, backups, records of runs, marks and decisions made by hand"
    )


def _undo(files: Sequence[str], app: str) -> str | None:
    """The command that brings a document back: it names one of its files itself."""
    if not files:
        return None
    there = [uri for uri in files if "://" in uri or Path(uri).exists()]
    options = ["--app", app] if app else []
    return shlex.join(["finrag", "ingest", *options, (there or files)[0]])
