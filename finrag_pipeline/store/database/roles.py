"""The role that readers log in as: how it comes to be, what it is granted, what it must not be.

It owns nothing, so that row-level security holds for it; its policies are in the migrations.
"""

from __future__ import annotations

import getpass
import hmac
import os
from dataclasses import dataclass, field
from typing import Any, Self

import psycopg
from psycopg import Connection, sql
from psycopg.conninfo import make_conninfo
from psycopg.rows import DictRow

from finrag_pipeline.errors import StoreUnusable
from finrag_pipeline.settings import Settings
from finrag_pipeline.store.database.migrations import read_migrations, schema_lock
from finrag_pipeline.store.database.pools import connect_options
from finrag_pipeline.store.database.queries import load_queries
from finrag_pipeline.store.database.sql_files import sql_directory
from finrag_pipeline.store.database.urls import read_url

Q = load_queries("database/roles")

READER_URL = "FINRAG_READER_URL"

#: What a question, a page or a copy of the store reads; nothing else is granted.
READABLE = (
    *("schema_migrations", "store_identity", "reader_applications", "vector_spaces"),
    *("documents", "document_sources", "document_revisions", "document_stages"),
    *("current_documents", "index_changes"),
    *("pages", "cleaned_text", "html_tables", "clique_chunks", "embeddings"),
    *("evidence_passages", "financial_facts", "structured_financials", "enterprise_graph"),
    *("facts", "best_facts", "companies"),
    *("entity_mentions", "relation_evidence", "entity_claims", "entity_aliases", "entity_names"),
    *("entity_chunks", "entity_members", "entities", "entity_edges", "entity_neighbours"),
    *("name_descriptions", "entity_summaries", "graph_embeddings"),
    *("community_builds", "community_summaries"),
    *("leiden_communities", "community_members", "community_events", "chain_reports"),
)

_CREATE, _ALTER = sql.SQL("create role {} login"), sql.SQL("alter role {} login")
_LONGEST_NAME = 63  # bytes that Postgres keeps of an identifier


@dataclass(frozen=True, slots=True)
class Login:
    """How the reader's role logs in.

    Attributes:
        url: libpq URL, password included: pass it on, do not print it.
        role: its name.
        password: what follows from the writer's; None: the writer has none, or it was given.
        writer_url: the login that this one was derived from; None: it was given.
    """

    url: str = field(repr=False)
    role: str
    password: str | None = field(repr=False, default=None)
    writer_url: str | None = field(repr=False, default=None)

    @classmethod
    def given(cls, url: str) -> Self:
        """A login of its own, as `FINRAG_READER_URL` has it."""
        return cls(url, _user(read_url(url, READER_URL)))

    @classmethod
    def derived(cls, writer_url: str) -> Self:
        """The login beside a writer's: `<writer>_reader`, its password a keyed hash of the other.

        Who knows the writer's password can read anyway; the hash leads nobody back to it.
        """
        parameters: dict[str, Any] = read_url(writer_url)
        role = f"{_user(parameters)}_reader".encode()[-_LONGEST_NAME:].decode(errors="ignore")
        own = parameters.get("password") or os.environ.get("PGPASSWORD")
        password = own and hmac.digest(own.encode(), f"reader {role}".encode(), "sha256").hex()
        parameters |= {"user": role, "password": password}
        url = make_conninfo(**{name: value for name, value in parameters.items() if value})
        return cls(url, role, password, writer_url)

    @property
    def mend(self) -> str:
        """The statement that makes such a role, for whoever may run it."""
        return f"create role {_quoted(self.role)} login password '…'"


def login_of(settings: Settings, writer_url: str | None) -> Login:
    """The reader's login: the one that is set, else the one that follows from the writer's."""
    if settings.reader_url is not None:
        return Login.given(settings.reader_url)
    assert writer_url is not None
    return Login.derived(writer_url)


def ensure_reader(connection: Connection[DictRow], login: Login) -> None:
    """Make the reader's role where that is possible, and grant it what readers need.

    Called by the writer under the schema lock. What its role may not do is left to `check_reader`
    to tell those whom it concerns.
    """
    rights = connection.execute(Q.rights, {"role": login.role}).fetchone()
    if rights is None or not rights["owns_store"]:
        return
    if not rights["known"]:
        if login.writer_url is None or not rights["creates_roles"]:
            return
        _set_login(connection, login, _CREATE)
    if rights["superuser"] and rights["public_sets"]:
        # a reader could make itself another application's, inside a select
        connection.execute(
            "revoke execute on function pg_catalog.set_config(text, text, boolean) from public"
        )
    given = {"role": login.role, "tables": list(READABLE)}
    if lacking := [row["name"] for row in connection.execute(Q.lacking, given)]:
        connection.execute(
            sql.SQL("grant select on {} to {}").format(
                sql.SQL(", ").join(map(sql.Identifier, lacking)), sql.Identifier(login.role)
            )
        )


def renew_reader(login: Login) -> bool:
    """Let a derived role log in that could not: it is made, or given the password it should have.

    Returns:
        Whether the writer's role could do that.

    Raises:
        StoreUnusable: there is no store to read.
    """
    assert login.writer_url is not None
    with (
        Connection[DictRow].connect(
            login.writer_url, autocommit=True, **connect_options(login.writer_url)
        ) as connection,
        schema_lock(connection),
    ):
        try:
            with connection.transaction():
                ensure_reader(connection, login)
            with connection.transaction():
                _set_login(connection, login, _ALTER)
        except psycopg.errors.UndefinedTable as error:
            raise StoreUnusable(
                "the database holds no store yet: run `finrag ingest PATH` first"
            ) from error
        except (psycopg.errors.UndefinedObject, psycopg.errors.InsufficientPrivilege):
            return False
    return True


def check_reader(connection: Connection[DictRow], server: str) -> str | None:
    """Make sure that a role sees what readers need and can do no more.

    Returns:
        The one application it is bound to; None: it serves any that is set.

    Raises:
        StoreUnusable: it is no role to read as, or the store is not of this version.
    """
    row = connection.execute(Q.login).fetchone()
    assert row is not None  # whoever is logged in has a role
    role = row["role"]
    if beyond := row["attribute"] or row["owned"] or row["member"]:
        raise StoreUnusable(
            f"{server}: the role {role} {beyond}: name one in {READER_URL} that only logs in, "
            f"owns nothing and belongs to no other, e.g. by `{Login('', f'{role}_reader').mend}`"
        )
    version = connection.execute(Q.migrated).fetchone() if row["reads"] else {"version": 0}
    known = len(read_migrations(sql_directory() / "migrations"))
    if version is None or version["version"] < known:
        raise StoreUnusable(
            f"{server} holds no store that {role} can read with this version: run `finrag status` "
            "once as the writer, with FINRAG_DATABASE_URL"
        )
    if version["version"] > known:
        raise StoreUnusable(
            f"the database is at migration {version['version']:04d}, this finrag_pipeline knows "
            f"{known:04d} at most: install the version that wrote it, or a newer one"
        )
    bound = connection.execute(Q.bound).fetchone()
    app_id = bound["app_id"] if bound else None
    if row["sets"] and app_id is None:
        raise StoreUnusable(
            f"{server}: the role {role} could set another application inside a query: run `revoke "
            "execute on function pg_catalog.set_config(text, text, boolean) from public` in the "
            "database as a superuser, or bind the role to one application: `insert into "
            f"reader_applications values ('{role}', 'APP')`"
        )
    return app_id


def _set_login(connection: Connection[DictRow], login: Login, verb: sql.SQL) -> None:
    statement = verb.format(sql.Identifier(login.role))
    if login.password is not None:
        # hashed here: a statement may be logged
        verifier = connection.pgconn.encrypt_password(
            login.password.encode(), login.role.encode(), b"scram-sha-256"
        )
        statement += sql.SQL(" password {}").format(sql.Literal(verifier.decode()))
    try:
        with connection.transaction():
            connection.execute(statement)
    except (psycopg.errors.DuplicateObject, psycopg.errors.UniqueViolation):
        pass  # made this instant for another database of the same server


def _user(parameters: dict[str, Any]) -> str:
    return parameters.get("user") or os.environ.get("PGUSER") or getpass.getuser()


def _quoted(name: str) -> str:
    return sql.Identifier(name).as_string()
