"""`finrag entities`: what the graph holds of an entity, and merges and splits by hand."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

from finrag_pipeline.serve.cli.options import (
    App,
    Json,
    open_store,
    print_degraded,
    print_json,
    print_table,
    settings_for,
)

if TYPE_CHECKING:
    from finrag_pipeline.store.database.connections import Connection

commands = typer.Typer(no_args_is_help=True, help="List and show entities, merge and split them.")

Name = Annotated[str, typer.Argument(help="A name, or an entity's id.")]
Reason = Annotated[str, typer.Option("--reason", help="Why, for whoever asks later.")]
_EDGES = 20


@commands.command("list")
def list_entities(
    app: App = "",
    k: Annotated[int, typer.Option("--k", min=1, help="How many.")] = 20,
    as_json: Json = False,
) -> None:
    """The entities with the most neighbours, and how large the graph is."""
    from finrag_pipeline.store.graph import entity_graph

    with open_store(app) as (connection, app_id):
        counts = entity_graph.counts(connection, app_id)
        rows = entity_graph.largest(connection, app_id, k)
    if as_json:
        print_json({"counts": counts, "entities": rows})
        return
    print_table(
        ("entity", "type", "neighbours", "mentions", "name"),
        (
            (row["entity_id"], row["type"], row["degree"], row["mention_count"], row["name"])
            for row in rows
        ),
    )
    typer.echo("  ".join(f"{name} {value}" for name, value in counts.items()))


@commands.command()
def show(name: Name, app: App = "", as_json: Json = False) -> None:
    """Names, codes, description, summary and edges of an entity."""
    from finrag_pipeline.pipelines.graph.entity_decisions import find_entity
    from finrag_pipeline.stages.extraction.vocabulary import SYMMETRIC
    from finrag_pipeline.store.graph import entity_edges, entity_summaries

    with open_store(app) as (connection, app_id):
        entity = find_entity(connection, app_id, name)
        entity_id = entity["entity_id"]
        edges = entity_edges.edges_of(connection, app_id, entity_id, _EDGES)
        summary = entity_summaries.summaries(connection, app_id, [entity_id]).get(entity_id)
    if as_json:
        text = summary.summary_text if summary else None
        print_json(entity | {"summary": text, "edges": edges})
        return
    typer.echo(f"{entity['name']} ({entity['type']}, {entity_id})")
    if entity["codes"]:
        typer.echo(f"codes: {', '.join(entity['codes'])}")
    for alias in (each for each in entity["aliases"] if each["name"] not in entity["codes"]):
        typer.echo(f"called {alias['name']}: {alias['since']} to {alias['until']}")
    typer.echo(
        f"{entity['mention_count']} mentions in {entity['document_count']} documents, "
        f"{entity['degree']} neighbours"
    )
    if summary:
        typer.echo(f"\n{summary.summary_text}")
    elif entity["description"]:
        typer.echo(f"\n{entity['description']}")
    for edge in edges:
        arrow = "→" if edge["outgoing"] else "←"
        if edge["edge_type"] in SYMMETRIC:
            arrow = "—"
        typer.echo(f"  {arrow} {edge['edge_type']} {edge['other']} ({edge['weight']:g})")


@commands.command()
def merge(
    name: Name,
    into: Annotated[str, typer.Argument(help="The entity that it is one with.")],
    reason: Reason = "",
    app: App = "",
    as_json: Json = False,
) -> None:
    """Say that two entities are one; it holds for every rebuild, until it is undone."""
    from finrag_pipeline.pipelines.graph import entity_decisions

    with _deciding(app) as (connection, app_id):
        number = entity_decisions.merge(connection, app_id, name, into, reason)
    _print_decision(number, f"merged {name} into {into}", as_json)


@commands.command()
def split(
    name: Annotated[str, typer.Argument(help="A name that the entity is wrongly given.")],
    out_of: Annotated[str, typer.Argument(help="The entity, by name or id.")],
    reason: Reason = "",
    app: App = "",
    as_json: Json = False,
) -> None:
    """Say that a name is none of an entity's; it holds for every rebuild, until it is undone."""
    from finrag_pipeline.pipelines.graph import entity_decisions

    with _deciding(app) as (connection, app_id):
        number = entity_decisions.split(connection, app_id, name, out_of, reason)
    _print_decision(number, f"split {name} from {out_of}", as_json)


@commands.command()
def undo(
    number: Annotated[int, typer.Argument(help="Its number, as `decisions` lists it.")],
    app: App = "",
    as_json: Json = False,
) -> None:
    """Take a merge or split back."""
    from finrag_pipeline.pipelines.graph import entity_decisions

    with _deciding(app) as (connection, app_id):
        undone = entity_decisions.undo(connection, app_id, number)
    told = f"undid the {undone['kind']} of {undone['name']} and {undone['other_name']}"
    _print_decision(number, told, as_json)


@commands.command()
def decisions(app: App = "", as_json: Json = False) -> None:
    """Every merge and split by hand, undone ones included."""
    from finrag_pipeline.store.graph import entity_decisions

    with open_store(app) as (connection, app_id):
        rows = entity_decisions.decisions(connection, app_id)
    if as_json:
        print_json({"decisions": rows})
        return
    print_table(
        ("number", "kind", "name", "other", "decided", "undone", "reason"),
        (
            (
                row["decision_id"],
                row["kind"],
                row["name"],
                row["other_name"],
                f"{row['decided_at']:%Y-%m-%d}",
                f"{row['undone_at']:%Y-%m-%d}" if row["undone_at"] else None,
                row["reason"],
            )
            for row in rows
        ),
    )


@commands.command()
def rebuild(app: App = "", as_json: Json = False) -> None:
    """Read what the configured extractor and registry have not read, and compute the graph anew."""
    from finrag_pipeline.pipelines.graph.graph_rebuild import rebuild_graph
    from finrag_pipeline.pipelines.run.run import Run
    from finrag_pipeline.serve.cli.ingestion import progress_bar
    from finrag_pipeline.store.database.connections import Database
    from finrag_pipeline.store.documents.documents import Scope

    settings = settings_for(app)
    with Database.open(settings) as database, progress_bar() as progress:
        result = rebuild_graph(Run(database, settings, Scope(settings.app), progress))
    if as_json:
        print_json(result)
        return
    for field, value in result.items():
        if field != "degraded":
            typer.echo(f"{field:<20}{value}")
    print_degraded(result["degraded"])


def _print_decision(number: int, told: str, as_json: bool) -> None:
    if as_json:
        print_json({"decision_id": number, "done": told})
    else:
        typer.echo(f"{told} (decision {number})")


@contextmanager
def _deciding(app: str) -> Generator[tuple[Connection[dict[str, Any]], str]]:
    """The store for one decision; what it changes is embedded and summed up behind it."""
    from finrag_pipeline.pipelines.graph.graph_rebuild import settle_graph
    from finrag_pipeline.pipelines.run.run import Run
    from finrag_pipeline.store.database.connections import Database
    from finrag_pipeline.store.documents.documents import Scope

    settings = settings_for(app)
    with Database.open(settings) as database:
        with database.transaction() as connection:
            yield connection, settings.app
        print_degraded(settle_graph(Run(database, settings, Scope(settings.app))))
