"""The server put together: routes, errors, headers, and the service that they answer from.

A route belongs to a module of its own; it is included here in one line.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from urllib.parse import urlsplit

import anyio
from fastapi import FastAPI

from finrag_pipeline import __version__, spans
from finrag_pipeline.serve.http import (
    chat,
    communities,
    companies,
    days,
    documents,
    feedback,
    figures,
    graph,
    health,
    mcp,
    metrics,
    pages,
    questions,
)
from finrag_pipeline.serve.http.errors import add_error_handlers
from finrag_pipeline.serve.http.guards import LOOPBACK_HOSTS, BodyLimit, HostCheck
from finrag_pipeline.serve.http.headers import SecurityHeaders
from finrag_pipeline.serve.http.limits import RateLimits
from finrag_pipeline.serve.http.mcp import serving_mcp
from finrag_pipeline.serve.http.metrics import Metrics
from finrag_pipeline.serve.http.observing import Observed
from finrag_pipeline.serve.http.openapi import told_for
from finrag_pipeline.serve.http.page_images import PageImages
from finrag_pipeline.serve.page.site import add_page
from finrag_pipeline.serve.service import Service

_LOOKED_UP = (documents, pages, figures, companies, graph, communities, days)


def create_app(
    service: Service, *, needs_token: bool = False, on_ready: Callable[[], None] = lambda: None
) -> FastAPI:
    """The server over an open service, which it does not close.

    Args:
        needs_token: whether every request with data needs a token; without, only loopback is
            answered: whoever connects from elsewhere has to be kept off by the caller.
        on_ready: called once requests will be answered.
    """

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncGenerator[None]:
        app.state.turns = anyio.CapacityLimiter(service.turns)
        app.state.page_images = images = PageImages()
        images.warm()
        try:
            with spans.watched(app.state.metrics.count):
                async with serving_mcp(app):
                    on_ready()
                    yield
        finally:
            images.close()

    app = FastAPI(
        title="finrag",
        version=__version__,
        summary="Research reports in, cited answers out.",
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        # what the framework tells by itself holds addresses and the texts of exceptions
        telemetry={"tracing": False, "metrics": False, "logs": False, "auto_configure": False},
    )
    app.state.service = service
    app.state.metrics = Metrics(service)
    app.state.needs_token = needs_token
    app.state.limits = RateLimits(service.settings.serve_requests_per_minute)
    for room in (health, metrics, questions, chat, feedback, mcp, *_LOOKED_UP):
        app.include_router(room.router)
    add_page(app)
    app.openapi = told_for(app, needs_token=needs_token)
    add_error_handlers(app)
    app.add_middleware(BodyLimit)
    if not needs_token:
        app.add_middleware(HostCheck, hosts=_own_hosts(service))
    app.add_middleware(SecurityHeaders)
    app.add_middleware(Observed)
    return app


def _own_hosts(service: Service) -> list[str]:
    public = urlsplit(service.settings.public_url or "").hostname
    return [*LOOPBACK_HOSTS, *([public] if public else [])]
