"""`finrag serve` as an operator runs it: a process of its own on a port of loopback."""

from __future__ import annotations

import signal
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
import requests

from finrag_pipeline.settings import Settings
from finrag_pipeline_tests.serve.conftest import Finrag, command, environment


@pytest.fixture
def serving(settings: Settings, tmp_path: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The process and its URL."""
    with (tmp_path / "errors.log").open("w") as errors:
        process = subprocess.Popen(
            command("serve", "--port", "0"),
            env=environment(settings),
            cwd=tmp_path,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
        )
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            assert line.startswith("finrag serves http://"), (tmp_path / "errors.log").read_text()
            yield process, line.split()[-1]
        finally:
            process.kill()
            process.wait()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_answers_until_it_is_told_to_end(
    serving: tuple[subprocess.Popen[str], str], tmp_path: Path, number: signal.Signals
) -> None:
    process, url = serving
    health = requests.get(f"{url}healthz", timeout=30)
    assert (health.status_code, health.json()["status"]) == (200, "ok")
    assert "server" not in health.headers
    process.send_signal(number)
    assert process.wait(timeout=30) == 0
    assert "Traceback" not in (tmp_path / "errors.log").read_text()


def test_a_port_in_use_is_one_clear_line(finrag: Finrag) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        done = finrag("serve", "--port", str(taken.getsockname()[1]))
    assert done.returncode == 1
    assert done.stderr.startswith("finrag: cannot listen at 127.0.0.1 port")
    assert done.stderr.count("\n") == 1
