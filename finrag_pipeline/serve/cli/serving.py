"""`finrag serve`: REST and the web page, in one process whose models stay loaded."""

from __future__ import annotations

from typing import Annotated

import typer


def serve(
    host: Annotated[str, typer.Option("--host", help="Address to listen at.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="0: any free one.")] = 8000,
    tokens: Annotated[
        bool, typer.Option("--tokens", help="Ask for a token on loopback too: behind a proxy.")
    ] = False,
) -> None:
    """Answer questions by HTTP and on a web page, until Ctrl-C or SIGTERM.

    On loopback whoever can reach it may ask; at another address only who has a token, see finrag
    tokens.
    """
    from finrag_pipeline import logs
    from finrag_pipeline.serve.http.server import run
    from finrag_pipeline.settings import load_settings

    settings = load_settings()
    # one line a request and question, and what only an operator can mend
    logs.configure(settings.log_format or "text")
    run(
        settings,
        host,
        port,
        ready=lambda url: typer.echo(f"finrag serves {url}"),
        tokens=tokens,
    )
