"""What no route sees: requests for other hosts, and bodies that are too large."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from finrag_pipeline.serve.http.errors import error_body

#: The longest question with the longest history is a tenth of it.
MAX_BODY_BYTES = 2 * 2**20
#: Names under which loopback is asked.
LOOPBACK_HOSTS = ("localhost", "127.0.0.1", "::1")


class HostCheck:
    """Refuses a Host that is none of this server's.

    Where no token is needed, any page that a browser shows could otherwise ask here, by a name that
    its owner lets point at loopback.
    """

    def __init__(self, app: ASGIApp, hosts: Iterable[str]) -> None:
        self._app = app
        self._hosts = frozenset(hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and not self._known(Headers(scope=scope).get("host", "")):
            mend = "ask by the address that `finrag serve` prints, or set FINRAG_PUBLIC_URL"
            body = error_body("unknown_host", "the Host of the request is not this server's", mend)
            await JSONResponse(body, 400)(scope, receive, send)
            return
        await self._app(scope, receive, send)

    def _known(self, host: str) -> bool:
        try:
            return urlsplit(f"//{host}").hostname in self._hosts
        except ValueError:
            return False


class BodyLimit:
    """Ends a request whose body is larger than any that is meant."""

    def __init__(self, app: ASGIApp, max_bytes: int = MAX_BODY_BYTES) -> None:
        self._app = app
        self._max_bytes = max_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        told = Headers(scope=scope).get("content-length", "")
        if told.isdecimal() and int(told) > self._max_bytes:
            mend = f"send {self._max_bytes} bytes at most"
            body = error_body("body_too_large", "the body is too large", mend)
            await JSONResponse(body, 413, {"Connection": "close"})(scope, receive, send)
            return
        received = 0

        async def counted() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            if received > self._max_bytes:
                raise HTTPException(413, "the body is too large")
            return message

        await self._app(scope, counted, send)
