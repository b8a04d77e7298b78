"""The OpenAPI document as it holds for this server: whether a token is needed, or may be sent."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fastapi import FastAPI


def told_for(app: FastAPI, *, needs_token: bool) -> Callable[[], dict[str, Any]]:
    """What makes the document of an app, once."""
    made = app.openapi

    def document() -> dict[str, Any]:
        if app.openapi_schema is None and not needs_token:
            for path in made()["paths"].values():
                for operation in path.values():
                    if "security" in operation:
                        operation["security"].append({})
        return made()

    return document
