"""Scenario ``doors``: the time that each door adds to a check, and the time of a check after a small change."""

from __future__ import annotations

import asyncio
import io
import os
import re
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
from lsprotocol import types as lsp
from mcp import Client

from ... import wiring
from ...core.run.pipeline import CheckRequest
from ...core.types import SourceText
from ...doors import mcp, python
from ...doors.checker import Checker
from ...doors.cli.main import main
from ...doors.lsp.server import ChatProtectServer
from .server import Server, running_server
from .texts import SOURCE, TEXT

RUNS = 15
#: A sentence of the text, and what it is changed to, each time another number.
_CHANGED = "286 people"

Checked = Callable[[str], Awaitable[object]]


@dataclass(frozen=True, slots=True)
class _Cost:
    """Of one check, in milliseconds. The time of the processor is that of this process, and not of a server."""

    wall: float
    processor: float

    def beyond(self, other: _Cost) -> dict[str, float]:
        return {"wall": round(self.wall - other.wall, 1), "processor": round(self.processor - other.processor, 1)}


def run() -> dict[str, Any]:
    """Measure the doors without a server in this process, and the others at a server of their own."""
    with running_server(CHATPROTECT_THROTTLE="0") as server:
        return asyncio.run(_measure(server))


async def _measure(server: Server) -> dict[str, Any]:
    person = _Person(server)
    async with Client(mcp.server) as client, httpx2.AsyncClient(timeout=120, trust_env=False) as http:
        direct = Checker(wiring.models_in_this_process())
        sources = (SourceText("1", "report", SOURCE),)
        behind_server = Checker(wiring.local_models())
        in_process: dict[str, Checked] = {
            "python": python.check_async,
            "command line": _by_command_line,
            "mcp": lambda text: client.call_tool("check_text", {"text": text}),
            "language server": _by_language_server(),
        }
        at_server: dict[str, Checked] = {
            "languagetool": lambda text: person.languagetool(http, text),
        }
        return {
            "scenario": "doors",
            "cores": os.cpu_count(),
            "sentences": 12,
            "runs": RUNS,
            "again_ms": {
                "without a source": await _again(lambda text: direct.check(CheckRequest(text))),
                "with a source of 600 words": await _again(lambda text: direct.check(CheckRequest(text, sources))),
                "languagetool": await _again(lambda text: person.languagetool(http, text)),
            },
            "added_ms": {
                **await _added(in_process, lambda text: python.checker().check(CheckRequest(text))),
                **await _added(at_server, lambda text: behind_server.check(CheckRequest(text))),
                "rest api, until the check is queued": {"wall": await _until_queued(person, http)},
            },
        }


async def _again(check: Checked) -> dict[str, float]:
    """The first check of a text, and those after a change of one sentence."""
    first = await _cost(check, [TEXT])
    changed = await _cost(check, [TEXT.replace(_CHANGED, f"{300 + run} people") for run in range(RUNS)])
    return {
        "first": round(first.wall, 1),
        "changed": round(changed.wall, 1),
        "changed_processor": round(changed.processor, 1),
    }


async def _added(doors: dict[str, Checked], direct: Checked) -> dict[str, dict[str, float]]:
    """The overhead of each door, measured with a cached text, whose check costs almost nothing."""
    await direct(TEXT)
    own = await _cost(direct, [TEXT] * RUNS)
    added = {}
    for name, door in doors.items():
        await door(TEXT)
        added[name] = (await _cost(door, [TEXT] * RUNS)).beyond(own)
    return added


async def _until_queued(person: _Person, http: httpx2.AsyncClient) -> float:
    """The median time of a start, in milliseconds, at a server that has finished the check before."""
    walls = []
    for _ in range(RUNS):
        started = time.perf_counter()
        check_id = await person.start(http, TEXT)
        walls.append(1000 * (time.perf_counter() - started))
        await person.wait_for(http, check_id)
    return round(statistics.median(walls), 1)


async def _cost(check: Checked, texts: Sequence[str]) -> _Cost:
    """The median of the times, and the mean of those of the processor."""
    begun = time.process_time()
    walls = []
    for text in texts:
        started = time.perf_counter()
        await check(text)
        walls.append(1000 * (time.perf_counter() - started))
    return _Cost(statistics.median(walls), 1000 * (time.process_time() - begun) / len(texts))


async def _by_command_line(text: str) -> None:
    def check() -> None:
        with tempfile.NamedTemporaryFile("w", suffix=".md") as file, redirect_stdout(io.StringIO()):
            file.write(text)
            file.flush()
            main(["check", file.name, "--format", "json"])

    await asyncio.to_thread(check)


class _Silent(ChatProtectServer):
    """A language server whose editor is not there."""

    def text_document_publish_diagnostics(self, params: lsp.PublishDiagnosticsParams) -> None:
        pass


def _by_language_server() -> Checked:
    """A check of a document that is opened in an editor, by a server that the editor has started before."""
    server = _Silent()
    uri = Path("/text.md").as_uri()
    # A generator, which does its work as it is read.
    list(server.protocol.lsp_initialize(lsp.InitializeParams(capabilities=lsp.ClientCapabilities())))

    async def check(text: str) -> None:
        server.workspace.put_text_document(lsp.TextDocumentItem(uri, "markdown", 1, text))
        await server.check(uri)

    return check


class _Person:
    """A client with a key."""

    def __init__(self, server: Server) -> None:
        self._url = server.url
        with httpx2.Client(base_url=server.url, timeout=60, trust_env=False) as client:
            token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', client.get("/settings/").text)
            if token is None:
                raise RuntimeError("the form has no CSRF token")
            page = client.post(
                "/settings/keys/create/",
                data={
                    "csrfmiddlewaretoken": token[1],
                    "key_name": "benchmark",
                    "scopes": ["read", "write", "writing_tools"],
                    "requests_per_minute": "600",
                },
            )
        found = re.search(r"cpk_[\w-]{43}", page.text)
        if found is None:
            raise RuntimeError("no key was made")
        self._headers = {"Authorization": f"Bearer {found[0]}"}

    async def languagetool(self, http: httpx2.AsyncClient, text: str) -> None:
        form = {"text": text, "language": "en-US"}
        answer = await http.post(f"{self._url}/v2/check", data=form, headers=self._headers)
        answer.raise_for_status()

    async def start(self, http: httpx2.AsyncClient, text: str) -> str:
        answer = await http.post(f"{self._url}/api/v1/checks", json={"text": text}, headers=self._headers)
        return str(answer.raise_for_status().json()["id"])

    async def wait_for(self, http: httpx2.AsyncClient, check_id: str) -> None:
        """Return when a check is done: its events end then."""
        address = f"{self._url}/api/v1/checks/{check_id}/events"
        (await http.get(address, headers=self._headers)).raise_for_status()
