"""`finrag mcp`: the store as tools of a chat client or an agent, over standard input and output."""

from __future__ import annotations

from finrag_pipeline.serve.cli.options import App, settings_for


def mcp(app: App = "") -> None:
    """Serve search, ask, pages, figures and the graph as tools of the Model Context Protocol.

    A client starts it and speaks over standard input and output. By HTTP the same tools are at
    /mcp of finrag serve.
    """
    from finrag_pipeline.serve.mcp.stdio import run

    run(settings_for(app))
