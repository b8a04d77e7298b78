"""`finrag mcp` as a process of its own, by the official client over its standard streams."""

from __future__ import annotations

import json
import subprocess

import anyio
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from finrag_pipeline.settings import Settings
from finrag_pipeline_tests.paths import SAMPLES
from finrag_pipeline_tests.serve.conftest import command, environment
from finrag_pipeline_tests.serve.samples import OTHER, OTHERS_COMPANY


def variables(settings: Settings) -> dict[str, str]:
    return environment(settings) | {"FINRAG_REGISTRY": str(SAMPLES / "registry.csv")}


def test_a_client_starts_it_for_one_application(sample_store: Settings) -> None:
    program, *arguments = command("mcp", "--app", OTHER)
    parameters = StdioServerParameters(command=program, args=arguments, env=variables(sample_store))

    async def run() -> None:
        async with Client(stdio_client(parameters)) as client:
            assert len((await client.list_tools()).tools) == 6
            held = await client.call_tool("query_figures", {"company": OTHERS_COMPANY})
            assert held.structured_content is not None and held.structured_content["total"] > 0
            lost = await client.call_tool("query_figures", {"company": "星河新材"})
            assert lost.is_error

    anyio.run(run)


def test_standard_output_carries_the_protocol_alone(sample_store: Settings) -> None:
    started = {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    }
    messages = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": started},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {
            "jsonrpc": "2.0",
            "id": 2,
            "method": "tools/call",
            "params": {"name": "ask", "arguments": {"question": "没有这家公司的目标价是多少？"}},
        },
    ]
    process = subprocess.Popen(
        command("mcp"),
        env=variables(sample_store),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdin is not None and process.stdout is not None
    for message in messages:
        process.stdin.write(json.dumps(message) + "\n")
    process.stdin.flush()
    replies = [json.loads(process.stdout.readline()) for _ in range(2)]
    process.stdin.close()
    rest, errors = process.stdout.read(), process.stderr.read() if process.stderr else ""
    assert process.wait(60) == 0
    assert [each["id"] for each in replies] == [1, 2] and rest == ""
    assert "没有这家公司" not in errors
