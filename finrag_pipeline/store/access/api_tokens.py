"""Tokens of applications, kept as hashes: typed functions over `api_tokens.sql`.

What a scope lets through belongs to the server.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from psycopg import Connection

from finrag_pipeline.errors import NotFound
from finrag_pipeline.store.database.queries import load_queries

Row = dict[str, Any]
Q = load_queries("access/api_tokens")

#: What a token may let its bearer do: ask; also see what others marked.
SCOPES = ("read", "admin")

#: What every token begins with, by which scanners for leaked secrets know it.
PREFIX = "finrag_"
_ID_BYTES, _SECRET_BYTES = 6, 32
_TOKEN = re.compile(rf"{PREFIX}(?P<id>[0-9a-f]{{{2 * _ID_BYTES}}})_[A-Za-z0-9_-]{{20,100}}")


@dataclass(frozen=True, slots=True)
class Grant:
    """What a token lets its bearer do: in one application, what its scopes name."""

    token_id: str
    app_id: str
    scopes: frozenset[str]


@dataclass(frozen=True, slots=True)
class Token:
    """A token as it is listed: all but its secret."""

    token_id: str
    app_id: str
    name: str
    scopes: tuple[str, ...]
    created_at: datetime
    expires_at: datetime | None
    last_used_at: datetime | None
    revoked_at: datetime | None


def create(
    connection: Connection[Row],
    app_id: str,
    scopes: Sequence[str],
    name: str = "",
    expires_at: datetime | None = None,
) -> tuple[str, str]:
    """Make a token of an application.

    Returns:
        Its id, and the token itself, which is nowhere else and cannot be told again.
    """
    token_id = secrets.token_hex(_ID_BYTES)
    token = f"{PREFIX}{token_id}_{secrets.token_urlsafe(_SECRET_BYTES)}"
    connection.execute(
        Q.add,
        {
            "token_id": token_id,
            "app_id": app_id,
            "token_sha256": _sha256(token),
            "name": name,
            "scopes": sorted(set(scopes)),
            "expires_at": expires_at,
        },
    )
    return token_id, token


def check(connection: Connection[Row], token: str) -> Grant | None:
    """What a token grants, and that it was used; None where it is none, revoked or expired."""
    match = _TOKEN.fullmatch(token)
    row = connection.execute(Q.find, {"token_id": match["id"]}).fetchone() if match else None
    if match is None or row is None:
        return None
    # as long for a wrong secret as for the right one
    if not hmac.compare_digest(bytes(row["token_sha256"]), _sha256(token)):
        return None
    if row["used_anew"]:
        connection.execute(Q.note_use, {"token_id": match["id"]})
    return Grant(match["id"], row["app_id"], frozenset(row["scopes"]))


def is_token(text: str) -> bool:
    """Whether a text has the form of a token."""
    return _TOKEN.fullmatch(text) is not None


def list_tokens(connection: Connection[Row], app_id: str) -> list[Token]:
    """Every token of an application, the newest first."""
    rows = connection.execute(Q.list_tokens, {"app_id": app_id})
    tokens: list[Token] = []
    for row in rows:
        row["scopes"] = tuple(row["scopes"])
        tokens.append(Token(**row))
    return tokens


def any_valid(connection: Connection[Row]) -> bool:
    """Whether anybody has a token, of any application."""
    row = connection.execute(Q.any_valid).fetchone()
    return row is not None and bool(row["any_valid"])


def revoke(connection: Connection[Row], app_id: str, token_id: str) -> None:
    """End a token for good.

    Raises:
        NotFound: the application has no such token, or it was revoked before.
    """
    if connection.execute(Q.revoke, {"app_id": app_id, "token_id": token_id}).fetchone() is None:
        raise NotFound(
            f"app {app_id!r} has no token {token_id!r} to revoke: see `finrag tokens list`"
        )


def _sha256(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()
