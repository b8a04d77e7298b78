"""The tools as any client calls them, in one process: what they see, and how they refuse."""

from __future__ import annotations

import base64
from collections.abc import Awaitable, Callable
from typing import Any

import anyio
import pytest
from mcp.client.client import Client
from mcp.types import CallToolResult, TextContent

from finrag_pipeline.serve.http.page_images import PageImages
from finrag_pipeline.serve.mcp.tools import Host, make_server
from finrag_pipeline.serve.service import Service
from finrag_pipeline_tests.serve.samples import OTHER, OTHERS_COMPANY

Talk = Callable[..., Any]
TOOLS = {"search", "ask", "get_page", "query_figures", "neighbours", "communities"}


@pytest.fixture
def talk(sample_service: Service) -> Talk:
    """`talk(conversation, app_id)` lets a client speak to the tools of an application."""

    def talk(conversation: Callable[[Client], Awaitable[Any]], app_id: str = "default") -> Any:
        images, turns = PageImages(), anyio.CapacityLimiter(2)
        host = Host(sample_service, lambda _: app_id, lambda: images, lambda: turns)

        async def run() -> Any:
            async with Client(make_server(host)) as client:
                return await conversation(client)

        try:
            return anyio.run(run)
        finally:
            images.close()

    return talk


def text(result: CallToolResult) -> str:
    first = result.content[0]
    assert isinstance(first, TextContent)
    return first.text


def test_every_tool_answers_with_an_object(talk: Talk) -> None:
    async def conversation(client: Client) -> None:
        tools = {each.name: each for each in (await client.list_tools()).tools}
        assert set(tools) == TOOLS
        for tool in tools.values():
            assert tool.annotations is not None and tool.annotations.read_only_hint
            assert tool.output_schema is not None and tool.output_schema["type"] == "object"
        answer = await client.call_tool("ask", {"question": "星河新材的目标价是多少？"})
        assert answer.structured_content is not None
        assert answer.structured_content["status"] == "answered"
        assert "31.00" in text(answer) and "[1]" in text(answer)
        cited = answer.structured_content["evidence"][0]
        link = next(each for each in answer.content if each.type == "resource_link")
        page = {"document_id": cited["document_id"], "page": cited["page"]}
        shown = await client.call_tool("get_page", page)
        assert shown.structured_content is not None
        assert shown.structured_content["image"] == link.uri
        assert "31.00" in text(shown)
        image = (await client.read_resource(link.uri)).contents[0]
        assert base64.b64decode(image.blob).startswith(b"\x89PNG")  # type: ignore
        found = await client.call_tool("search", {"question": "碳酸锂价格", "k": 3})
        assert found.structured_content is not None
        assert len(found.structured_content["results"]) == 3
        margin = await client.call_tool("query_figures", {"company": "688991", "metric": "毛利率"})
        assert margin.structured_content is not None
        assert margin.structured_content["series"]["points"][0]["workings"]
        near = await client.call_tool("neighbours", {"entity": "星河新材"})
        assert near.structured_content is not None
        assert near.structured_content["quotes"][0]["statements"][0]["quote"]["page"] >= 1

    talk(conversation)


def test_a_day_and_a_company_narrow_what_is_seen(talk: Talk) -> None:
    async def conversation(client: Client) -> None:
        asked = {"question": "星河新材的目标价是多少？", "as_of": "2025-06-30"}
        answer = await client.call_tool("ask", asked)
        assert "38.00" in text(answer) and "31.00" not in text(answer)
        figures = {"company": "星河新材", "nature": "forecast", "as_of": "2025-06-30"}
        held = await client.call_tool("query_figures", figures)
        assert held.structured_content is not None
        assert {each["broker"] for each in held.structured_content["figures"]} == {"云麓证券"}
        only = {"question": "产能", "company": "澄光储能"}
        found = await client.call_tool("search", only)
        assert found.structured_content is not None
        codes = {each["company_code"] for each in found.structured_content["results"]}
        assert codes <= {"688992.SH", "04917.HK"}

    talk(conversation)


def test_errors_say_what_to_change_and_nothing_of_the_server(talk: Talk) -> None:
    wrong = {
        "query_figures": {"company": OTHERS_COMPANY},
        "get_page": {"document_id": "unknown", "page": 1},
        "ask": {"question": "  "},
        "neighbours": {"entity": "没有这个"},
        "communities": {},
    }

    async def conversation(client: Client) -> dict[str, str]:
        told: dict[str, str] = {}
        for tool, arguments in wrong.items():
            result = await client.call_tool(tool, arguments)
            assert result.is_error, tool
            told[tool] = text(result)
        unreadable = await client.call_tool("search", {"question": "x", "k": 0})
        assert unreadable.is_error and "greater than or equal to 1" in text(unreadable)
        return told

    told = talk(conversation)
    assert "no document is about a company" in told["query_figures"]
    assert "the question is empty" in told["ask"]
    assert "finrag rebuild" in told["communities"]
    assert not any("/" in line.replace("`/v1", "") and "home" in line for line in told.values())


def test_one_application_is_seen_alone(talk: Talk) -> None:
    async def conversation(client: Client) -> tuple[bool, str]:
        held = await client.call_tool("query_figures", {"company": OTHERS_COMPANY})
        answer = await client.call_tool("ask", {"question": "星河新材的目标价是多少？"})
        return held.is_error or False, text(answer)

    lost, _ = talk(conversation)
    held, answer = talk(conversation, OTHER)
    assert lost and not held
    assert "31.00" not in answer
