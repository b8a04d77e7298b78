"""The server over a store, spoken to as any client does."""

from __future__ import annotations

import threading
import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager

import pytest
import uvicorn
from fastapi import FastAPI
from fastapi.testclient import TestClient

from finrag_pipeline.serve.http.app import create_app
from finrag_pipeline.serve.http.server import bound
from finrag_pipeline.serve.service import Service, open_service
from finrag_pipeline.settings import Settings

LOOPBACK = "http://127.0.0.1"


@pytest.fixture
def service(settings: Settings) -> Iterator[Service]:
    """Over the fresh database."""
    with open_service(settings, writing=True) as opened:
        yield opened


@pytest.fixture
def app(service: Service) -> FastAPI:
    return create_app(service)


@pytest.fixture
def client(app: FastAPI) -> Iterator[TestClient]:
    # errors are to be answered, not raised
    with TestClient(app, LOOPBACK, raise_server_exceptions=False) as opened:
        yield opened


@pytest.fixture(scope="session")
def samples(sample_service: Service) -> Iterator[TestClient]:
    """A client of the server over the samples; what the server raises, the test does."""
    with TestClient(create_app(sample_service), LOOPBACK) as opened:
        yield opened


@contextmanager
def listening(app: FastAPI) -> Generator[str]:
    """The URL of an app that a real server answers for, on a free port of loopback."""
    taken = bound("127.0.0.1", 0)
    server = uvicorn.Server(uvicorn.Config(app, log_config=None, lifespan="on", ws="none"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [taken]})
    thread.start()
    try:
        while not server.started:
            assert thread.is_alive()
            time.sleep(0.01)
        yield f"http://127.0.0.1:{taken.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()


@pytest.fixture(scope="session")
def samples_url(sample_service: Service) -> Iterator[str]:
    """Of a real server over the samples."""
    with listening(create_app(sample_service)) as url:
        yield url
