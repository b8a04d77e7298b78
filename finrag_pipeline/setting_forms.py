"""Forms that values of settings have: addresses, keys, owners; others are refused."""

from __future__ import annotations

import re
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import AfterValidator, SecretStr

#: What Dagster's UI takes as an owner.
_OWNER = re.compile(r"team:\S+|[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\.[A-Za-z]{2,7}")


def owners(value: tuple[str, ...]) -> tuple[str, ...]:
    """Mail addresses and teams, as they are."""
    for owner in value:
        if not _OWNER.fullmatch(owner):
            raise ValueError(f"{owner!r} is neither a mail address nor team:NAME")
    return value


def _http_url(value: str) -> str:
    if not value.startswith(("http://", "https://")):
        raise ValueError("must start with http:// or https://")
    return value


def _redis_url(value: str) -> str:
    if not value.startswith(("redis://", "rediss://")):
        raise ValueError("write it as redis://:password@host:6379/0 or rediss://…")
    return value


def _mail_server(value: str) -> str:
    try:
        parts = urlsplit(value)
        known = parts.scheme in ("smtp", "smtps") and parts.hostname and parts.port != 0
    except ValueError:  # e.g. a port that is none
        known = False
    if not known:
        raise ValueError("write it as smtp://user:password@host:587 or smtps://…:465")
    return value


def _header_key(value: SecretStr) -> SecretStr | None:
    """A key travels in an HTTP header; a line end copied along with it is no part of it."""
    key = value.get_secret_value().strip()
    if not (key.isascii() and key.replace(" ", "").isprintable()):
        raise ValueError("holds characters that no key has: copy it again")
    return SecretStr(key) if key else None


HttpUrl = Annotated[str, AfterValidator(_http_url)]
RedisUrl = Annotated[str, AfterValidator(_redis_url)]
MailServer = Annotated[str, AfterValidator(_mail_server)]
HeaderKey = Annotated[SecretStr, AfterValidator(_header_key)]
