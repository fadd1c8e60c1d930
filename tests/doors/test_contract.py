"""All doors report the same findings for one corpus."""

from __future__ import annotations

import asyncio
import io
import json
import sys
import time
from collections.abc import Callable
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import httpx2
import language_tool_python
import pytest
from lsprotocol import types as lsp
from mcp import Client
from pygls.lsp.client import LanguageClient

from detection import check
from detection.core.plain_text import normalise_line_ends
from detection.doors import mcp
from detection.doors.cli.main import main
from detection.lab.benchmarks.server import Server
from detection.models import Source
from tests.doors.conftest import Person
from tests.doors.corpus import CORPUS, Example, Seen, applied, first_offered
from tests.fakes.model_server import ModelServer, Reply

Door = Callable[[Example], list[Seen]]


def expected(example: Example) -> list[Seen]:
    """The findings of ``detection.check``, the reference for the other doors."""
    report = check(example.text, [example.source] if example.source else [])
    seen = []
    for finding in report.findings:
        rewrite = first_offered(finding.suggestions, finding.sentence)
        own = report.sentences[finding.sentence].sentence
        changed = applied(report.text, own.start, own.end, rewrite.replacement) if rewrite else None
        seen.append((finding.kind.value, finding.quoted, str(finding.message), changed))
    return seen


@pytest.fixture(scope="module")
def measure() -> dict[str, list[Seen]]:
    found = {example.name: expected(example) for example in CORPUS}
    assert found["clean"] == []
    for name in ("contradiction", "beyond the basic plane", "line ends", "source"):
        assert found[name], name
        assert any(changed for *_, changed in found[name]), name
    return found


@pytest.fixture(params=CORPUS, ids=lambda example: example.name)
def example(request: pytest.FixtureRequest) -> Example:
    found: Example = request.param
    return found


def test_command_line(example: Example, measure: dict[str, list[Seen]], tmp_path: Path) -> None:
    text = tmp_path / "text.md"
    text.write_bytes(example.text.encode())
    sources = []
    if example.source:
        (tmp_path / "source.txt").write_text(example.source)
        sources = ["--source", str(tmp_path / "source.txt")]
    out = io.StringIO()
    with redirect_stdout(out):
        status = main(["check", str(text), *sources, "--format", "json"])
    assert status == (1 if measure[example.name] else 0)
    report = json.loads(out.getvalue())["files"][0]
    seen = []
    for sentence in report["sentences"]:
        for finding in sentence["findings"]:
            rewrite = _first(finding["suggestions"], sentence["index"])
            changed = applied(report["text"], sentence["start"], sentence["end"], rewrite) if rewrite else None
            seen.append((finding["kind"], report["text"][slice(*finding["span"])], finding["message"], changed))
    assert seen == measure[example.name]


def _first(suggestions: list[dict[str, Any]], sentence: int) -> str | None:
    return next(
        (
            s["replacement"]
            for s in suggestions
            if s["verified"]
            and s["replacement"]
            and not {"absorbed", "companions"} & s.keys()
            and s["sentence"] == sentence
        ),
        None,
    )


def test_rest_api(example: Example, measure: dict[str, list[Seen]], api: httpx2.Client) -> None:
    body = {"text": example.text, "sources": [{"text": example.source}] if example.source else []}
    started = api.post("/checks", json=body)
    assert started.status_code == 202, started.text
    address = f"/checks/{started.json()['id']}"
    check = api.get(address).json()
    while check["state"] in ("queued", "running"):
        time.sleep(0.2)
        check = api.get(address).json()
    assert check["state"] == "done"
    seen = []
    for finding in check["findings"]:
        own = check["sentences"][finding["sentence"]]
        usable = [s for s in finding["suggestions"] if s["verified"] and s["replacement"]]
        changed = [applied(check["text"], own["start"], own["end"], s["replacement"]) for s in usable]
        words = check["text"][finding["start"] : finding["end"]]
        seen.append((finding["kind"], words, finding["message"], changed))
    for found, wanted in zip(seen, measure[example.name], strict=True):
        assert found[:3] == wanted[:3]
        assert wanted[3] is None or wanted[3] in found[3]
    api.delete(address)


@pytest.fixture(scope="module")
def library_key(person: Person, api: httpx2.Client) -> str:
    """A key with the source of the corpus as its default library."""
    text = next(example.source for example in CORPUS if example.source)
    added = api.post("/sources", json={"text": text}).json()
    assert added["state"] == Source.State.READY
    return person.make_key("writing_tools", sources=(added["id"],))


def test_languagetool(example: Example, measure: dict[str, list[Seen]], server: Server, library_key: str) -> None:
    credentials = f"me:{library_key}@" if example.source else ""
    address = f"http://{credentials}127.0.0.1:{server.port}/"
    tool = language_tool_python.LanguageTool("en-US", remote_server=address)
    seen = []
    with tool:
        matches = tool.check(example.text)
    for match in matches:
        first = match.replacements[0] if match.replacements else None
        end = match.offset + match.error_length
        changed = None if first is None else applied(example.text, match.offset, end, first)
        seen.append((match.rule_id, example.text[match.offset : end], match.message, changed))
    for found, wanted in zip(seen, measure[example.name], strict=True):
        assert found[0] == f"CHATPROTECT_{wanted[0].upper()}"
        assert wanted[1] in normalise_line_ends(found[1])
        assert wanted[2] in found[2]
        assert (found[3] and normalise_line_ends(found[3])) == wanted[3]


async def test_mcp(example: Example, measure: dict[str, list[Seen]]) -> None:
    async with Client(mcp.server) as client:
        if example.source:
            arguments = {"text": example.text, "sources": [example.source]}
            answer = await client.call_tool("check_against_sources", arguments)
        else:
            answer = await client.call_tool("check_text", {"text": example.text})
    assert not answer.is_error, answer
    result = answer.structured_content
    assert result
    text = normalise_line_ends(example.text)
    seen = [(f["kind"], text[f["start"] : f["end"]], f["message"]) for f in result["findings"]]
    assert seen == [wanted[:3] for wanted in measure[example.name]]


def test_guard(
    example: Example,
    measure: dict[str, list[Seen]],
    server: Server,
    key: str,
    model_server: ModelServer,
) -> None:
    model_server.script = lambda asked: Reply((example.text,))
    wishes = {"sources": [{"text": example.source}]} if example.source else {}
    answer = httpx2.post(
        f"{server.url}/guard/v1/chat/completions",
        json={"model": "any", "messages": [{"role": "user", "content": "Tell me."}], "chatprotect": wishes},
        headers={"Authorization": f"Bearer {key}"},
        timeout=120,
    ).json()
    text = normalise_line_ends(answer["choices"][0]["message"]["content"])
    found = answer["chatprotect"]["findings"]
    seen = [(f["kind"], text[slice(*f["span"])], f["message"]) for f in found]
    assert seen == [wanted[:3] for wanted in measure[example.name]]


@pytest.mark.cluster
@pytest.mark.parametrize("source", sorted({example.source for example in CORPUS}), ids=["without", "with a source"])
async def test_language_server(source: str, measure: dict[str, list[Seen]], tmp_path: Path) -> None:
    """One server for all texts with the same source, because each start loads the models."""
    (tmp_path / "source.txt").write_text(source)
    sources = ["--source", str(tmp_path / "source.txt")] if source else []
    told: asyncio.Queue[lsp.PublishDiagnosticsParams] = asyncio.Queue()
    client = LanguageClient("tests", "1")

    @client.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    def published(params: lsp.PublishDiagnosticsParams) -> None:
        told.put_nowait(params)

    await client.start_io(sys.executable, "-m", "detection.doors.cli.main", "lsp", *sources)
    await client.initialize_async(lsp.InitializeParams(capabilities=lsp.ClientCapabilities()))
    for number, example in enumerate(example for example in CORPUS if example.source == source):
        uri = f"file:///notes/{number}.md"
        document = lsp.TextDocumentItem(uri, "markdown", 1, example.text)
        client.text_document_did_open(lsp.DidOpenTextDocumentParams(document))
        diagnostics = (await asyncio.wait_for(told.get(), 900)).diagnostics
        wanted = measure[example.name]
        assert [(d.code, _words(example.text, d.range)) for d in diagnostics] == [(w[0], w[1]) for w in wanted]
        for diagnostic, (*_, message, changed) in zip(diagnostics, wanted, strict=True):
            assert message in diagnostic.message
            edits = await _edits(client, uri, diagnostic)
            assert changed is None or changed in [_edited(example.text, edit) for edit in edits]
    await client.shutdown_async(None)
    client.exit(None)
    await client.stop()


async def _edits(client: LanguageClient, uri: str, diagnostic: lsp.Diagnostic) -> list[lsp.TextEdit]:
    """The edits of a warning's quick fixes."""
    context = lsp.CodeActionContext([diagnostic])
    actions = await client.text_document_code_action_async(
        lsp.CodeActionParams(lsp.TextDocumentIdentifier(uri), diagnostic.range, context)
    )
    found = [action for action in actions or () if isinstance(action, lsp.CodeAction)]
    return [action.edit.changes[uri][0] for action in found if action.edit and action.edit.changes]


def _words(text: str, at: lsp.Range) -> str:
    start, end = _offset(text, at.start), _offset(text, at.end)
    return text.encode("utf-16-le")[2 * start : 2 * end].decode("utf-16-le")


def _edited(text: str, edit: lsp.TextEdit) -> str:
    data = text.encode("utf-16-le")
    start, end = _offset(text, edit.range.start), _offset(text, edit.range.end)
    changed = data[: 2 * start] + edit.new_text.encode("utf-16-le") + data[2 * end :]
    return normalise_line_ends(changed.decode("utf-16-le"))


def _offset(text: str, position: lsp.Position) -> int:
    """The offset of a position in UTF-16 units."""
    lines = text.split("\n")
    before = "".join(f"{line}\n" for line in lines[: position.line])
    return len(before.encode("utf-16-le")) // 2 + position.character
