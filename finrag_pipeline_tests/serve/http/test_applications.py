"""Reads across applications: every route of the OpenAPI document, asked for what another has."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from fastapi.testclient import TestClient

from finrag_pipeline.serve.http.app import create_app
from finrag_pipeline.serve.service import Service
from finrag_pipeline.store.access import api_tokens
from finrag_pipeline_tests.serve.http.conftest import LOOPBACK
from finrag_pipeline_tests.serve.samples import OTHER, OTHERS_COMPANY, OTHERS_DOCUMENT

#: Words of the other application's document that stand in no other.
SAID = "青屿湿粮厂"
QUESTION = f"{OTHERS_COMPANY}的{SAID}湿粮总产能是多少？"
_NO_IDS = {"page": ["1"], "as_of": [], "app": []}


@dataclass(frozen=True, slots=True)
class Request:
    """One way to ask by an operation."""

    method: str
    path: str
    query: dict[str, str]
    body: dict[str, Any] | None

    def send(self, client: TestClient, headers: dict[str, str], app: str = "") -> Any:
        named = {"app": app} if app else {}
        body = {"json": self.body} if self.body is not None else {}
        query = self.query | named
        return client.request(self.method, self.path, params=query, headers=headers, **body)

    @property
    def sent(self) -> str:
        return f"{self.path} {self.query} {self.body}"


@pytest.fixture(scope="module")
def ids(sample_service: Service) -> dict[str, list[str]]:
    """What the other application's rows are called, by what routes call such a thing."""
    with sample_service.reader.reading(OTHER) as connection:
        documents = connection.execute("select document_id from documents").fetchall()
        entities = connection.execute(
            "select entity_id from entities where name like %s", (f"%{OTHERS_COMPANY}%",)
        ).fetchall()
        codes = connection.execute("select company_code from current_documents").fetchall()
        facts = connection.execute(
            "select document_id || '/' || ordinal as id from financial_facts limit 1"
        ).fetchall()
    found = {
        "document": [row["document_id"] for row in documents],
        "entity": [row["entity_id"] for row in entities],
        "compan": [row["company_code"] for row in codes] + [OTHERS_COMPANY],
        "fact": [row["id"] for row in facts],
        "name": [OTHERS_COMPANY, OTHERS_DOCUMENT],
    }
    assert all(found.values())
    return found


@pytest.fixture(scope="module")
def requests(samples: TestClient, ids: dict[str, list[str]]) -> list[Request]:
    document = samples.get("/openapi.json").json()
    return [
        request
        for path, operations in document["paths"].items()
        for method, operation in operations.items()
        if path not in _OF_THE_PROCESS
        for request in _requests(document, path, method, operation, ids)
    ]


#: They tell how the server is, of no application's rows; who may ask is `test_metrics`.
_OF_THE_PROCESS = ("/healthz", "/metrics")


def _requests(
    document: dict[str, Any],
    path: str,
    method: str,
    operation: dict[str, Any],
    ids: dict[str, list[str]],
) -> Iterator[Request]:
    parameters = operation.get("parameters", ())
    in_path = [each["name"] for each in parameters if each["in"] == "path"]
    in_query = [
        each["name"]
        for each in parameters
        if each["in"] == "query" and (each["required"] or _values(each["name"], ids, few=True))
    ]
    body = operation.get("requestBody", {}).get("content", {}).get("application/json")
    bodies: list[dict[str, Any] | None] = [None]
    if body:
        schema = document["components"]["schemas"][body["schema"]["$ref"].rpartition("/")[2]]
        bodies = list(_bodies(schema, ids))
    for values in itertools.product(*(_values(name, ids) for name in in_path)):
        filled = path
        for name, value in zip(in_path, values, strict=True):
            filled = filled.replace(f"{{{name}}}", value)
        queries = [{}, *({name: value} for name in in_query for value in _values(name, ids))]
        for query, sent in itertools.product(queries, bodies):
            yield Request(method.upper(), filled, query, sent)


def _values(name: str, ids: dict[str, list[str]], *, few: bool = False) -> list[str]:
    """What a parameter may name; where its name says nothing, everything that there is."""
    if name in _NO_IDS:
        return _NO_IDS[name]
    named = [value for kind, values in ids.items() if kind in name for value in values]
    return named if named or few else [value for values in ids.values() for value in values]


def _bodies(schema: dict[str, Any], ids: dict[str, list[str]]) -> Iterator[dict[str, Any]]:
    known: dict[str, Any] = {
        "question": QUESTION,
        "verdict": "bad",
        "model": "finrag",
        "messages": [{"role": "user", "content": QUESTION}],
    }
    least = {name: value for name, value in known.items() if name in schema["properties"]}
    yield least
    for name in ("document", "entity", "company"):
        if name in schema["properties"]:
            kind = "compan" if name == "company" else name
            yield from (least | {name: value} for value in ids[kind])
    if "expected_pages" in schema["properties"]:
        yield least | {"expected_pages": [{"document": OTHERS_DOCUMENT}]}


def _bearer(service: Service, app_id: str) -> dict[str, str]:
    with service.writer.transaction() as connection:
        _, token = api_tokens.create(connection, app_id, ["admin"])
    return {"Authorization": f"Bearer {token}"}


@pytest.mark.timeout(600)
def test_a_token_reads_nothing_of_another_application(
    sample_service: Service, requests: list[Request], ids: dict[str, list[str]]
) -> None:
    signs = [*ids["document"], *ids["entity"], OTHERS_DOCUMENT, SAID]
    own, others = _bearer(sample_service, "default"), _bearer(sample_service, OTHER)
    seen: set[tuple[str, str]] = set()
    with TestClient(create_app(sample_service, needs_token=True), LOOPBACK) as client:
        for request in requests:
            response = request.send(client, own)
            assert response.status_code < 500, request
            assert not response.headers["content-type"].startswith("image/"), request
            for sign in signs:
                assert sign in request.sent or sign not in response.text, (request, sign)
            refused = request.send(client, own, OTHER)
            assert refused.status_code == 403, request
            assert request.send(client, {}).status_code in (401, 429), request
            told = request.send(client, others)
            image = told.headers["content-type"].startswith("image/")
            if image or any(s in told.text and s not in request.sent for s in signs):
                seen.add((request.method, request.path.split("/")[2]))
    # whose it is gets it: the requests do ask for it
    assert {("POST", "search"), ("POST", "ask"), ("POST", "chat"), ("GET", "documents")} <= seen
