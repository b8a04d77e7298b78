"""Database URLs: read, shown without their password, and put into SQLAlchemy's form for Dagster.

Connecting to them belongs to `database`.
"""

from __future__ import annotations

import re
from urllib.parse import quote, urlencode

import psycopg
from psycopg.conninfo import conninfo_to_dict

from finrag_pipeline.errors import ConfigurationError

_EXAMPLE = "postgresql://user:password@host:5432/database"
_URL_PASSWORD = re.compile(r"(://[^:/@]*:).*@")
_NAMED_PASSWORD = re.compile(r"(password=)('(?:[^'\\]|\\.)*'|[^&\s]*)", re.IGNORECASE)


def masked_url(url: str) -> str:
    """`url` with `***` for every password in it, well formed or not.

    >>> masked_url("postgresql://ada:p@ss/word@db.example:5432/finrag?sslmode=require")
    'postgresql://ada:***@db.example:5432/finrag?sslmode=require'
    """
    return _NAMED_PASSWORD.sub(r"\1***", _URL_PASSWORD.sub(r"\1***@", url))


def read_url(url: str, variable: str = "FINRAG_DATABASE_URL") -> dict[str, str]:
    """The libpq parameters in a URL or in a `key=value` line, which a variable holds.

    Raises:
        ConfigurationError: it is malformed. The line never holds the password.
    """
    shown = masked_url(url)
    scheme, separator, rest = url.partition("://")
    if separator and scheme not in ("postgresql", "postgres"):
        raise ConfigurationError(
            f"{variable} is {shown}: start it with postgresql://, as in {_EXAMPLE}"
        )
    authority, _, path = rest.partition("/")
    if authority.count("@") > 1 or "@" in path.partition("?")[0]:
        # libpq would take part of the password for the host, and print it
        raise ConfigurationError(
            f"{variable} is {shown}: write @ as %40 and / as %2F in its user and password"
        )
    try:
        parameters = conninfo_to_dict(url)
    except psycopg.Error:
        # its message repeats the URL
        raise ConfigurationError(
            f"{variable} is {shown}, which is no database URL: write it as {_EXAMPLE}"
        ) from None
    return {name: str(value) for name, value in parameters.items() if value is not None}


def sqlalchemy_url(url: str, schema: str) -> str:
    """`url` for SQLAlchemy with psycopg2, with `schema` as the only one on the search path.

    >>> sqlalchemy_url("postgresql://ada:s%40@db/finrag", "dagster")
    'postgresql://ada:s%40@db/finrag?options=-csearch_path%3Ddagster'
    >>> sqlalchemy_url("host=/run/pg dbname=finrag user=ada", "dagster")
    'postgresql://ada@/finrag?host=%2Frun%2Fpg&options=-csearch_path%3Ddagster'
    """
    parameters = read_url(url)
    user = quote(parameters.pop("user", ""), safe="")
    password = parameters.pop("password", None)
    if password is not None:
        user += ":" + quote(password, safe="")
    server = parameters.get("host", "")
    if server.startswith(("/", "@")) or "," in server or ":" in server:
        server = ""  # sockets, several hosts and IPv6 addresses go into the query
    elif server:
        del parameters["host"]
        if "port" in parameters:
            server += ":" + parameters.pop("port")
    database = parameters.get("dbname", "")
    if quote(database, safe="") == database:
        parameters.pop("dbname", None)
    else:
        database = ""  # SQLAlchemy decodes the query, not the path
    # the last one wins
    options = f"{parameters.pop('options', '')} -csearch_path={schema}".strip()
    query = urlencode({**parameters, "options": options}, quote_via=quote, safe="")
    return f"postgresql://{user}{'@' if user else ''}{server}/{database}?{query}"
