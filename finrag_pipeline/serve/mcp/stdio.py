"""`finrag mcp`: the tools over standard input and output, for one client and one application."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

import anyio

from finrag_pipeline.serve.http.page_images import PageImages
from finrag_pipeline.serve.mcp.server import make_server
from finrag_pipeline.serve.mcp.tools import Host
from finrag_pipeline.serve.service import open_service

if TYPE_CHECKING:
    from finrag_pipeline.settings import Settings


def run(settings: Settings) -> None:
    """Serve until standard input ends; standard output has the protocol and nothing else.

    Args:
        settings: of the process; `app` is the one application that tools see.

    Errors as in `open_service`.
    """
    # standard error is the client's log: what was asked does not go there
    logging.getLogger("mcp").setLevel(logging.WARNING)
    with open_service(settings) as service:
        images = PageImages()
        turns = anyio.CapacityLimiter(service.turns)
        try:
            host = Host(service, lambda _: settings.app, lambda: images, lambda: turns)
            make_server(host).run("stdio")
        finally:
            images.close()
