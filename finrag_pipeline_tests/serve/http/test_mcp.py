"""The tools at /mcp, by the official client: the same access as every other route."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import anyio
import pytest
import requests
from fastapi.testclient import TestClient
from mcp.client.client import Client

from finrag_pipeline.serve.http.app import create_app
from finrag_pipeline.serve.service import Service
from finrag_pipeline.store.access import api_tokens
from finrag_pipeline_tests.serve.samples import OTHER, OTHERS_COMPANY
from finrag_pipeline_tests.store.facts.rows import add_facts, fact

CALL = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "tools/call",
    "params": {"name": "query_figures", "arguments": {"company": "300999"}},
}
LIST = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
ACCEPT = {"Accept": "application/json, text/event-stream"}


def called(url: str, tool: str, arguments: dict[str, Any], mode: str = "auto") -> Any:
    async def run() -> Any:
        async with Client(url, mode=mode) as client:
            return await client.call_tool(tool, arguments)

    return anyio.run(run)


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_clients_of_either_protocol_get_answers(samples_url: str, mode: str) -> None:
    asked = {"question": "星河新材的目标价是多少？"}
    answer = called(f"{samples_url}/mcp", "ask", asked, mode)
    assert answer.structured_content["status"] == "answered"
    assert any(each.type == "resource_link" for each in answer.content)


def test_an_application_is_named_by_the_address_where_no_token_binds(samples_url: str) -> None:
    whose = {"company": OTHERS_COMPANY}
    assert called(f"{samples_url}/mcp", "query_figures", whose).is_error
    theirs = called(f"{samples_url}/mcp?app={OTHER}", "query_figures", whose)
    assert theirs.structured_content["total"] > 0


def test_pages_of_other_sites_and_other_hosts_are_refused(samples_url: str) -> None:
    for headers, status in (
        ({"Origin": "https://evil.example"}, 403),
        ({"Origin": samples_url}, 200),
        ({}, 200),
    ):
        answer = requests.post(
            f"{samples_url}/mcp", json=LIST, headers=ACCEPT | headers, timeout=60
        )
        assert answer.status_code == status, (headers, answer.text)
    assert requests.post(
        f"{samples_url}/mcp", data="{", headers=ACCEPT, timeout=60
    ).status_code in (
        400,
        415,
    )


@pytest.fixture
def guarded(service: Service) -> Iterator[TestClient]:
    """A server that asks for tokens, with figures of one company in two applications."""
    with service.writer.transaction() as connection:
        for app_id, value in (("a", 1111), ("b", 2222)):
            add_facts(connection, f"of-{app_id}", [fact(value)], app_id=app_id)
    with TestClient(create_app(service, needs_token=True), "http://research.example") as opened:
        yield opened


def test_a_token_says_whose_rows_a_tool_sees(guarded: TestClient, service: Service) -> None:
    assert guarded.post("/mcp", json=CALL, headers=ACCEPT).status_code == 401
    for app_id, own, others in (("a", "1111", "2222"), ("b", "2222", "1111")):
        with service.writer.transaction() as connection:
            _, token = api_tokens.create(connection, app_id, ["read"])
        headers = ACCEPT | {"Authorization": f"Bearer {token}"}
        told = guarded.post("/mcp", json=CALL, headers=headers)
        assert told.status_code == 200
        assert own in told.text and others not in told.text
        other = guarded.post(
            f"/mcp?app={'b' if app_id == 'a' else 'a'}", json=CALL, headers=headers
        )
        assert other.status_code == 403
