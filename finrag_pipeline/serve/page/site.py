"""The page put onto the server: its routes, its static files, how its errors are shown.

A route belongs to a module of its noun; it is included here in one line.
"""

from __future__ import annotations

from fastapi import FastAPI
from starlette.staticfiles import StaticFiles

from finrag_pipeline.serve.page import (
    api,
    asking,
    companies,
    documents,
    graph,
    marks,
    notes,
    sheets,
    signing_in,
    weeks,
)
from finrag_pipeline.serve.page.rendering import STATIC


def add_page(app: FastAPI) -> None:
    """Serve the page at `/` and below it."""
    shown = (asking, sheets, documents, companies, graph, weeks, notes, marks, signing_in, api)
    for module in shown:
        app.include_router(module.router, include_in_schema=False)
    app.mount("/static", StaticFiles(directory=STATIC), name="static")
