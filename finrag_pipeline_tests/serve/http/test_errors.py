"""Failures in one form, with nothing of the server in them."""

from __future__ import annotations

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from finrag_pipeline.errors import InvalidQuestion, NotFound, StoreUnavailable


@pytest.mark.parametrize(
    ("error", "status", "type", "message"),
    [
        (InvalidQuestion("k is 0"), 422, "invalid_question", "k is 0"),
        (NotFound("none"), 404, "not_found", "none"),
        (StoreUnavailable("postgres://secret@host"), 503, "store_unavailable", None),
        (RuntimeError("/srv/secret"), 500, "internal_error", None),
    ],
)
def test_each_family_has_its_status_and_form(
    app: FastAPI,
    client: TestClient,
    error: Exception,
    status: int,
    type: str,
    message: str | None,
) -> None:
    @app.get("/fails")
    def fails() -> None:
        raise error

    response = client.get("/fails")
    told = response.json()["error"]
    assert (response.status_code, told["type"]) == (status, type)
    assert told["mend"]
    assert "secret" not in response.text
    if message is not None:
        assert told["message"] == message
    assert ("Retry-After" in response.headers) == (status == 503)


def test_what_there_is_not_has_the_form_too(client: TestClient) -> None:
    assert client.get("/nothing").json()["error"]["type"] == "no_such_route"
    assert client.post("/healthz").json()["error"]["type"] == "method_not_allowed"


def test_every_response_has_the_security_headers(client: TestClient) -> None:
    for path in ("/healthz", "/nothing"):
        headers = client.get(path).headers
        assert "default-src 'none'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cache-control"] == "no-store"
