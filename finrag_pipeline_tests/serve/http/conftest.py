"""The server over the fresh database, spoken to as any client does."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from finrag_pipeline.serve.http.app import create_app
from finrag_pipeline.serve.service import Service, open_service
from finrag_pipeline.settings import Settings


@pytest.fixture
def service(settings: Settings) -> Iterator[Service]:
    with open_service(settings, writing=True) as opened:
        yield opened


@pytest.fixture
def app(service: Service) -> FastAPI:
    return create_app(service)


@pytest.fixture
def client(app: FastAPI) -> Iterator[TestClient]:
    # errors are to be answered, not raised
    with TestClient(app, "http://127.0.0.1", raise_server_exceptions=False) as opened:
        yield opened
