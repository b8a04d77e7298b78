"""`finrag rebuild`: the weekly build of communities, their reports and chains."""

from __future__ import annotations

import time
from typing import Annotated, Any

import typer

from finrag_pipeline.serve.cli.ingestion import progress_bar
from finrag_pipeline.serve.cli.options import (
    App,
    Json,
    parse_day,
    print_degraded,
    print_json,
    settings_for,
)
from finrag_pipeline.settings import today


def rebuild(
    week: Annotated[
        str, typer.Option("--week", metavar="DATE", help="Any day of the week; default: this week.")
    ] = "",
    app: App = "",
    as_json: Json = False,
) -> None:
    """Cluster the entity graph as of a week's end, write its reports, send readers to them."""
    from finrag_pipeline.defs.runs import materialize_week
    from finrag_pipeline.errors import InvalidQuestion
    from finrag_pipeline.query.question.options import GRAPH_OFF
    from finrag_pipeline.records.communities import week_of
    from finrag_pipeline.store.database.connections import Database
    from finrag_pipeline.store.weeks import community_builds

    started = time.monotonic()
    settings = settings_for(app)
    if settings.graph == "off":
        raise InvalidQuestion(GRAPH_OFF)
    sunday = week_of(parse_day(week, "--week") or today())
    with progress_bar() as progress:
        degraded = materialize_week(settings, settings.app, sunday, progress)
    with Database.open(settings) as database, database.connection() as connection:
        told = community_builds.told(connection, settings.app, sunday)
    result = told | {"degraded": degraded, "seconds": round(time.monotonic() - started, 2)}
    if as_json:
        print_json(result)
    else:
        _print(result)
    print_degraded(degraded)


def _print(result: dict[str, Any]) -> None:
    levels = f"{result['levels']} level{'' if result['levels'] == 1 else 's'}"
    typer.echo(
        f"week of {result['week']}, with what was published by {result['published_by']}: "
        f"{result['entities']} entities ({result['alone']} alone) and {result['edges']} edges, "
        f"{result['communities']} communities on {levels}, "
        f"{result['reports']} reports and {result['chains']} chain reports; "
        f"{result['seconds']} s"
    )
    events = ", ".join(f"{count} {event}" for event, count in result["events"].items())
    if result["started_from"]:
        typer.echo(f"since the build before: {events or 'nothing changed'}")
    typer.echo("next: finrag reports list; finrag ask QUESTION --mode community_global")
