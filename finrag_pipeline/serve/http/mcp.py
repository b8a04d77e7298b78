"""`/mcp`: the tools of `serve.mcp` by HTTP, for whom a token, or loopback, lets in.

Every request stands alone and shows its own token: there are no sessions that could be taken over.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import urlsplit

from fastapi import APIRouter, FastAPI, Request, Response
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from starlette.types import Receive, Scope, Send

from finrag_pipeline.serve.http.access import Access, Reading
from finrag_pipeline.serve.http.errors import RequestRefused
from finrag_pipeline.serve.http.guards import MAX_BODY_BYTES
from finrag_pipeline.serve.mcp.tools import Call, Host, make_server

router = APIRouter(include_in_schema=False)

_ACCESS = "finrag.access"


@asynccontextmanager
async def serving_mcp(app: FastAPI) -> AsyncGenerator[None]:
    """Answer calls for as long as the server runs; once its turns and page images are there."""
    server = make_server(
        Host(
            app.state.service,
            _app_of,
            lambda: app.state.page_images,
            lambda: app.state.turns,
        )
    )
    server.streamable_http_app(
        stateless_http=True,
        json_response=True,
        max_request_body_size=MAX_BODY_BYTES,
        # hosts are checked for every route, origins by this one
        transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
    )
    app.state.mcp = server.session_manager
    async with server.session_manager.run():
        yield


@router.api_route("/mcp", methods=["GET", "POST", "DELETE"])
async def mcp(request: Request, access: Reading) -> Response:
    """One message of the protocol."""
    origin = request.headers.get("origin")
    if origin and urlsplit(origin).netloc != request.headers.get("host"):
        raise RequestRefused(
            403,
            "other_origin",
            "the request comes from a page of another site",
            "call it from a program, or from a page of this server",
        )
    request.scope[_ACCESS] = access
    return _Handed(request.app.state.mcp)


class _Handed(Response):
    """A response that the protocol's own handler makes, out of the same request."""

    def __init__(self, sessions: StreamableHTTPSessionManager) -> None:
        super().__init__()
        self._sessions = sessions

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._sessions.handle_request(scope, receive, send)


def _app_of(call: Call) -> str:
    request: Any = call.request_context.request
    access: Access = request.scope[_ACCESS]
    return access.app_id
