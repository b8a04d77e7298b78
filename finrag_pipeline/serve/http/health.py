"""`GET /healthz`: whether the server can answer, for whoever watches it; no secrets, no rows."""

from __future__ import annotations

from typing import Literal

from fastapi import APIRouter
from pydantic import BaseModel, Field

from finrag_pipeline import __version__
from finrag_pipeline.serve.http.access import Served
from finrag_pipeline.serve.http.errors import ERRORS

router = APIRouter(tags=["server"])


class Health(BaseModel):
    """A server that can answer."""

    status: Literal["ok"]
    version: str
    chat: bool = Field(description="whether a chat model words answers")


@router.get("/healthz", responses={status: ERRORS[status] for status in (400, 503)})
def healthz(service: Served) -> Health:
    """Whether the store answers; 503 where it does not."""
    with service.reader.reading(service.settings.app) as connection:
        connection.execute("select 1 as one")
    return Health(status="ok", version=__version__, chat=service.settings.chat_model is not None)
