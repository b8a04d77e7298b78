"""The server put together: routes, errors, headers, and the service that they answer from.

A route belongs to a module of its own; it is included here in one line.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager

import anyio
from fastapi import FastAPI

from finrag_pipeline import __version__, spans
from finrag_pipeline.serve.http import health, metrics, questions
from finrag_pipeline.serve.http.errors import add_error_handlers
from finrag_pipeline.serve.http.headers import SecurityHeaders
from finrag_pipeline.serve.http.metrics import Metrics
from finrag_pipeline.serve.http.observing import Observed
from finrag_pipeline.serve.service import Service

#: Questions that are answered at a time: each reads by several lanes at once, and the pool of
#: readers holds 16 connections.
TURNS = 6


def create_app(service: Service, *, on_ready: Callable[[], None] = lambda: None) -> FastAPI:
    """The server over an open service, which it does not close.

    Args:
        on_ready: called once requests will be answered.
    """

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncGenerator[None]:
        app.state.turns = anyio.CapacityLimiter(TURNS)
        with spans.watched(app.state.metrics.count):
            on_ready()
            yield

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
    app.include_router(health.router)
    app.include_router(metrics.router)
    app.include_router(questions.router)
    add_error_handlers(app)
    app.add_middleware(SecurityHeaders)
    app.add_middleware(Observed)
    return app
