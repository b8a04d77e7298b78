"""Who asks, and what they may see: the dependency that every route with data takes.

Where tokens are kept belongs to `store.access`; how often one may ask to `limits`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from ipaddress import ip_address
from typing import Annotated, cast

from fastapi import Depends, Query, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from finrag_pipeline.serve.http.errors import RequestRefused
from finrag_pipeline.serve.http.limits import RateLimits
from finrag_pipeline.serve.service import Service
from finrag_pipeline.store.access import api_tokens
from finrag_pipeline.store.access.api_tokens import SCOPES, Grant

#: Where the web page keeps the token of who signed in.
COOKIE = "finrag_token"
#: What proxies add: then the request comes from elsewhere, though the connection does not.
_FORWARDED = ("forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip", "via")

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
# in OpenAPI; whether one is needed is decided below
_BEARER = HTTPBearer(
    auto_error=False,
    scheme_name="token",
    description="A token of `finrag tokens create`; none is needed on loopback.",
)
Bearer = Annotated[HTTPAuthorizationCredentials | None, Depends(_BEARER)]


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

    def access(request: Request, credentials: Bearer, app: App = None) -> Access:
        given = credentials.credentials if credentials else request.cookies.get(COOKIE, "")
        granted = granted_to(request, given)
        if not granted.scopes & {scope, "admin"}:
            raise RequestRefused(
                403,
                "scope_missing",
                f"the token lacks the scope {scope}",
                f"use a token made with `--scope {scope}`",
            )
        return granted.within(app)

    return access


def from_this_host(request: Request) -> bool:
    """Whether a request comes from a process of the server's own host, through no proxy."""
    try:
        near = ip_address(request.client.host if request.client else "").is_loopback
    except ValueError:
        near = False
    return near and not _is_forwarded(request)


def granted_to(request: Request, token: str) -> Access:
    """What a request may do by the token that it brings, empty where it brings none.

    Clients of OpenAI's protocol always send some key: where none is needed, one that is no token
    of ours counts for none.

    Raises:
        RequestRefused: a token is needed, or it is not valid; or its bearer asks too often.
    """
    limits: RateLimits = request.app.state.limits
    service = service_of(request)
    address = request.client.host if request.client else "unknown"
    if api_tokens.is_token(token):
        if grant := _checked(service, token):
            limits.count(grant.token_id)
            return Access(grant.app_id, grant.scopes, bound=True)
        limits.count_failure(address)
        raise _unknown("the token is not valid: it is unknown, revoked or expired")
    if request.app.state.needs_token or _is_forwarded(request):
        limits.count_failure(address)
        raise _unknown("a token is needed")
    limits.count(address)
    return Access(service.settings.app, frozenset(SCOPES), bound=False)


def _is_forwarded(request: Request) -> bool:
    return any(name in request.headers for name in _FORWARDED)


def _checked(service: Service, token: str) -> Grant | None:
    if service.database is None:
        return None
    with service.database.transaction() as connection:
        return api_tokens.check(connection, token)


def _unknown(message: str) -> RequestRefused:
    return RequestRefused(
        401,
        "not_authenticated",
        message,
        "send `Authorization: Bearer TOKEN` with a token of `finrag tokens create`",
        {"WWW-Authenticate": "Bearer"},
    )


#: What routes take: `def route(access: Reading, service: Served)`.
Reading = Annotated[Access, Depends(require("read"))]
Administering = Annotated[Access, Depends(require("admin"))]
Served = Annotated[Service, Depends(service_of)]
