"""What is logged of a question and of an ingest: ids and steps, and no word of either."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import psycopg
import pytest
import requests
from pytest_httpserver import HTTPServer

from finrag_pipeline.settings import Settings
from finrag_pipeline_tests.models.servers import ModelHost, refusal
from finrag_pipeline_tests.paths import SAMPLE_PDFS, SAMPLES
from finrag_pipeline_tests.serve.conftest import Finrag
from finrag_pipeline_tests.serve.serving import served

KEY = "sk-7Qx0-nobody-may-read-this"
QUESTION = "云衍数据的目标价是多少，Zanzibar 怎么看？"
#: Words of the question, and of the passages that answer it.
WORDS = ("云衍", "目标价", "Zanzibar", "怎么看", "评级", KEY)
#: Words of the document that is ingested, none of its name.
DOCUMENT = "qiling_tinglan_notes_20240912.pdf"
DOCUMENT_WORDS = ("汀澜", "宠物", "启岭", KEY)


def lines_of(log: str) -> list[dict[str, Any]]:
    """What was logged, without what a command says to whoever runs it."""
    return [json.loads(line) for line in log.splitlines() if line.startswith("{")]


@pytest.fixture
def chat(httpserver: HTTPServer) -> dict[str, str]:
    """Variables of a chat model that refuses every request, in the words of that request."""
    host = ModelHost(
        httpserver,
        "/chat/completions",
        lambda body: refusal(400, f"{KEY} may not ask {body['messages'][-1]['content']}"),
    )
    return {
        "FINRAG_CHAT_BASE_URL": host.url,
        "FINRAG_CHAT_MODEL": "m",
        "FINRAG_CHAT_API_KEY": KEY,
        "FINRAG_LOG_FORMAT": "json",
    }


def test_a_served_question_leaves_ids_and_no_words(
    sample_store: Settings, tmp_path: Path, chat: dict[str, str]
) -> None:
    bodies = [
        {"question": QUESTION},
        {"question": QUESTION, "document": "Zanzibar.pdf"},
        {"question": QUESTION, "Zanzibar": 1},
    ]
    with served(sample_store, tmp_path, **chat) as serving:
        ask = f"{serving.url}v1/ask"
        replies = [requests.post(ask, json=body, timeout=120) for body in bodies]
        stream = requests.post(
            ask, json=bodies[0], headers={"Accept": "text/event-stream"}, timeout=120
        )
        lost = requests.get(f"{serving.url}v1/Zanzibar?q={QUESTION}", timeout=30)
        log = serving.ended()
    assert [reply.status_code for reply in (*replies, stream, lost)] == [200, 404, 422, 200, 404]
    assert "Zanzibar" in replies[0].text
    for word in WORDS:
        assert word not in log
    lines = lines_of(log)
    asked = [each for each in lines if each["message"] == "ask"]
    assert [each["question_id"] for each in asked] == [
        reply.headers["X-Question-Id"] for reply in (replies[0], replies[1], stream)
    ]
    assert asked[0]["status"] == replies[0].json()["status"]
    assert asked[1]["error"] == "NotFound"
    requested = [each for each in lines if each["message"] == "request"]
    assert [(each["route"], each["status"]) for each in requested] == [
        *(("/v1/ask", reply.status_code) for reply in (*replies, stream)),
        ("unmatched", 404),
    ]
    assert len({reply.headers["X-Question-Id"] for reply in replies}) == 3
    assert "X-Question-Id" not in lost.headers


def test_a_failure_is_logged_by_its_place_and_not_by_its_text(
    settings: Settings, tmp_path: Path
) -> None:
    with served(settings, tmp_path, FINRAG_LOG_FORMAT="text") as serving:
        # what nobody foresaw: what a statement names is gone
        with psycopg.connect(settings.database_url or "") as connection:
            connection.execute("drop view current_documents cascade")
        reply = requests.post(f"{serving.url}v1/ask", json={"question": QUESTION}, timeout=60)
        log = serving.ended()
    assert reply.status_code == 500
    assert "UndefinedTable" in log and "query/engine.py" in log
    assert not any(word in log for word in WORDS)


def test_an_ingest_leaves_ids_and_no_words(
    finrag: Finrag, settings: Settings, chat: dict[str, str]
) -> None:
    shutil.copy(SAMPLE_PDFS / DOCUMENT, settings.inbox)
    (Path(settings.inbox) / "broken.pdf").write_bytes(b"%PDF-1.7 nothing")
    registry = str(SAMPLES / "registry.csv")
    done = finrag("ingest", settings.inbox, "--json", FINRAG_REGISTRY=registry, **chat)
    assert done.returncode == 0, done.stderr
    documents = {
        each["source"]: each["document_id"] for each in json.loads(done.stdout)["documents"]
    }
    lines = lines_of(done.stderr)
    for word in DOCUMENT_WORDS:
        assert word not in json.dumps(lines, ensure_ascii=False)
    assert KEY not in done.stderr
    passed = [each for each in lines if each["message"] == "document"]
    by_document = {each["document_id"] for each in passed}
    assert by_document == set(documents.values())
    assert any(
        each.get("reason") for each in passed if each["document_id"] == documents["broken.pdf"]
    )
    stages = [each["stage"] for each in lines if each["message"] == "stage"]
    assert stages[0] == "cleaned_text" and "indexed_documents" in stages


def test_without_a_format_no_step_is_told(finrag: Finrag, settings: Settings) -> None:
    done = finrag("ingest", str(SAMPLE_PDFS / DOCUMENT), "--json")
    assert done.returncode == 0
    assert "finrag.steps" not in done.stderr and "ERROR" not in done.stderr
