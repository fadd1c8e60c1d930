"""The MCP server with the official client, over standard input and output and over HTTP."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator

import httpx2
import pytest
from mcp import Client, StdioServerParameters

from detection.doors import mcp
from detection.lab.benchmarks.server import free_port
from tests.doors.corpus import CORPUS

TEXT = CORPUS[1].text
COMMAND = ["-m", "detection.doors.cli.main", "mcp"]


async def test_the_tools_are_told_with_the_form_of_their_results() -> None:
    async with Client(mcp.server) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    assert set(tools) == {"check_text", "check_against_sources", "find_contradictions", "compare_claim"}
    for tool in tools.values():
        assert tool.description
        assert tool.output_schema


async def test_contradictions_and_claims() -> None:
    async with Client(mcp.server) as client:
        found = (await client.call_tool("find_contradictions", {"text": TEXT})).structured_content
        pair = {"claim": "The bridge was opened in 1941.", "evidence": "The bridge was opened in 1932."}
        compared = (await client.call_tool("compare_claim", pair)).structured_content
    assert found is not None
    assert compared is not None
    (finding,) = found["findings"]
    assert finding["quoted"] == "1941"
    assert finding["rewrites"][0] == "The bridge was opened in 1932."
    assert compared["is_contradiction"] is True


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("check_text", {}),
        ("check_text", {"text": 7}),
        ("check_text", {"text": ""}),
        ("check_text", {"text": " "}),
        ("check_text", {"text": "nul \0"}),
        ("check_text", {"text": TEXT, "strictness": "very"}),
        ("check_text", {"text": "a" * 200_001}),
        ("check_against_sources", {"text": TEXT, "sources": []}),
        ("check_against_sources", {"text": TEXT, "sources": [" "]}),
        ("compare_claim", {"claim": "a" * 3_000, "evidence": "b"}),
    ],
)
async def test_bad_input_is_an_error_of_the_tool(tool: str, arguments: dict[str, object]) -> None:
    async with Client(mcp.server) as client:
        answer = await client.call_tool(tool, arguments)
    assert answer.is_error
    assert "Traceback" not in str(answer.content)


@pytest.mark.cluster
async def test_standard_input_and_output() -> None:
    parameters = StdioServerParameters(command=sys.executable, args=COMMAND, env=dict(os.environ))
    async with Client(parameters) as client:
        found = (await client.call_tool("check_text", {"text": TEXT})).structured_content
    assert found is not None
    assert [finding["quoted"] for finding in found["findings"]] == ["1941"]


@pytest.fixture
def http_server() -> Iterator[str]:
    port = free_port()
    process = subprocess.Popen([sys.executable, *COMMAND, "--http", f"127.0.0.1:{port}"])
    url = f"http://127.0.0.1:{port}/mcp"
    try:
        while True:
            try:
                httpx2.get(url, timeout=5, trust_env=False)
                break
            except httpx2.TransportError:
                assert process.poll() is None
                time.sleep(0.1)
        yield url
    finally:
        process.terminate()
        process.wait()


async def test_streamable_http(http_server: str) -> None:
    async with Client(http_server) as client:
        found = (await client.call_tool("check_text", {"text": TEXT})).structured_content
    assert found is not None
    assert [finding["quoted"] for finding in found["findings"]] == ["1941"]
    # DNS rebinding: the host name of another site resolves to this machine.
    rebound = httpx2.post(http_server, json={}, headers={"Host": "evil.example"}, timeout=60)
    assert rebound.status_code in (403, 421)
    foreign = httpx2.post(http_server, json={}, headers={"Origin": "http://evil.example"}, timeout=60)
    assert foreign.status_code == 403


async def test_a_token_is_wanted_where_one_is_set() -> None:
    application = mcp.http_application("127.0.0.1", 8765, "secret")
    transport = httpx2.ASGITransport(application)
    async with httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1:8765") as client:
        for headers in ({}, {"Authorization": "Bearer wrong"}):
            assert (await client.post("/mcp", json={}, headers=headers)).status_code == 401
