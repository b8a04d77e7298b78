"""Who asks, and what they may see: the dependency that every route with data takes.

Where tokens are kept belongs to `store`; this says whom a request comes from.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Annotated, cast

from fastapi import Depends, Query, Request

from finrag_pipeline.serve.http.errors import RequestRefused
from finrag_pipeline.serve.service import Service

#: What a token may be allowed.
SCOPES = ("read", "admin")

App = Annotated[
    str | None,
    Query(
        min_length=1,
        max_length=200,
        pattern=r"^[^\x00]+$",
        description="Whose documents. A token has one application alone; without tokens the "
        "default is the server's.",
    ),
]


@dataclass(frozen=True, slots=True)
class Access:
    """What a request may see: one application, and what it may do there.

    Attributes:
        app_id: whose rows. Hand it to every function that reads; never one that came otherwise.
        scopes: of `SCOPES`.
        bound: whether another application than `app_id` is refused: the request has a token.
    """

    app_id: str
    scopes: frozenset[str]
    bound: bool

    def within(self, app_id: str | None) -> Access:
        """The same for the application that a request names.

        Raises:
            RequestRefused: the token is of another one.
        """
        if app_id is None or app_id == self.app_id:
            return self
        if self.bound:
            raise RequestRefused(
                403,
                "other_application",
                "the token is of another application",
                "leave `app` out, or use a token of that application",
            )
        return replace(self, app_id=app_id)


def service_of(request: Request) -> Service:
    """The service behind a request."""
    return cast(Service, request.app.state.service)


def require(scope: str) -> Callable[..., Access]:
    """A dependency that lets a request through where it may do what `scope` names."""

    def access(request: Request, app: App = None) -> Access:
        granted = Access(service_of(request).settings.app, frozenset(SCOPES), bound=False)
        if scope not in granted.scopes:
            raise RequestRefused(
                403,
                "scope_missing",
                f"the token lacks the scope {scope}",
                f"use a token made with `--scope {scope}`",
            )
        return granted.within(app)

    return access


#: What routes take: `def route(access: Reading, service: Served)`.
Reading = Annotated[Access, Depends(require("read"))]
Served = Annotated[Service, Depends(service_of)]
