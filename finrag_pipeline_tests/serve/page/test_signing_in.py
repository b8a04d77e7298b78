"""Where a token is needed, the page asks for it once; scripts never see it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from fastapi.testclient import TestClient

from finrag_pipeline.serve.http.app import create_app
from finrag_pipeline.serve.service import Service
from finrag_pipeline.store.access import api_tokens


@pytest.fixture
def guarded(service: Service) -> Iterator[TestClient]:
    """A client of a server that wants tokens."""
    with TestClient(create_app(service, needs_token=True), "http://research.example") as opened:
        yield opened


def test_a_page_without_a_token_leads_to_the_box_for_one(guarded: TestClient) -> None:
    for address in ("/", "/documents", "/companies", "/morning"):
        response = guarded.get(address, follow_redirects=False)
        assert (response.status_code, response.headers["location"]) == (303, "/sign-in")
    assert 'name="token"' in guarded.get("/sign-in").text


def test_a_token_that_is_not_valid_is_refused_where_it_was_typed(guarded: TestClient) -> None:
    response = guarded.post("/sign-in", data={"token": "guessed"})
    assert response.status_code == 401
    assert 'role="alert"' in response.text
    assert "finrag_token" not in guarded.cookies


def test_a_token_opens_the_page_until_it_is_forgotten(
    service: Service, guarded: TestClient
) -> None:
    with service.writer.transaction() as connection:
        _, token = api_tokens.create(connection, "default", ["read"])
    response = guarded.post("/sign-in", data={"token": token}, follow_redirects=False)
    assert response.status_code == 303
    cookie = response.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert "Sign out" in guarded.get("/documents").text
    guarded.post("/sign-out")
    assert guarded.get("/documents", follow_redirects=False).status_code == 303
