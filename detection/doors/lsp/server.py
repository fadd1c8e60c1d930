"""A language server: findings as diagnostics, rewrites as quick fixes, for Markdown and plain text in any editor."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer

from ...core.errors import DetectionError
from ...core.plain_text import normalise_line_ends, remove_unprintable
from ...core.types import Finding, SourceText, Span, Suggestion
from .. import python
from ..cli.severity import is_contradiction
from ..positions import Lines, Position
from ..python import BadInput
from ..replacing import offered
from ..report import Report, kind_label

logger = logging.getLogger(__name__)

#: Pause after the last keystroke before a check starts.
PAUSE_S = 0.3
_SOURCE = "ChatProtect"


@dataclass(frozen=True, slots=True)
class _Checked:
    """The results for a document, and the text that they are about."""

    report: Report
    lines: Lines
    version: int | None


class ChatProtectServer(LanguageServer):
    """Checks each document some moments after its last change."""

    def __init__(self, sources: Sequence[SourceText] = ()) -> None:
        super().__init__("chatprotect", version("chatprotect-web"))
        self._sources = tuple(sources)
        self._checked: dict[str, _Checked] = {}
        self._running: dict[str, asyncio.Task[None]] = {}

    def changed(self, uri: str, *, pause_s: float = PAUSE_S) -> None:
        """Check a document again; cancel the check of an earlier text."""
        self._stop(uri)
        self._running[uri] = asyncio.create_task(self._check_later(uri, pause_s))

    def closed(self, uri: str) -> None:
        """Forget a document."""
        self._stop(uri)
        self._checked.pop(uri, None)
        self._publish(uri, [], None)

    def fixes(self, uri: str, wanted: lsp.Range) -> list[lsp.CodeAction]:
        """The rewrites of the findings that a range touches; empty if the text has changed since."""
        checked = self._checked.get(uri)
        if checked is None or checked.report.text != self._text_of(uri):
            return []
        lines = checked.lines
        start = lines.offset_of_utf16(_position(wanted.start))
        end = lines.offset_of_utf16(_position(wanted.end))
        return [
            self._fix(uri, checked, finding, suggestion, is_first=number == 0)
            for finding in checked.report.findings
            if finding.span.start <= end and start <= finding.span.end
            for number, suggestion in enumerate(offered(finding))
        ]

    async def _check_later(self, uri: str, pause_s: float) -> None:
        await asyncio.sleep(pause_s)
        await self.check(uri)

    async def check(self, uri: str) -> None:
        """Check a document now, and publish the findings."""
        document = self.workspace.get_text_document(uri)
        text = self._text_of(uri)
        if not text.strip():
            self._checked.pop(uri, None)
            self._publish(uri, [], document.version)
            return
        try:
            report = await python.check_async(text, self._sources)
        except (BadInput, DetectionError) as error:
            self._publish(uri, [_failure(str(error))], document.version)
            return
        lines = Lines(report.text)
        self._checked[uri] = _Checked(report, lines, document.version)
        self._publish(uri, [_diagnostic(uri, finding, lines) for finding in report.findings], document.version)

    def _fix(
        self, uri: str, checked: _Checked, finding: Finding, suggestion: Suggestion, *, is_first: bool
    ) -> lsp.CodeAction:
        sentence = checked.report.sentences[suggestion.sentence].sentence
        edit = lsp.TextEdit(_range(sentence.span, checked.lines), suggestion.replacement)
        return lsp.CodeAction(
            title=suggestion.label or f"Rewrite: {suggestion.replacement}",
            kind=lsp.CodeActionKind.QuickFix,
            diagnostics=[_diagnostic(uri, finding, checked.lines)],
            is_preferred=is_first,
            edit=lsp.WorkspaceEdit(changes={uri: [edit]}),
        )

    def _text_of(self, uri: str) -> str:
        # Unprintable characters would be refused. Removing them shifts the later columns of their line.
        return remove_unprintable(normalise_line_ends(self.workspace.get_text_document(uri).source))

    def _publish(self, uri: str, diagnostics: list[lsp.Diagnostic], at: int | None) -> None:
        self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, diagnostics, at))

    def _stop(self, uri: str) -> None:
        running = self._running.pop(uri, None)
        if running is not None:
            running.cancel()


def _diagnostic(uri: str, finding: Finding, lines: Lines) -> lsp.Diagnostic:
    severity = lsp.DiagnosticSeverity.Warning if is_contradiction(finding) else lsp.DiagnosticSeverity.Information
    related = [
        lsp.DiagnosticRelatedInformation(lsp.Location(uri, _range(evidence.span, lines)), evidence.quote)
        for evidence in finding.evidence
        if evidence.sentence is not None
    ]
    quotes = "".join(f"\n“{evidence.quote}”" for evidence in finding.evidence)
    return lsp.Diagnostic(
        range=_range(finding.span, lines),
        message=f"{kind_label(finding.kind)}. {finding.message}{quotes}",
        severity=severity,
        code=finding.kind.value,
        source=_SOURCE,
        related_information=related or None,
    )


def _failure(reason: str) -> lsp.Diagnostic:
    start = lsp.Position(0, 0)
    return lsp.Diagnostic(
        lsp.Range(start, start), f"Not checked. {reason}", lsp.DiagnosticSeverity.Hint, source=_SOURCE
    )


def _range(span: Span, lines: Lines) -> lsp.Range:
    start, end = lines.utf16_position(span.start), lines.utf16_position(span.end)
    return lsp.Range(lsp.Position(start.line, start.column), lsp.Position(end.line, end.column))


def _position(position: lsp.Position) -> Position:
    return Position(position.line, position.character)


def make_server(sources: Sequence[SourceText] = ()) -> ChatProtectServer:
    """A server with handlers for the notifications of editors."""
    server = ChatProtectServer(sources)

    @server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    async def opened(params: lsp.DidOpenTextDocumentParams) -> None:
        server.changed(params.text_document.uri, pause_s=0)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    async def changed(params: lsp.DidChangeTextDocumentParams) -> None:
        server.changed(params.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
    async def closed(params: lsp.DidCloseTextDocumentParams) -> None:
        server.closed(params.text_document.uri)

    @server.feature(
        lsp.TEXT_DOCUMENT_CODE_ACTION, lsp.CodeActionOptions(code_action_kinds=[lsp.CodeActionKind.QuickFix])
    )
    async def fixes(params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        return server.fixes(params.text_document.uri, params.range)

    return server


def serve(paths: Sequence[Path] = ()) -> None:
    """Serve on standard input and output until the editor ends it. ``paths`` are the sources of every text.

    Raises:
        BadInput: a source cannot be read.
    """
    make_server([python.read_source(path, number) for number, path in enumerate(paths, 1)]).start_io()
