"""Routes of the page: what goes wrong is told to a person, as a page or as a part of one."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, RedirectResponse
from fastapi.routing import APIRoute

from finrag_pipeline.errors import FinragError
from finrag_pipeline.serve.http.errors import told
from finrag_pipeline.serve.page.rendering import plain

_INVALID = {"message": "the address asks for something that there is not", "mend": "go back"}


def _to_sign_in(request: Request) -> Response:
    """The box for a token, in place of a page or, where a part was asked for, of the whole."""
    if request.headers.get("HX-Request") == "true":
        return Response(status_code=401, headers={"HX-Redirect": "/sign-in"})
    return RedirectResponse("/sign-in", 303)


class PageRoute(APIRoute):
    """A route whose errors are read by people."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()

        async def handled(request: Request) -> Response:
            try:
                return await handle(request)
            except FinragError as error:
                status, body, headers = told(error)
                if status == 401:
                    return _to_sign_in(request)
                return HTMLResponse(plain("error.html", error=body["error"]), status, headers)
            except RequestValidationError:
                return HTMLResponse(plain("error.html", error=_INVALID), 422)

        return handled
