"""`finrag serve`: REST and the web page, in one process whose models stay loaded."""

from __future__ import annotations

from typing import Annotated

import typer


def serve(
    host: Annotated[str, typer.Option("--host", help="Address to listen at.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="0: any free one.")] = 8000,
) -> None:
    """Answer questions by HTTP and on a web page, until Ctrl-C or SIGTERM."""
    from finrag_pipeline.serve.http.server import run
    from finrag_pipeline.serve.cli.options import settings_for

    run(settings_for(""), host, port, ready=lambda url: typer.echo(f"finrag serves {url}"))
