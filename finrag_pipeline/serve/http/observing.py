"""Every request as a step that is told to whoever watches: its route, its status, its time.

Routes go by their templates: an address may hold anything. Which steps there are is `spans`.
"""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from finrag_pipeline.spans import numbered_question, span

QUESTION_ID = "X-Question-Id"
#: What no route of ours takes, whatever it asked for.
_UNMATCHED = "unmatched"
_METHODS = frozenset(("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"))


class Observed:
    """Times requests, and gives what is asked by POST, as every question is, an id of its own."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        method = scope["method"] if scope["method"] in _METHODS else "other"
        with ExitStack() as stack:
            asked = stack.enter_context(numbered_question()) if method == "POST" else None
            step = stack.enter_context(span("request", method=method))
            # where nothing is sent the server failed, or the client had gone
            step.attributes["status"] = 500

            async def sending(message: Message) -> None:
                if message["type"] == "http.response.start":
                    step.attributes["status"] = message["status"]
                    if asked:
                        MutableHeaders(scope=message)[QUESTION_ID] = asked
                await send(message)

            before = scope.get("root_path", "")
            try:
                await self._app(scope, receive, sending)
            finally:
                step.attributes["route"] = _route(scope, before)
                if asked:
                    step.attributes["question_id"] = asked


def _route(scope: dict[str, Any] | Scope, before: str) -> str:
    """The template of the route that took a request; of a mounted application its path."""
    path = getattr(scope.get("route"), "path", None)
    mounted = scope.get("root_path", "").removeprefix(before)
    return f"{mounted}{path or ''}" or _UNMATCHED
