"""`finrag tokens`: who may ask `finrag serve` for an application, and how that ends."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Annotated

import typer

from finrag_pipeline.serve.cli.options import App, Json, open_store, print_json, print_table

commands = typer.Typer(
    no_args_is_help=True, help="Tokens of an application: who may ask finrag serve."
)


@commands.command()
def create(
    name: Annotated[str, typer.Argument(help="What it is for, e.g. who holds it.")],
    scope: Annotated[
        list[str] | None,
        typer.Option("--scope", help="read (the default) or admin; may be given again."),
    ] = None,
    days: Annotated[
        int | None,
        typer.Option("--days", min=1, max=3650, help="Until it expires; default: never."),
    ] = None,
    app: App = "",
    as_json: Json = False,
) -> None:
    """Make a token; it is printed once, and only its hash is kept."""
    from finrag_pipeline.store.access import api_tokens

    scopes = scope or ["read"]
    if unknown := set(scopes) - set(api_tokens.SCOPES):
        known = ", ".join(api_tokens.SCOPES)
        raise typer.BadParameter(f"there is no scope {', '.join(sorted(unknown))}: use {known}")
    expires_at = datetime.now(UTC) + timedelta(days=days) if days else None
    with open_store(app) as (connection, app_id):
        token_id, token = api_tokens.create(connection, app_id, scopes, name, expires_at)
    if as_json:
        made = {"token_id": token_id, "token": token, "app": app_id, "scopes": scopes}
        print_json(made | {"expires_at": expires_at})
        return
    typer.echo(token)
    typer.echo(f"token {token_id} of app {app_id!r}: it is not told again", err=True)


@commands.command("list")
def list_tokens(app: App = "", as_json: Json = False) -> None:
    """Every token of an app, the newest first, without its secret."""
    from dataclasses import asdict

    from finrag_pipeline.store.access import api_tokens

    with open_store(app) as (connection, app_id):
        tokens = api_tokens.list_tokens(connection, app_id)
    if as_json:
        print_json({"tokens": [asdict(each) for each in tokens]})
        return
    print_table(
        ("token", "name", "scopes", "created", "expires", "last used", "revoked"),
        [
            (
                *(each.token_id, each.name, ", ".join(each.scopes)),
                *map(_minute, (each.created_at, each.expires_at)),
                *map(_minute, (each.last_used_at, each.revoked_at)),
            )
            for each in tokens
        ],
    )


@commands.command()
def revoke(
    token: Annotated[str, typer.Argument(help="Its id, as `finrag tokens list` shows it.")],
    app: App = "",
    as_json: Json = False,
) -> None:
    """End a token for good."""
    from finrag_pipeline.store.access import api_tokens

    with open_store(app) as (connection, app_id):
        api_tokens.revoke(connection, app_id, token)
    if as_json:
        print_json({"revoked": token})
        return
    typer.echo(f"revoked {token}")


def _minute(moment: datetime | None) -> str:
    return moment.isoformat(" ", "minutes") if moment else ""
