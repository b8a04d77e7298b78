"""`finrag serve` as an operator runs it: a process of its own on a port of loopback."""

from __future__ import annotations

import signal
import socket
from pathlib import Path

import pytest
import requests

from finrag_pipeline.settings import Settings
from finrag_pipeline_tests.serve.conftest import Finrag
from finrag_pipeline_tests.serve.serving import served


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_answers_until_it_is_told_to_end(
    settings: Settings, tmp_path: Path, number: signal.Signals
) -> None:
    with served(settings, tmp_path) as serving:
        health = requests.get(f"{serving.url}healthz", timeout=30)
        assert (health.status_code, health.json()["status"]) == (200, "ok")
        assert "server" not in health.headers
        serving.process.send_signal(number)
        assert serving.process.wait(timeout=30) == 0
        assert "exception" not in serving.log.read_text()


def test_a_port_in_use_is_one_clear_line(finrag: Finrag) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        done = finrag("serve", "--port", str(taken.getsockname()[1]))
    assert done.returncode == 1
    assert done.stderr.startswith("finrag: cannot listen at 127.0.0.1 port")
    assert done.stderr.count("\n") == 1
