"""`finrag delete`: an application with all that the store holds of it, for good."""

from __future__ import annotations

from typing import Annotated

import typer

from finrag_pipeline.serve.cli.options import Json, Yes, print_json, require_agreement, settings_for

#: What deleting leaves: shared between apps, or outside the store's own tables.
STAYS = (
    "model replies (by the hash of their request) and vector spaces, which apps share",
    "records of runs in the Dagster UI, with names of files",
    "the files themselves: what lies in the inbox is ingested again by the next night",
)


def delete(
    app: Annotated[str, typer.Option("--app", help="Whose documents; it must be named.")],
    yes: Yes = False,
    as_json: Json = False,
) -> None:
    """Delete an app for good: documents, graph, weekly builds, summaries, usage, feedback."""
    from finrag_pipeline.store.database.connections import Database
    from finrag_pipeline.store.documents import applications

    with Database.open(settings_for(app)) as database:
        with database.connection() as connection:
            counts = applications.counts(connection, app)
        told = ", ".join(f"{count} {name.replace('_', ' ')}" for name, count in counts.items())
        require_agreement(f"app {app!r} would be deleted for good: {told}", yes, as_json)
        with database.transaction() as connection:
            applications.delete(connection, app)
    if as_json:
        print_json({"app": app, "deleted": counts, "stays": STAYS})
        return
    typer.echo(f"deleted app {app!r}: {told}\nwhat stays:")
    for line in STAYS:
        typer.echo(f"  {line}")
