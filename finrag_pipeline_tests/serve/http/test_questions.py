"""Searches and questions by HTTP: the contract's form, the command line's options, no other app."""

from __future__ import annotations

import json
import logging
from typing import Any

import pytest
from fastapi.testclient import TestClient

from finrag_pipeline.query.question.options import Options
from finrag_pipeline.serve.http.results import AskResponse, SearchResponse
from finrag_pipeline.serve.service import Service
from finrag_pipeline_tests.paths import SAMPLES
from finrag_pipeline_tests.serve.samples import OTHER, OTHERS_COMPANY, OTHERS_DOCUMENT

QUESTION = "星河新材的目标价是多少？"
QUESTIONS = [json.loads(line)["question"] for line in (SAMPLES / "questions.jsonl").open()]


def without_times(answer: dict[str, Any]) -> dict[str, Any]:
    return {name: each for name, each in answer.items() if name != "latency_ms"}


@pytest.mark.parametrize("question", [*QUESTIONS, "净利润是多少？", "明天股价会涨吗？"])
def test_the_forms_of_openapi_are_the_true_ones(samples: TestClient, question: str) -> None:
    found = samples.post("/v1/search", json={"question": question})
    SearchResponse.model_validate_json(found.content)
    answered = samples.post("/v1/ask", json={"question": question})
    AskResponse.model_validate_json(answered.content)


def test_an_answer_is_that_of_the_engine(samples: TestClient, sample_service: Service) -> None:
    given = {"k": 5, "as_of": "2025-06-30", "company": "星河新材", "kind": "number"}
    answer = samples.post("/v1/ask", json={"question": QUESTION, **given}).json()
    same = sample_service.engine().ask(QUESTION, Options(**given | {"as_of": _day("2025-06-30")}))
    assert without_times(answer) == without_times(json.loads(json.dumps(same.to_dict())))
    assert answer["evidence"]
    assert all(each["published_on"] <= "2025-06-30" for each in answer["evidence"])


def test_a_follow_up_takes_from_earlier_questions_what_it_leaves_out(samples: TestClient) -> None:
    body = {"question": "2024年呢？", "history": ["星河新材2025年的营业收入是多少？"]}
    assert "星河新材" in samples.post("/v1/ask", json=body).json()["route"]["read_as"]


def test_the_app_of_a_request_says_whose_documents_are_read(samples: TestClient) -> None:
    body = {"question": f"{OTHERS_COMPANY}投产后总产能是多少？", "k": 20}
    own = samples.post("/v1/search", json=body).json()["results"]
    assert OTHERS_DOCUMENT not in {each["source"] for each in own}
    for place in ({"json": body | {"app": OTHER}}, {"json": body, "params": {"app": OTHER}}):
        others = samples.post("/v1/search", **place).json()["results"]
        assert {each["source"] for each in others} == {OTHERS_DOCUMENT}


def test_a_stream_says_how_it_was_read_then_its_lines_then_the_whole(samples: TestClient) -> None:
    answer = samples.post("/v1/ask", json={"question": QUESTION}).json()
    accept = {"Accept": "text/event-stream"}
    response = samples.post("/v1/ask", json={"question": QUESTION}, headers=accept)
    assert response.headers["content-type"].startswith("text/event-stream")
    events = [block.split("\n") for block in response.text.strip().split("\n\n")]
    names = [lines[0].removeprefix("event: ") for lines in events]
    data = [json.loads(lines[1].removeprefix("data: ")) for lines in events]
    lines = [each["text"] for name, each in zip(names, data, strict=True) if name == "line"]
    assert names == [
        "reading",
        *["line"] * len(lines),
        *["evidence"] * len(answer["evidence"]),
        "done",
    ]
    assert data[0]["companies"] == ["星河新材"]
    assert "\n".join(lines) == answer["answer"]
    assert without_times(data[-1]) == without_times(answer)


def test_what_cannot_be_asked_has_its_status_before_a_stream_begins(samples: TestClient) -> None:
    body = {"question": QUESTION, "document": "no such document"}
    response = samples.post("/v1/ask", json=body, headers={"Accept": "text/event-stream"})
    assert (response.status_code, response.json()["error"]["type"]) == (404, "not_found")


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"question": ""},
        {"question": " \n"},
        {"question": "x" * 4001},
        {"question": QUESTION, "k": 0},
        {"question": QUESTION, "k": "5"},
        {"question": QUESTION, "as_of": 20260101},
        {"question": QUESTION, "as_of": "2026-02-30"},
        {"question": QUESTION, "lane": "no such lane"},
        {"question": QUESTION, "mode": "no such mode"},
        {"question": QUESTION, "hops": 2},
        {"question": QUESTION, "asof": "2026-02-20"},
    ],
)
def test_a_request_that_is_wrong_is_told_what_is(samples: TestClient, body: dict[str, Any]) -> None:
    response = samples.post("/v1/ask", json=body)
    assert response.status_code == 422
    assert set(response.json()["error"]) == {"type", "message", "mend"}


def test_a_question_is_in_no_log(samples: TestClient, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO):
        samples.post("/v1/ask", json={"question": QUESTION})
        samples.post("/v1/ask", json={"question": QUESTION, "document": QUESTION})
    assert QUESTION not in caplog.text


def _day(text: str) -> Any:
    from datetime import date

    return date.fromisoformat(text)
