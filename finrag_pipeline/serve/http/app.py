"""The server put together: routes, errors, headers, and the service that they answer from.

A route belongs to a module of its own; it is included here in one line.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from fastapi import FastAPI

from finrag_pipeline import __version__
from finrag_pipeline.serve.http import health
from finrag_pipeline.serve.http.errors import add_error_handlers
from finrag_pipeline.serve.http.headers import SecurityHeaders
from finrag_pipeline.serve.page.site import add_page
from finrag_pipeline.serve.service import Service


def create_app(service: Service) -> FastAPI:
    """The server over an open service, which it does not close."""

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncGenerator[None]:
        yield

    app = FastAPI(
        title="finrag",
        version=__version__,
        summary="Research reports in, cited answers out.",
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
    )
    app.state.service = service
    app.include_router(health.router)
    add_page(app)
    add_error_handlers(app)
    app.add_middleware(SecurityHeaders)
    return app
