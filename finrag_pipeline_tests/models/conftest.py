"""A model server for the tests, and waits between requests that are told, not waited."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pytest_httpserver import HTTPServer

from finrag_pipeline_tests.models.servers import ModelHost, embedded, tell_waits


@pytest.fixture(scope="session")
def _listening() -> Iterator[HTTPServer]:
    with HTTPServer(threaded=True) as server:
        yield server


@pytest.fixture
def http_server(_listening: HTTPServer) -> Iterator[HTTPServer]:
    """A server that answers nothing yet."""
    yield _listening
    _listening.clear()


@pytest.fixture
def host(http_server: HTTPServer) -> Iterator[ModelHost]:
    """A server of `/embeddings` that answers every text with its vector."""
    host = ModelHost(http_server, "/embeddings", lambda body: embedded(body["input"]))
    yield host
    host.release.set()


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Seconds that the SDK would have waited before each repeated request."""
    return tell_waits(monkeypatch)
