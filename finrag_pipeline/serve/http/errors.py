"""Errors as clients see them: one JSON form, the right status, nothing of the server in it.

What an error means to its asker is known by its family; what only an operator can mend goes to the
log, and the client learns that it is not their fault.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException

from finrag_pipeline.errors import (
    FinragError,
    InvalidQuestion,
    NotAgreed,
    NotFound,
    SqlRefused,
    TransientError,
)

_LOG = logging.getLogger("finrag.http")


class ErrorDetail(BaseModel):
    """Why a request was not served."""

    type: str = Field(description="stable code, e.g. `not_found`")
    message: str = Field(description="what happened, in one line")
    mend: str = Field(description="what to do about it")


class ErrorBody(BaseModel):
    """Every response with a status of 400 or more."""

    error: ErrorDetail


class RequestRefused(FinragError):
    """A request that the server does not serve, whatever the engine would say.

    Attributes:
        status: of the response.
        type: stable code.
        mend: what to do about it.
        headers: of the response.
    """

    def __init__(
        self, status: int, type: str, message: str, mend: str, headers: Mapping[str, str] = {}
    ) -> None:
        super().__init__(message)
        self.status = status
        self.type = type
        self.mend = mend
        self.headers = dict(headers)


@dataclass(frozen=True, slots=True)
class _Told:
    """How a family of errors is told; `own` where its line was written for who asks."""

    status: int
    mend: str
    own: bool = True


#: The first family that an error is of decides.
_FAMILIES: dict[type[FinragError], _Told] = {
    InvalidQuestion: _Told(422, "change the request as the message says"),
    SqlRefused: _Told(422, "change the statement as the message says"),
    NotFound: _Told(404, "give an id or a name that exists in this application"),
    NotAgreed: _Told(409, "agree to what would be lost, or leave it"),
    TransientError: _Told(503, "try again in a few seconds", own=False),
    FinragError: _Told(500, "tell whoever runs the server: its log says more", own=False),
}
#: What clients are told of errors that speak of the server.
_HIDDEN = {503: "the server cannot answer at the moment", 500: "the server could not answer this"}
_RETRY_AFTER_S = 5

#: Statuses beside 200 that any route may answer with, for `responses=` of a router.
ERRORS: dict[int | str, dict[str, Any]] = {
    status: {"model": ErrorBody, "description": description}
    for status, description in {
        400: "The request cannot be read, or its Host is not this server's",
        401: "No token, or none that is valid",
        403: "The token does not allow this, or is of another application",
        404: "No such thing in this application",
        413: "The body is too large",
        422: "A value is missing, malformed or out of range",
        429: "Too many requests; Retry-After says for how long",
        500: "The server's own fault",
        503: "Not at the moment; Retry-After says for how long",
    }.items()
}


def error_body(type: str, message: str, mend: str) -> dict[str, Any]:
    """The JSON form of an error."""
    return {"error": {"type": type, "message": message, "mend": mend}}


def told(error: FinragError) -> tuple[int, dict[str, Any], dict[str, str]]:
    """Status, body and headers that tell a client of an error."""
    if isinstance(error, RequestRefused):
        return error.status, error_body(error.type, str(error), error.mend), error.headers
    family = next(told for kind, told in _FAMILIES.items() if isinstance(error, kind))
    headers = {"Retry-After": str(_RETRY_AFTER_S)} if family.status == 503 else {}
    message = str(error) if family.own else _HIDDEN[family.status]
    if not family.own:
        _LOG.error("%s: %s", type(error).__name__, error.logged)
    code = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", type(error).__name__).lower()
    return family.status, error_body(code, message, family.mend), headers


def unknown_body() -> dict[str, Any]:
    """What a client is told of an error that nobody foresaw."""
    return error_body("internal_error", _HIDDEN[500], _FAMILIES[FinragError].mend)


def add_error_handlers(app: FastAPI) -> None:
    """Have every failure of a route answered in the one form."""

    @app.exception_handler(FinragError)
    async def known(_: Request, error: FinragError) -> JSONResponse:  # pyright: ignore
        status, body, headers = told(error)
        return JSONResponse(body, status, headers)

    @app.exception_handler(RequestValidationError)
    async def invalid(_: Request, error: RequestValidationError) -> JSONResponse:  # pyright: ignore
        first = error.errors()[0]
        # what was sent is not sent back
        place = ".".join(str(part) for part in first["loc"])
        message = f"{place}: {first['msg']}"
        mend = "see /docs for what this route takes"
        return JSONResponse(error_body("invalid_request", message, mend), 422)

    @app.exception_handler(HTTPException)
    async def refused(_: Request, error: HTTPException) -> JSONResponse:  # pyright: ignore
        codes = {404: "no_such_route", 405: "method_not_allowed", 413: "body_too_large"}
        code = codes.get(error.status_code, "bad_request")
        body = error_body(code, str(error.detail), "see /docs for what there is")
        return JSONResponse(body, error.status_code, error.headers)

    @app.exception_handler(Exception)
    async def unknown(_: Request, error: Exception) -> JSONResponse:  # pyright: ignore
        return JSONResponse(unknown_body(), 500)
