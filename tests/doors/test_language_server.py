"""The language server with a real client: changes, fixes, and documents that cannot be checked."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from lsprotocol import types as lsp
from pygls.lsp.client import LanguageClient

from tests.doors.corpus import CORPUS

TEXT = CORPUS[1].text
URI = "file:///notes/text.md"


class Editor:
    """An editor with one document."""

    def __init__(self) -> None:
        self.client = LanguageClient("tests", "1")
        self.told: asyncio.Queue[lsp.PublishDiagnosticsParams] = asyncio.Queue()

        @self.client.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def published(params: lsp.PublishDiagnosticsParams) -> None:
            self.told.put_nowait(params)

    def open(self, text: str) -> None:
        document = lsp.TextDocumentItem(URI, "plaintext", 1, text)
        self.client.text_document_did_open(lsp.DidOpenTextDocumentParams(document))

    def change(self, version: int, text: str) -> None:
        document = lsp.VersionedTextDocumentIdentifier(version, URI)
        whole = lsp.TextDocumentContentChangeWholeDocument(text)
        self.client.text_document_did_change(lsp.DidChangeTextDocumentParams(document, [whole]))

    async def diagnostics(self) -> list[lsp.Diagnostic]:
        return list((await asyncio.wait_for(self.told.get(), 300)).diagnostics)

    async def fixes(self, at: lsp.Range) -> list[lsp.CodeAction]:
        parameters = lsp.CodeActionParams(lsp.TextDocumentIdentifier(URI), at, lsp.CodeActionContext([]))
        found = await self.client.text_document_code_action_async(parameters)
        return [action for action in found or () if isinstance(action, lsp.CodeAction)]


@pytest_asyncio.fixture
async def editor() -> AsyncIterator[Editor]:
    found = Editor()
    await found.client.start_io(sys.executable, "-m", "detection.doors.cli.main", "lsp")
    await found.client.initialize_async(lsp.InitializeParams(capabilities=lsp.ClientCapabilities()))
    yield found
    await found.client.shutdown_async(None)
    found.client.exit(None)
    await found.client.stop()


async def test_warnings_follow_the_text(editor: Editor) -> None:
    editor.open(TEXT)
    (warning,) = await editor.diagnostics()
    assert warning.severity is lsp.DiagnosticSeverity.Warning
    assert warning.related_information
    fixes = await editor.fixes(warning.range)
    assert fixes[0].is_preferred
    editor.change(2, TEXT.replace("1941", "1932"))
    assert await editor.fixes(warning.range) == []  # they belong to an older text
    assert await editor.diagnostics() == []
    editor.client.text_document_did_close(lsp.DidCloseTextDocumentParams(lsp.TextDocumentIdentifier(URI)))
    assert await editor.diagnostics() == []
    assert await editor.fixes(warning.range) == []


async def test_quick_typing_is_checked_once(editor: Editor) -> None:
    editor.open("")
    assert await editor.diagnostics() == []
    for length in range(10, len(TEXT), 10):
        editor.change(length, TEXT[:length])
    editor.change(999, TEXT)
    published = await asyncio.wait_for(editor.told.get(), 300)
    assert published.version == 999
    assert [warning.code for warning in published.diagnostics] == ["cross_contradiction"]
    assert editor.told.empty()


@pytest.mark.parametrize("text", ["a" * 200_001])
async def test_what_cannot_be_checked_is_told_at_the_top(editor: Editor, text: str) -> None:
    editor.open(text)
    (note,) = await editor.diagnostics()
    assert note.severity is lsp.DiagnosticSeverity.Hint
    assert note.message.startswith("Not checked.")
    assert note.range.start == lsp.Position(0, 0)
