"""The check as tools of the Model Context Protocol, for assistants, over standard input and output or HTTP."""

from __future__ import annotations

import hmac
import os
from importlib.metadata import version
from ipaddress import ip_address
from typing import Annotated, Any

import anyio
import uvicorn
from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.transport_security import TransportSecuritySettings
from pydantic import BaseModel, Field
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from ..core.errors import DetectionError
from ..core.types import FindingKind, Strictness, Verdict
from . import python
from .comparison import MOST_CHARS, compare
from .python import BadInput
from .report import Report

_TOKEN_VARIABLE = "CHATPROTECT_MCP_TOKEN"  # noqa: S105  # the name of a variable
_INSTRUCTIONS = (
    "Checks English texts for statements that are made up: sentences that contradict each other, or a source. "
    "“No finding” does not mean “true”. Offsets count code points of the text."
)

Text = Annotated[str, Field(description="The text to check.", min_length=1, max_length=python.MAX_TEXT_CHARS)]
Statement = Annotated[str, Field(min_length=1, max_length=MOST_CHARS)]
Sources = Annotated[list[str], Field(description="Texts that the text must agree with.", min_length=1, max_length=20)]
Topic = Annotated[str, Field(description="Who or what the text is about, where it does not say so.", max_length=200)]


class Quote(BaseModel):
    """What a finding rests on. ``sentence`` is the number of another sentence, ``source`` the name of a source."""

    quote: str
    sentence: int | None
    source: str | None


class FoundProblem(BaseModel):
    kind: FindingKind
    verdict: Verdict
    score: float
    sentence: int
    start: int
    end: int
    quoted: str
    message: str
    evidence: list[Quote]
    rewrites: list[str] = Field(description="New wordings of the sentence, the best first; empty ones remove it.")


class Result(BaseModel):
    findings: list[FoundProblem]
    sentences: int
    checked: int
    revised: str = Field(description="The text with the values that a source decides.")


class ComparisonResult(BaseModel):
    contradiction: float = Field(description="How surely the two contradict each other, 0 to 1.")
    is_contradiction: bool


server = MCPServer(
    "chatprotect",
    title="ChatProtect",
    instructions=_INSTRUCTIONS,
    version=version("chatprotect-web"),
    log_level="ERROR",
)


@server.tool()
async def check_text(text: Text, topic: Topic = "", strictness: Strictness = Strictness.BALANCED) -> Result:
    """Find the sentences of a text that contradict each other, with quotes and rewrites."""
    return await _checked(text, (), topic=topic or None, strictness=strictness)


@server.tool()
async def check_against_sources(
    text: Text,
    sources: Annotated[
        list[str], Field(description="Texts that the text must agree with.", min_length=1, max_length=20)
    ],
    topic: Topic = "",
    strictness: Strictness = Strictness.BALANCED,
) -> Result:
    """Find what a text says otherwise than its sources, what they do not say, and contradictions inside it."""
    return await _checked(text, sources, topic=topic or None, strictness=strictness)


@server.tool()
async def find_contradictions(text: Text, topic: Topic = "") -> Result:
    """Find only contradictions inside a text: each with both sentences."""
    from ..core.detectors.cross_contradiction import CrossContradiction

    return await _checked(text, (), topic=topic or None, detectors=(CrossContradiction.id,))


@server.tool()
async def compare_claim(claim: Statement, evidence: Statement, topic: Topic = "") -> ComparisonResult:
    """Say whether a claim and another statement about the same thing contradict each other."""
    try:
        found = await compare(python.checker().models, claim, evidence, topic)
    except DetectionError as error:
        raise ToolError(str(error)) from error
    return ComparisonResult(contradiction=found.contradiction, is_contradiction=found.is_contradiction)


async def _checked(text: str, sources: Any, **options: Any) -> Result:
    try:
        return _result(await python.check_async(text, sources, **options))
    except (BadInput, DetectionError) as error:
        raise ToolError(str(error)) from error


def _result(report: Report) -> Result:
    names = {source.id: source.name for source in report.sources}
    return Result(
        findings=[
            FoundProblem(
                kind=finding.kind,
                verdict=finding.verdict,
                score=finding.score,
                sentence=finding.sentence,
                start=finding.span.start,
                end=finding.span.end,
                quoted=finding.quoted,
                message=str(finding.message),
                evidence=[
                    Quote(
                        quote=evidence.quote,
                        sentence=evidence.sentence,
                        source=names.get(evidence.source or ""),
                    )
                    for evidence in finding.evidence
                ],
                rewrites=[
                    suggestion.replacement
                    for suggestion in finding.suggestions
                    if suggestion.sentence == finding.sentence and suggestion.is_of_one_sentence
                ],
            )
            for finding in report.findings
        ],
        sentences=len(report.sentences),
        checked=report.checked,
        revised=report.revised,
    )


# --- Transports -----------------------------------------------------------------------------------------------------


def serve(address: str | None) -> None:
    """Serve until the process ends or its input closes. ``address`` is HOST:PORT; None is standard input and output.

    Raises:
        BadInput: the address is invalid, or is not loopback and there is no token.
    """
    if address is None:
        anyio.run(server.run_stdio_async)
        return
    host, port = _host_and_port(address)
    token = os.environ.get(_TOKEN_VARIABLE, "")
    if not _is_loopback(host) and not token:
        raise BadInput(f"Others can reach {host}: set {_TOKEN_VARIABLE}, or use 127.0.0.1.")
    uvicorn.run(http_application(host, port, token), host=host, port=port, log_level="warning")


def http_application(host: str, port: int, token: str = "") -> ASGIApp:
    """The server for streamable HTTP at ``/mcp``, which only answers requests whose Host header names this host."""
    names = [host, "localhost"] if _is_loopback(host) else [host]
    allowed = [f"{name}:{port}" for name in names]
    application: ASGIApp = server.streamable_http_app(
        host=host,
        transport_security=TransportSecuritySettings(
            enable_dns_rebinding_protection=_is_loopback(host),
            allowed_hosts=allowed,
            allowed_origins=[f"http://{name}" for name in allowed],
        ),
    )
    return _WithToken(application, token) if token else application


class _WithToken:
    """Refuses requests without the token."""

    def __init__(self, application: ASGIApp, token: str) -> None:
        self._application = application
        self._expected = f"Bearer {token}".encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            sent = dict(scope["headers"]).get(b"authorization", b"")
            if not hmac.compare_digest(sent, self._expected):
                refusal = PlainTextResponse("A token is wanted.", 401, {"WWW-Authenticate": "Bearer"})
                await refusal(scope, receive, send)
                return
        await self._application(scope, receive, send)


def _host_and_port(address: str) -> tuple[str, int]:
    host, _, port = address.rpartition(":")
    if not host or not port.isdigit() or not 0 < int(port) < 65_536:
        raise BadInput(f"{address!r} is no address: give HOST:PORT, as in 127.0.0.1:8765.")
    return host, int(port)


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False
