"""Answers marked by HTTP."""

from __future__ import annotations

from fastapi.testclient import TestClient

from finrag_pipeline.store.database.connections import Database
from finrag_pipeline.store.evaluation import feedback
from finrag_pipeline_tests.documents import add_document

QUESTION = "星河新材的毛利率是多少？"


def test_a_mark_is_kept_with_its_application(client: TestClient, database: Database) -> None:
    with database.transaction() as connection:
        add_document(connection, "d1", ["毛利率为18.6%"], source="a.pdf", app_id="other")
    body = {
        "question": QUESTION,
        "verdict": "bad",
        "comment": "the wrong year",
        "expected_pages": [{"document": "a.pdf", "page": 1}],
        "app": "other",
        "as_of": "2026-06-30",
    }
    response = client.post("/v1/feedback", json=body)
    assert response.status_code == 200, response.text
    with database.transaction() as connection:
        (mark,) = feedback.marked(connection, "other")
        assert not feedback.marked(connection, "default")
    assert (mark.id, mark.question, mark.comment) == (
        response.json()["id"],
        QUESTION,
        "the wrong year",
    )
    assert str(mark.as_of) == "2026-06-30"
    assert list(mark.expected_pages) == [{"source": "a.pdf", "page": 1}]


def test_an_expected_page_of_no_document_is_not_found(client: TestClient) -> None:
    body = {"question": QUESTION, "verdict": "good", "expected_pages": [{"document": "no.pdf"}]}
    response = client.post("/v1/feedback", json=body)
    assert (response.status_code, response.json()["error"]["type"]) == (404, "not_found")
