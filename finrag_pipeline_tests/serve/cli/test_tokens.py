"""`finrag tokens`: made once, listed without secrets, revoked."""

from __future__ import annotations

import json

from finrag_pipeline.store.access import api_tokens
from finrag_pipeline.store.database.connections import Database
from finrag_pipeline_tests.serve.conftest import Finrag


def test_a_token_is_made_listed_and_revoked(finrag: Finrag, database: Database) -> None:
    made = json.loads(
        finrag("tokens", "create", "desk", "--app", "a", "--days", "30", "--json").stdout
    )
    with database.transaction() as connection:
        grant = api_tokens.check(connection, made["token"])
    assert grant is not None
    assert (grant.app_id, grant.scopes) == ("a", {"read"})
    listed = finrag("tokens", "list", "--app", "a", "--json").stdout
    (token,) = json.loads(listed)["tokens"]
    assert (token["token_id"], token["name"], token["revoked_at"]) == (
        made["token_id"],
        "desk",
        None,
    )
    assert token["expires_at"] is not None
    assert made["token"] not in listed
    assert finrag("tokens", "revoke", made["token_id"], "--app", "a").returncode == 0
    with database.transaction() as connection:
        assert api_tokens.check(connection, made["token"]) is None
    again = finrag("tokens", "revoke", made["token_id"], "--app", "a")
    assert (again.returncode, again.stderr.count("\n")) == (1, 1)


def test_on_a_terminal_the_token_stands_alone(finrag: Finrag) -> None:
    made = finrag("tokens", "create", "desk", "--scope", "admin")
    assert api_tokens.is_token(made.stdout.strip())
    assert finrag("tokens", "create", "desk", "--scope", "all").returncode == 2
    assert "desk" in finrag("tokens", "list").stdout
