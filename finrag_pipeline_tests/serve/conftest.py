"""The command `finrag` as a process of its own, over the fresh database."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest

from finrag_pipeline.serve.service import Service, open_service
from finrag_pipeline.settings import Settings
from finrag_pipeline.store.embedded.server import embedded_server_url
from finrag_pipeline_tests.serve import samples
from finrag_pipeline_tests.serve.forked import ForkServer

Finrag = Callable[..., "subprocess.CompletedProcess[str]"]


def environment(settings: Settings) -> dict[str, str]:
    """Variables of a process that works on the test's store."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("FINRAG_", "DAGSTER_"))}
    return kept | {
        "FINRAG_HOME": str(settings.home),
        "FINRAG_DATABASE_URL": settings.database_url or "",
        "FINRAG_INBOX": settings.inbox,
        "FINRAG_EMBEDDER": settings.embedder or "",
        "FINRAG_WORKERS": "1",
    }


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "finrag_pipeline.serve.cli.main", *arguments]


@pytest.fixture(scope="session")
def fork_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ForkServer]:
    server = ForkServer(tmp_path_factory.mktemp("f"))
    yield server
    server.close()


@pytest.fixture
def finrag(settings: Settings, tmp_path: Path, fork_server: ForkServer) -> Finrag:
    """Run `finrag ARGUMENTS` from an empty folder; variables may be overridden by keyword."""

    def run(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
        return fork_server.run(list(arguments), environment(settings) | variables, tmp_path)

    return run


@pytest.fixture(scope="session")
def sample_store(server_home: Path, _template: str) -> Settings:
    """Settings of a store of the samples in two applications, see `samples`; only to be read."""
    with psycopg.connect(embedded_server_url(server_home, "postgres"), autocommit=True) as admin:
        admin.execute(f"create database samples template {_template}")
    url = embedded_server_url(server_home, "samples")
    with psycopg.connect(url) as connection:
        connection.execute("update store_identity set store_id = gen_random_uuid()")
    return samples.make(Path(tempfile.mkdtemp(prefix="samples-", dir=server_home)), url)


@pytest.fixture(scope="session")
def sample_service(sample_store: Settings) -> Iterator[Service]:
    """Over the samples; only to be read."""
    with open_service(sample_store, writing=True) as opened:
        yield opened
