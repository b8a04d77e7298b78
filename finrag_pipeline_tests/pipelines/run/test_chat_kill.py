"""`kill -9` at any moment of an extraction: what was answered is not asked for again."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from pytest_httpserver import HTTPServer

from finrag_pipeline.pipelines.run.chat_session import IN_FLIGHT
from finrag_pipeline.settings import Settings
from finrag_pipeline_tests.models.servers import Answer, ModelHost, first_words, passage_of

pytestmark = pytest.mark.faults


@pytest.fixture
def host() -> Iterator[ModelHost]:
    """A chat model that takes its time, so that requests are under way when a process dies."""

    def slowly(body: Any) -> Answer:
        time.sleep(0.02)
        return first_words(body)

    with HTTPServer(threaded=True) as server:
        yield ModelHost(server, "/chat/completions", slowly)


CHUNKS = 60
KILLS = 10
_PROGRAM = """
import sys
from finrag_pipeline.settings import load_settings
from finrag_pipeline.store.database.connections import Database
from finrag_pipeline_tests.pipelines.graph.test_chat_extraction import METADATA, chunks, document
from finrag_pipeline.pipelines.graph.chat_extraction import ChatExtractor
from finrag_pipeline.pipelines.run.chat_session import chat_session

settings = load_settings()
with Database.open(settings) as database:
    extractor = ChatExtractor(chat_session(database, settings, settings.app), "full")
    found = extractor.extract(document(), METADATA, chunks(int(sys.argv[1])))
assert all(each.mentions for each in found)
"""


def extracting(settings: Settings, host: ModelHost, model: str) -> subprocess.Popen[bytes]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("FINRAG_")}
    variables = kept | {
        "FINRAG_HOME": str(settings.home),
        "FINRAG_DATABASE_URL": settings.database_url or "",
        "FINRAG_CHAT_BASE_URL": host.url,
        "FINRAG_CHAT_MODEL": model,
    }
    return subprocess.Popen([sys.executable, "-c", _PROGRAM, str(CHUNKS)], env=variables)


def test_kill_at_ten_moments_repeats_only_what_was_under_way(
    settings: Settings, host: ModelHost
) -> None:
    for n in range(KILLS):
        host.asked.clear()
        # another model is another request: nothing is kept from the kill before
        process = extracting(settings, host, f"killed{n}")
        moment = 1 + n * CHUNKS // KILLS
        while len(host.asked) < moment and process.poll() is None:
            time.sleep(0.001)
        process.kill()
        process.wait()
        asked_before = len(host.asked)
        assert asked_before >= moment
        assert extracting(settings, host, f"killed{n}").wait() == 0
        asked = Counter(passage_of(body) for body in host.asked)
        assert len(asked) == CHUNKS
        repeated = sum(asked.values()) - CHUNKS
        assert repeated <= IN_FLIGHT, f"killed after {asked_before} requests: {repeated} repeated"
