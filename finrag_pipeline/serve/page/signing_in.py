"""Who looks at the page where a token is needed: it is given once and kept in a cookie.

What a token allows is decided by `http.access`, on every request.
"""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from finrag_pipeline.serve.http.access import COOKIE, granted_to
from finrag_pipeline.serve.http.errors import RequestRefused
from finrag_pipeline.serve.page.rendering import plain

router = APIRouter()

#: A working week: then it is asked for again.
_KEPT_S = 5 * 24 * 3600


@router.get("/sign-in")
def sign_in_page() -> HTMLResponse:
    """The box for a token."""
    return HTMLResponse(plain("sign_in.html", told=""))


@router.post("/sign-in")
def sign_in(request: Request, token: Annotated[str, Form(max_length=200)] = "") -> Response:
    """Keep a token that is valid; scripts of the page never see it."""
    try:
        granted_to(request, token.strip())
    except RequestRefused as error:
        told = plain("sign_in.html", told=str(error))
        return HTMLResponse(told, error.status, error.headers)
    response = RedirectResponse("/", 303)
    response.set_cookie(
        COOKIE,
        token.strip(),
        max_age=_KEPT_S,
        httponly=True,
        samesite="strict",
        secure=request.url.scheme == "https",
    )
    return response


@router.post("/sign-out")
def sign_out() -> Response:
    """Forget the token."""
    response = RedirectResponse("/sign-in", 303)
    response.delete_cookie(COOKIE, httponly=True, samesite="strict")
    return response
