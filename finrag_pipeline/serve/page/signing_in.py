"""Signing in on the page, where the server needs a token: it is kept in a cookie of this browser.

Whether a token is valid is decided by `http.access`.
"""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from finrag_pipeline.serve.http.access import COOKIE, granted_to
from finrag_pipeline.serve.http.errors import RequestRefused
from finrag_pipeline.serve.page.rendering import plain

router = APIRouter()

SIGN_IN = "/sign-in"
_KEPT_S = 30 * 86_400


@router.get(SIGN_IN)
def form() -> HTMLResponse:
    """The form."""
    return HTMLResponse(plain("sign_in.html", refused=""))


@router.post(SIGN_IN)
def sign_in(request: Request, token: Annotated[str, Form(max_length=200)] = "") -> Response:
    """Keep a token that is valid, and go on to the page."""
    token = token.strip()
    try:
        granted_to(request, token)
    except RequestRefused as refused:
        told = plain("sign_in.html", refused=str(refused))
        return HTMLResponse(told, refused.status, refused.headers)
    response = RedirectResponse("/", 303)
    response.set_cookie(
        COOKIE,
        token,
        max_age=_KEPT_S,
        httponly=True,
        samesite="strict",
        secure=_is_https(request),
    )
    return response


@router.post("/sign-out")
def sign_out() -> Response:
    """Forget the token."""
    response = RedirectResponse(SIGN_IN, 303)
    response.delete_cookie(COOKIE, httponly=True, samesite="strict")
    return response


def _is_https(request: Request) -> bool:
    # a proxy that ends TLS asks by HTTP
    return "https" in (request.url.scheme, request.headers.get("x-forwarded-proto", ""))
