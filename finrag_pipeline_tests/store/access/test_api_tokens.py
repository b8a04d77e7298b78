"""Tokens in Postgres: their hash alone, of one application, until they end."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from finrag_pipeline.errors import FinragError, NotFound
from finrag_pipeline.store.access import api_tokens
from finrag_pipeline.store.database.connections import Database
from finrag_pipeline.store.database.reader import Reader


def test_a_token_grants_its_application_and_scopes(database: Database) -> None:
    with database.transaction() as connection:
        assert not api_tokens.any_valid(connection)
        token_id, token = api_tokens.create(connection, "a", ["read", "read"], "notebook")
        assert api_tokens.check(connection, token) == api_tokens.Grant(
            token_id, "a", frozenset({"read"})
        )
        (listed,) = api_tokens.list_tokens(connection, "a")
        assert (listed.name, listed.scopes) == ("notebook", ("read",))
        assert listed.last_used_at is not None
        assert not api_tokens.list_tokens(connection, "b")
        assert api_tokens.any_valid(connection)


def test_no_secret_is_stored(database: Database) -> None:
    with database.transaction() as connection:
        _, token = api_tokens.create(connection, "a", ["read"])
        row = connection.execute("select t::text as row from api_tokens t").fetchone()
    assert row is not None
    assert token.rpartition("_")[2] not in row["row"]


def test_what_is_no_token_grants_nothing(database: Database) -> None:
    with database.transaction() as connection:
        _, token = api_tokens.create(connection, "a", ["read"])
        _, other = api_tokens.create(connection, "b", ["read"])
        secret, others_secret = token[len("finrag_") + 13 :], other[len("finrag_") + 13 :]
        for wrong in (
            "",
            "none",
            token[:-1],
            token + "x",
            token.replace(secret, others_secret),
            "finrag_000000000000_" + secret,
            f"{token}\n",
        ):
            assert api_tokens.check(connection, wrong) is None


def test_a_token_ends(database: Database) -> None:
    with database.transaction() as connection:
        past = datetime.now(UTC) - timedelta(seconds=1)
        _, expired = api_tokens.create(connection, "a", ["read"], expires_at=past)
        assert api_tokens.check(connection, expired) is None
        token_id, token = api_tokens.create(connection, "a", ["read"])
        with pytest.raises(NotFound):
            api_tokens.revoke(connection, "b", token_id)
        api_tokens.revoke(connection, "a", token_id)
        assert api_tokens.check(connection, token) is None
        assert not api_tokens.any_valid(connection)
        with pytest.raises(NotFound):
            api_tokens.revoke(connection, "a", token_id)


def test_readers_see_no_tokens(database: Database, reader: Reader) -> None:
    with database.transaction() as connection:
        api_tokens.create(connection, "a", ["read"])
    with pytest.raises(FinragError), reader.reading("a") as connection:
        connection.execute("select * from api_tokens")
