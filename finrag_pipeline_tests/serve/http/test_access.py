"""Who may ask: tokens of one application, loopback without any, limits, hosts, sizes."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from fastapi.testclient import TestClient

from finrag_pipeline.serve.http.access import COOKIE
from finrag_pipeline.serve.http.app import create_app
from finrag_pipeline.serve.http.guards import MAX_BODY_BYTES
from finrag_pipeline.serve.service import Service
from finrag_pipeline.settings import Settings
from finrag_pipeline.store.access import api_tokens
from finrag_pipeline_tests.serve.conftest import Finrag
from finrag_pipeline_tests.serve.http.conftest import LOOPBACK

QUESTION = {"question": "毛利率是多少？"}


@pytest.fixture
def guarded(service: Service) -> Iterator[TestClient]:
    """The server as it is at an address other than loopback."""
    with TestClient(create_app(service, needs_token=True), "http://research.example") as opened:
        yield opened


def make(service: Service, app_id: str = "a", *scopes: str) -> dict[str, str]:
    """Headers with a new token."""
    with service.writer.transaction() as connection:
        _, token = api_tokens.create(connection, app_id, scopes or ["read"])
    return {"Authorization": f"Bearer {token}"}


def test_without_a_valid_token_nothing_is_told(guarded: TestClient, service: Service) -> None:
    valid = make(service)
    for headers in ({}, {"Authorization": "Bearer none"}, {"Authorization": "Basic YTpi"}):
        response = guarded.post("/v1/search", json=QUESTION, headers=headers)
        assert response.status_code == 401, headers
        assert response.headers["www-authenticate"] == "Bearer"
    other = {"Authorization": valid["Authorization"][:-3] + "abc"}
    assert guarded.post("/v1/search", json=QUESTION, headers=other).status_code == 401
    assert guarded.post("/v1/search", json=QUESTION, headers=valid).status_code == 200
    assert guarded.get("/healthz").status_code == 200


def test_a_token_has_one_application(guarded: TestClient, service: Service) -> None:
    headers = make(service, "a")
    for given in ({"json": QUESTION | {"app": "b"}}, {"json": QUESTION, "params": {"app": "b"}}):
        response = guarded.post("/v1/search", headers=headers, **given)
        assert (response.status_code, response.json()["error"]["type"]) == (
            403,
            "other_application",
        )
    same = QUESTION | {"app": "a"}
    assert guarded.post("/v1/search", headers=headers, json=same).status_code == 200


def test_a_token_binds_on_loopback_too(client: TestClient, service: Service) -> None:
    headers = make(service, "a")
    body = QUESTION | {"app": "b"}
    assert client.post("/v1/search", json=body).status_code == 200
    assert client.post("/v1/search", json=body, headers=headers).status_code == 403
    # clients of OpenAI's protocol send some key, whatever it is
    other = {"Authorization": "Bearer sk-none"}
    assert client.post("/v1/search", json=body, headers=other).status_code == 200


def test_what_a_proxy_forwards_is_not_from_loopback(client: TestClient) -> None:
    for name in ("X-Forwarded-For", "Forwarded", "X-Real-IP"):
        response = client.post("/v1/search", json=QUESTION, headers={name: "203.0.113.9"})
        assert response.status_code == 401


def test_a_token_in_the_cookie_of_the_page(guarded: TestClient, service: Service) -> None:
    token = make(service)["Authorization"].removeprefix("Bearer ")
    guarded.cookies.set(COOKIE, token)
    assert guarded.post("/v1/search", json=QUESTION).status_code == 200


def test_signing_in_on_the_page(guarded: TestClient, service: Service) -> None:
    first = guarded.get("/", follow_redirects=False)
    assert (first.status_code, first.headers["location"]) == (303, "/sign-in")
    assert guarded.post("/sign-in", data={"token": "none"}).status_code == 401
    token = make(service)["Authorization"].removeprefix("Bearer ")
    signed = guarded.post("/sign-in", data={"token": token}, follow_redirects=False)
    cookie = signed.headers["set-cookie"].lower()
    assert (signed.status_code, signed.headers["location"]) == (303, "/")
    assert "httponly" in cookie and "samesite=strict" in cookie
    assert guarded.get("/", follow_redirects=False).status_code == 200
    guarded.post("/sign-out")
    assert guarded.get("/", follow_redirects=False).status_code == 303


def test_what_another_page_can_send_marks_nothing(client: TestClient) -> None:
    # a form of another origin sends such types without asking first
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data"):
        response = client.post(
            "/v1/feedback",
            content=b'{"question": "a", "verdict": "bad"}',
            headers={"Content-Type": kind},
        )
        assert response.status_code == 422, kind


def test_scopes(guarded: TestClient, service: Service) -> None:
    reading, admin = make(service, "a", "read"), make(service, "a", "admin")
    response = guarded.get("/v1/feedback", headers=reading)
    assert (response.status_code, response.json()["error"]["type"]) == (403, "scope_missing")
    assert guarded.get("/v1/feedback", headers=admin).json() == {"marks": []}
    assert guarded.post("/v1/search", json=QUESTION, headers=admin).status_code == 200


def test_who_asks_too_often_is_told_how_long_to_wait(settings: Settings, service: Service) -> None:
    service.settings = settings.model_copy(update={"serve_requests_per_minute": 2})
    with TestClient(create_app(service), LOOPBACK) as client:
        headers = make(service)
        for _ in range(2):
            assert client.get("/v1/models", headers=headers).status_code == 200
        response = client.get("/v1/models", headers=headers)
        assert (response.status_code, response.json()["error"]["type"]) == (
            429,
            "too_many_requests",
        )
        assert 1 <= int(response.headers["retry-after"]) <= 61
        # others are not kept from asking
        assert client.get("/v1/models", headers=make(service)).status_code == 200
        assert client.get("/v1/models").status_code == 200


def test_a_host_of_others_is_refused_on_loopback(client: TestClient, guarded: TestClient) -> None:
    for host in ("rebound.example", "rebound.example:8000", "127.0.0.1.rebound.example", "[", ""):
        response = client.get("/healthz", headers={"Host": host})
        assert (response.status_code, response.json()["error"]["type"]) == (400, "unknown_host")
        assert "content-security-policy" in response.headers
    for host in ("localhost", "localhost:8000", "127.0.0.1:1", "[::1]:8000"):
        assert client.get("/healthz", headers={"Host": host}).status_code == 200
    assert guarded.get("/healthz").status_code == 200


def test_a_body_is_bounded(client: TestClient) -> None:
    large = b'{"question": "' + b"x" * MAX_BODY_BYTES + b'"}'
    json = {"Content-Type": "application/json"}

    def pieces() -> Iterator[bytes]:
        for start in range(0, len(large), 2**16):
            yield large[start : start + 2**16]

    for content in (large, pieces()):
        response = client.post("/v1/search", content=content, headers=json)
        assert (response.status_code, response.json()["error"]["type"]) == (413, "body_too_large")


def test_no_other_origin_is_let_in(client: TestClient) -> None:
    headers = {"Origin": "http://evil.example", "Access-Control-Request-Method": "POST"}
    for response in (
        client.options("/v1/search", headers=headers),
        client.post("/v1/search", json=QUESTION, headers=headers),
    ):
        assert not [name for name in response.headers if name.startswith("access-control")]


def test_metrics_are_for_the_host_itself_and_for_admins(service: Service) -> None:
    app = create_app(service, needs_token=True)
    near = TestClient(app, LOOPBACK, client=("127.0.0.1", 50000))
    far = TestClient(app, LOOPBACK, client=("192.0.2.7", 50000))
    assert near.get("/metrics").status_code == 200
    proxied = {"X-Forwarded-For": "192.0.2.7"}
    for refused in (far.get("/metrics"), near.get("/metrics", headers=proxied)):
        assert refused.status_code == 401
    assert far.get("/metrics", headers=make(service, "a", "read")).status_code == 403
    for client, headers in ((far, {}), (near, proxied)):
        allowed = make(service, "a", "admin") | headers
        assert client.get("/metrics", headers=allowed).status_code == 200


def test_another_address_is_refused_without_tokens(finrag: Finrag) -> None:
    done = finrag("serve", "--host", "0.0.0.0", "--port", "0")
    assert (done.returncode, done.stdout) == (1, "")
    assert "finrag tokens create" in done.stderr
    assert done.stderr.count("\n") == 1
