"""A Postgres of a test's own, which may be stopped, and folders that may be full."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import psycopg
import pytest

from finrag_pipeline.settings import Settings
from finrag_pipeline.store.database.connections import Database
from finrag_pipeline.store.embedded import postmaster
from finrag_pipeline.store.embedded.server import embedded_server_url, stop_embedded_server
from finrag_pipeline_tests.paths import SAMPLE_PDFS
from finrag_pipeline_tests.serve.conftest import environment
from finrag_pipeline_tests.serve.forked import Forked, ForkServer

_PROGRESS = re.compile(r"\w+ \d+ of \d+")
REPORTS = ("alder_petfood_hogs_20260210.pdf", "qiling_tinglan_notes_20240912.pdf")


@dataclass(frozen=True)
class OwnPostgres:
    """A server that nobody starts again but the test: to processes it is one of the operator's.

    Attributes:
        home: where it has its files; not the home of the processes.
        settings: of processes that use it.
    """

    home: Path
    settings: Settings

    def stop(self) -> None:
        """As `systemctl stop postgresql` does: connections end at once."""
        postmaster.stop(self.home / "postgres")

    def start(self) -> None:
        postmaster.start(self.home / "postgres")

    def restart(self) -> None:
        self.stop()
        self.start()

    def connect(self) -> psycopg.Connection:
        return psycopg.connect(self.settings.database_url or "", autocommit=True)


@contextmanager
def own_postgres(home: Path, folder: Path) -> Generator[OwnPostgres]:
    """A server under a home, with an empty store; `folder` is for everything else."""
    inbox = folder / "inbox"
    inbox.mkdir(parents=True)
    try:
        settings = Settings(
            _env_file=None,
            home=folder / "home",
            database_url=embedded_server_url(home),
            inbox=str(inbox),
        )
        Database.open(settings).close()
        yield OwnPostgres(home, settings)
    finally:
        stop_embedded_server(home)


@pytest.fixture
def postgres(home_parent: Path, tmp_path: Path) -> Iterator[OwnPostgres]:
    home = Path(tempfile.mkdtemp(prefix="finrag-", dir=home_parent))
    try:
        with own_postgres(home, tmp_path) as server:
            yield server
    finally:
        shutil.rmtree(home)


@contextmanager
def mounted(path: Path, *options: str) -> Generator[None]:
    """A small file system on `path`, where this process may mount one."""
    path.mkdir(exist_ok=True)
    mount = ["mount", "-t", "tmpfs", "-o", ",".join(options), "tmpfs", str(path)]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("mounting a small file system needs root")
    try:
        yield
    finally:
        subprocess.run(["umount", "-l", str(path)], check=True)


def fill(folder: Path) -> Path:
    """Take what is free on a file system; the file that does."""
    path = folder / "filling"
    with path.open("wb", buffering=0) as file:
        piece = bytes(1 << 20)
        while len(piece) > 1:
            try:
                while file.write(piece) == len(piece):
                    pass
            except OSError:
                pass
            piece = piece[: len(piece) // 2]
    return path


@pytest.fixture
def reports(tmp_path: Path) -> Path:
    """A folder with two reports."""
    folder = tmp_path / "reports"
    folder.mkdir()
    for name in REPORTS:
        shutil.copy(SAMPLE_PDFS / name, folder)
    return folder


@dataclass
class Started:
    """A command that runs, and the files of what it says."""

    process: Forked
    out: Path
    err: Path

    def ended(self) -> tuple[int, str, str]:
        """Exit code, standard output and standard error, once it ends."""
        return self.process.wait(), self.out.read_text(), self.err.read_text()


Start = Callable[..., Started]


@pytest.fixture
def start(fork_server: ForkServer, tmp_path: Path) -> Start:
    """Start `finrag ARGUMENTS` over some settings; variables may be overridden by keyword."""
    numbers = count()

    def starting(settings: Settings, *arguments: str, **variables: str) -> Started:
        given = environment(settings) | variables
        out, err = (tmp_path / f"{name}_{next(numbers)}" for name in ("out", "err"))
        with out.open("w") as to_out, err.open("w") as to_err:
            process = fork_server.start(list(arguments), given, tmp_path, to_out, to_err)
        return Started(process, out, err)

    return starting


def complaints(err: str) -> list[str]:
    """Lines of a standard error, without those that tell each minute how far a run is."""
    return [line for line in err.splitlines() if not _PROGRESS.match(line)]


def one_line(err: str) -> str:
    """The only complaint, which is the product's own."""
    lines = complaints(err)
    assert len(lines) == 1 and lines[0].startswith("finrag: "), err
    return lines[0]


def wait_until(holds: Callable[[], bool], timeout_s: float = 60) -> None:
    """Wait until something is so."""
    deadline = time.monotonic() + timeout_s
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.02)
