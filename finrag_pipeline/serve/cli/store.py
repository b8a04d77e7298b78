"""`finrag status`, `reembed` and `stop`: the store as a whole."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import typer

from finrag_pipeline.serve.cli.options import App, Json, print_json, settings_for

#: What `status` tells of money and growth beside what there is in all.
LATELY_DAYS = 30


def status(app: App = "", as_json: Json = False) -> None:
    """What the store holds and which models it was made with."""
    from finrag_pipeline.pipelines.documents.unfinished_stages import left_unfinished
    from finrag_pipeline.pipelines.run.revision import current_revision
    from finrag_pipeline.pipelines.run.run import Run
    from finrag_pipeline.store.database import sizes
    from finrag_pipeline.store.database.connections import Database
    from finrag_pipeline.store.database.urls import masked_url
    from finrag_pipeline.store.documents import documents
    from finrag_pipeline.store.graph import entity_graph
    from finrag_pipeline.store.search import embeddings
    from finrag_pipeline.store.usage import model_usage
    from finrag_pipeline.store.weeks import community_builds

    settings = settings_for(app)
    with Database.open(settings) as database, database.connection() as connection:
        counts = documents.counts(connection, settings.app)
        space = embeddings.active_space(connection)
        graph = entity_graph.counts(connection, settings.app)
        weekly = community_builds.current(connection, settings.app)
        communities = (
            community_builds.community_counts(connection, weekly.build.build_id).communities
            if weekly
            else None
        )
        lately = model_usage.spent_since(connection, settings.app, LATELY_DAYS)
        in_all = model_usage.spent_since(connection, settings.app)
        size_bytes = sizes.database_bytes(connection)
        by_family = sizes.read(connection, LATELY_DAYS)
        waiting = left_unfinished(Run(database, settings, documents.Scope(settings.app)))
    result: dict[str, Any] = {
        "app": settings.app,
        **counts,
        "unfinished": len({each.document_id for each in waiting}),
        "entities": graph["entities"],
        "edges": graph["edges"],
        "weekly_build": weekly.build.week.isoformat() if weekly else None,
        "communities": communities,
        "chat_model": {f"last_{LATELY_DAYS}_days": asdict(lately), "in_all": asdict(in_all)},
        "vector_space": space.name if space else None,
        "pipeline_revision": current_revision(),
        "database": masked_url(settings.database_url) if settings.database_url else "embedded",
        "database_bytes": size_bytes,
        "sizes": {
            family: {
                "bytes": size.bytes,
                "rows": size.rows,
                f"bytes_last_{LATELY_DAYS}_days": size.recent_bytes,
            }
            for family, size in by_family.items()
        },
        "home": str(settings.home),
        "inbox": settings.inbox or None,
    }
    if as_json:
        print_json(result)
        return
    for field, value in result.items():
        if field == "chat_model":
            for since, spent in result[field].items():
                typer.echo(f"{f'chat_model {since}':<28}{_spent(spent)}")
        elif field == "sizes":
            for family, size in result[field].items():
                typer.echo(f"{f'size of {family}':<28}{_size(size)}")
        elif field == "database_bytes":
            typer.echo(f"{'size of the database':<28}{_megabytes(value)}")
        else:
            typer.echo(f"{field:<28}{'-' if value is None else value}")


def _size(size: dict[str, Any]) -> str:
    line = f"{_megabytes(size['bytes'])}, about {size['rows']:,} rows"
    recent = size[f"bytes_last_{LATELY_DAYS}_days"]
    if recent is None:
        return line
    return f"{line}, about {_megabytes(recent)} of the last {LATELY_DAYS} days"


def _megabytes(taken: int) -> str:
    return f"{taken / 1e6:,.1f} MB"


def _spent(spent: dict[str, Any]) -> str:
    return (
        f"{spent['calls']:,} calls ({spent['cached_calls']:,} spared), "
        f"{spent['tokens']:,} tokens, cost {spent['cost']:g}"
    )


def reembed(app: App = "", as_json: Json = False) -> None:
    """Bring every vector to the space that FINRAG_EMBEDDER names, then switch; resumable."""
    from finrag_pipeline.pipelines.documents.reembedding import reembed_documents
    from finrag_pipeline.store.database.connections import Database

    settings = settings_for(app)
    with Database.open(settings) as database:
        result = reembed_documents(database, settings)
    if as_json:
        print_json(result)
    else:
        typer.echo(
            f"{result['vectors']} vectors of {result['documents']} documents and "
            f"{result['graph_vectors']} of the entity graph embedded; "
            f"queries now use {result['vector_space']}"
        )


def stop() -> None:
    """Stop the embedded Postgres, whoever still uses it."""
    from finrag_pipeline.settings import load_settings
    from finrag_pipeline.store.embedded.server import stop_embedded_server

    stopped = stop_embedded_server(load_settings().home)
    typer.echo("stopped" if stopped else "it was not running")
