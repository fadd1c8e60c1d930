"""An OpenAI-compatible endpoint between a chat program and the configured model: answers come back checked.

``chatprotect`` in the body of a request has the options: ``{"mode": ..., "sources": [{"text": ...}, {"id": ...}]}``. It
is removed before the request is forwarded. ``annotate`` adds the findings, ``rewrite`` corrects values that a source
decides, and ``hold`` forwards no sentence of a stream before it was checked.
"""

from __future__ import annotations

import asyncio
import json
import ssl
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass
from enum import StrEnum
from typing import Any
from uuid import UUID

import httpx2
from asgiref.sync import sync_to_async
from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse, StreamingHttpResponse
from django.views.decorators.csrf import csrf_exempt
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from ..core.active_generation.sentence_stream import SentenceStream, WholeStretch
from ..core.errors import DetectionError
from ..core.llm.endpoint import Endpoint
from ..core.llm.pricing import load_prices, price_of
from ..core.llm.types import TokenUsage
from ..core.plain_text import normalise_line_ends, remove_unprintable
from ..core.rewriting.revise import accept_all
from ..core.run.pipeline import CheckRequest
from ..core.types import Finding, SourceText, Strictness
from ..models import AccessKey, Source
from ..selectors.access_keys import library_of_key
from ..selectors.sources import source_of_owner
from ..services.quotas import TooMuch
from ..services.spending import note_tokens, refuse_when_spent
from ..storage.evidence import PLACES
from ..wiring import generator_endpoint, language_model
from . import server
from .access import Scope, key_of, payer_of_key
from .errors import DoorError, openai, response_of
from .report import Report, finding_as_json

_MOST_SOURCES = 20
#: Most characters of a model answer; longer ones are refused.
_MOST_ANSWER_BYTES = 8_000_000
_MOST_WAITING_CHUNKS = 64
_MOST_TOKENS = 10_000_000
_CHARS_PER_TOKEN = 4


class Mode(StrEnum):
    ANNOTATE = "annotate"
    REWRITE = "rewrite"
    HOLD = "hold"


class _GuardSource(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    text: str | None = Field(None, min_length=1)
    id: str | None = None

    @model_validator(mode="after")
    def _is_one(self) -> _GuardSource:
        if (self.text is None) == (self.id is None):
            raise ValueError("give either text or id")
        return self


class Wishes(BaseModel):
    """The options of a request to the guard."""

    model_config = ConfigDict(extra="forbid")

    mode: Mode = Mode.ANNOTATE
    sources: list[_GuardSource] = Field(default=[], max_length=_MOST_SOURCES)
    strictness: Strictness = Strictness.BALANCED
    topic: str | None = Field(None, max_length=200)


@dataclass(frozen=True, slots=True)
class _Order:
    """A request to the model, with the options for checking its answer."""

    body: dict[str, Any]
    endpoint: Endpoint
    wishes: Wishes
    sources: tuple[SourceText, ...]
    whose: str
    payer: str

    def check_request(self, text: str) -> CheckRequest:
        return CheckRequest(text=text, sources=self.sources, topic=self.wishes.topic, strictness=self.wishes.strictness)


@csrf_exempt  # authenticated by key, not by cookie
async def chat_completions(request: HttpRequest) -> HttpResponseBase:
    """``POST /guard/v1/chat/completions``. Nothing is stored."""
    try:
        if request.method != "POST":
            raise DoorError(405)
        key = await sync_to_async(key_of)(request, Scope.GUARD)
        order = await _order(request, key)
        if not order.body.get("stream"):
            return JsonResponse(await _answer(order))
        # Wait for the first chunk before the response starts, so that an error gets its own status.
        chunks = _relayed(order)
        first = await anext(chunks)
    except DoorError as error:
        return response_of(error, openai)
    except RequestDataTooBig:
        return response_of(DoorError(413), openai)
    except TooMuch as error:
        return response_of(DoorError(429, str(error)), openai)
    except DetectionError as error:
        return response_of(DoorError(503, str(error)), openai)
    response = StreamingHttpResponse(_written(first, chunks), content_type="text/event-stream")
    response["Cache-Control"] = "no-store"
    response["X-Accel-Buffering"] = "no"
    return response


def models(request: HttpRequest) -> HttpResponse:
    """``GET /guard/v1/models``: the first request of many clients."""
    try:
        key_of(request, Scope.GUARD)
    except DoorError as error:
        return response_of(error, openai)
    model = language_model()
    names = [model.generator] if model else []
    rows = [{"id": name, "object": "model", "created": 0, "owned_by": "chatprotect"} for name in names]
    return JsonResponse({"object": "list", "data": rows})


# --- What was sent --------------------------------------------------------------------------------------------------


async def _order(request: HttpRequest, key: AccessKey) -> _Order:
    model = language_model()
    if model is None:
        raise DoorError(503, "No language model is set up on this server.")
    payer = payer_of_key(request, key)
    await sync_to_async(refuse_when_spent)(payer=payer)
    try:
        body = json.loads(request.body)
    except (ValueError, RecursionError) as error:
        raise DoorError(400, "The body is no JSON.") from error
    if not isinstance(body, dict) or not isinstance(body.get("messages"), list) or not body["messages"]:
        raise DoorError(400, "The body is no object with “messages”.")
    if body.get("n") not in (None, 1):
        raise DoorError(400, "One answer at a time is checked: leave “n” out.")
    try:
        wishes = Wishes.model_validate(body.pop("chatprotect", None) or {})
    except ValidationError as error:
        first = error.errors()[0]
        raise DoorError(400, f"chatprotect.{'.'.join(map(str, first['loc']))}: {first['msg']}") from error
    body["model"] = model.generator
    body["stream"] = bool(body.get("stream"))
    sources = await sync_to_async(_sources)(key, wishes)
    return _Order(body, generator_endpoint(model), wishes, sources, f"guard {key.pk}", payer)


def _sources(key: AccessKey, wishes: Wishes) -> tuple[SourceText, ...]:
    """The sources of the request; without any, those of the key."""
    if not wishes.sources:
        return library_of_key(key)
    found = []
    for number, wanted in enumerate(wishes.sources, 1):
        if wanted.text is not None:
            text = remove_unprintable(normalise_line_ends(wanted.text))
            if len(text) > settings.MAX_SOURCE_CHARS:
                raise DoorError(413, f"Source {number} has more than {settings.MAX_SOURCE_CHARS:,} characters.")
            found.append(SourceText(str(number), f"source {number}", text))
        else:
            found.append(_known_source(key, wanted.id or ""))
    return tuple(found)


def _known_source(key: AccessKey, source_id: str) -> SourceText:

    try:
        row = source_of_owner(UUID(source_id), key.owner)
    except ValueError:
        row = None
    if row is None or row.state != Source.State.READY:
        raise DoorError(404, f"There is no source {source_id!r} that has been read.")
    return SourceText(str(row.pk), row.name, row.text, PLACES.from_json(row.places))


# --- An answer as a whole -------------------------------------------------------------------------------------------


async def _answer(order: _Order) -> dict[str, Any]:
    async with _asked(order) as response:
        answer = await _json_of(response)
    await _note(order, answer.get("usage"), json.dumps(answer.get("choices")))
    try:
        message = answer["choices"][0]["message"]
        text = message.get("content")
    except (KeyError, IndexError, TypeError, AttributeError) as error:
        raise DoorError(502, "The language model answered with something that is no chat completion.") from error
    if not isinstance(text, str) or not text.strip():
        return {**answer, "chatprotect": {"mode": order.wishes.mode, "findings": [], "not_checked": "no text"}}
    text = remove_unprintable(normalise_line_ends(text))
    _refuse_long(text)
    report = await server.check(order.check_request(text), whose=order.whose)
    checked = {"mode": order.wishes.mode, **_checked_fields(report, report.findings)}
    if order.wishes.mode is Mode.REWRITE:
        checked["original"] = text
        message["content"] = report.revised
    return {**answer, "chatprotect": checked}


def _checked_fields(report: Report, findings: Sequence[Finding]) -> dict[str, Any]:
    return {
        "findings": [finding_as_json(finding, report.sources) for finding in findings],
        "coverage": {"checked": report.checked, "total": len(report.sentences)},
    }


def _refuse_long(text: str) -> None:
    if len(text) > settings.MAX_TEXT_CHARS:
        raise DoorError(502, f"The answer is longer than {settings.MAX_TEXT_CHARS:,} characters and was not checked.")


# --- An answer as a stream ------------------------------------------------------------------------------------------


async def _relayed(order: _Order) -> AsyncGenerator[dict[str, Any], None]:
    """The chunks of an answer, with the findings. The first one comes when the model begins to answer.

    Raises:
        DoorError: the model refused or broke off, or a mandatory check of the answer failed.
    """
    async with _asked(order) as response:
        outgoing: asyncio.Queue[dict[str, Any] | Exception | None] = asyncio.Queue(_MOST_WAITING_CHUNKS)
        relay = asyncio.create_task(_Relay(order, outgoing).run(_chunks(response)))
        try:
            yield {}
            while (chunk := await outgoing.get()) is not None:
                if isinstance(chunk, Exception):
                    raise chunk
                yield chunk
        finally:
            relay.cancel()
            await asyncio.gather(relay, return_exceptions=True)


class _Relay:
    """Forwards an answer, and checks its sentences one after the other while the model still writes."""

    def __init__(self, order: _Order, outgoing: asyncio.Queue[dict[str, Any] | Exception | None]) -> None:
        self._order = order
        self._outgoing = outgoing
        self._whole: asyncio.Queue[WholeStretch | None] = asyncio.Queue()
        self._is_held = order.wishes.mode is not Mode.ANNOTATE
        self._frame: dict[str, Any] = {"object": "chat.completion.chunk", "choices": []}
        self._text = ""
        self._usage: Any = None
        self._reported: set[str] = set()

    async def run(self, chunks: AsyncIterator[dict[str, Any]]) -> None:
        """Forward all chunks; end the queue with None or with an error."""
        checking = asyncio.create_task(self._check())
        last: list[dict[str, Any]] = []
        try:
            stream = SentenceStream()
            async for chunk in chunks:
                self._frame = {**chunk, "choices": []}
                self._usage = self._frame.pop("usage", None) or self._usage
                piece = _content_of(chunk)
                if not self._is_held:
                    await self._outgoing.put(chunk)
                elif _is_end(chunk):
                    last.append(_without_content(chunk))
                elif not piece:
                    await self._outgoing.put(chunk)
                for stretch in stream.add(piece):
                    self._whole.put_nowait(stretch)
            for stretch in stream.end():
                self._whole.put_nowait(stretch)
            self._whole.put_nowait(None)
            await checking
            for chunk in last:
                await self._outgoing.put(chunk)
            await self._outgoing.put(None)
        except (DoorError, DetectionError) as error:
            await self._outgoing.put(error)
        except Exception as error:
            await self._outgoing.put(error)
            raise
        finally:
            checking.cancel()
            await _note(self._order, self._usage, self._text)

    async def _check(self) -> None:
        """Check the text so far after each complete sentence, and forward the findings."""
        while (stretch := await self._whole.get()) is not None:
            start = len(self._text) + len(stretch.lead)
            self._text += stretch.lead + stretch.text
            _refuse_long(self._text)
            report = await server.check(self._order.check_request(self._text), whose=self._order.whose)
            new = [found for found in report.findings if found.span.end > start and self._is_new(found)]
            checked = {"mode": self._order.wishes.mode, **_checked_fields(report, new)}
            if not self._is_held:
                if new:
                    await self._outgoing.put({**self._frame, "chatprotect": checked})
                continue
            text = stretch.text
            if self._order.wishes.mode is Mode.REWRITE and new:
                text, checked["original"] = _rewritten(stretch.text, start, report, new), stretch.text
            delta = {"index": 0, "delta": {"content": stretch.lead + text}, "finish_reason": None}
            await self._outgoing.put({**self._frame, "choices": [delta], "chatprotect": checked})

    def _is_new(self, finding: Finding) -> bool:
        fingerprint = finding.fingerprint()
        is_new = fingerprint not in self._reported
        self._reported.add(fingerprint)
        return is_new


def _rewritten(text: str, start: int, report: Report, findings: Sequence[Finding]) -> str:
    """The sentences from ``start`` on with the values that a source decides; forwarded ones stay."""
    wordings = accept_all([checked.sentence for checked in report.sentences], findings)
    for index in sorted(wordings, reverse=True):
        own = report.sentences[index].sentence
        if own.start >= start:
            text = text[: own.start - start] + wordings[index] + text[own.end - start :]
    return text


async def _written(first: dict[str, Any], chunks: AsyncGenerator[dict[str, Any], None]) -> AsyncIterator[bytes]:
    """Chunks as server-sent events. An error in mid-stream is sent as an event, without an end mark after it."""
    del first  # it only shows that the model answers
    async with aclosing(chunks):
        try:
            async for chunk in chunks:
                yield f"data: {json.dumps(chunk, ensure_ascii=False)}\n\n".encode()
        except (DoorError, DetectionError) as error:
            body = openai(getattr(error, "status", 503), str(error), {}).content
            yield b"data: " + body + b"\n\n"
            return
        yield b"data: [DONE]\n\n"


def _content_of(chunk: dict[str, Any]) -> str:
    try:
        content = chunk["choices"][0]["delta"].get("content")
    except (KeyError, IndexError, TypeError, AttributeError):
        return ""
    return content if isinstance(content, str) else ""


def _is_end(chunk: dict[str, Any]) -> bool:
    """Whether a chunk has the finish reason or the usage: it comes after the last sentence."""
    choices = chunk.get("choices")
    if not choices:
        return True
    return bool(isinstance(choices, list) and isinstance(choices[0], dict) and choices[0].get("finish_reason"))


def _without_content(chunk: dict[str, Any]) -> dict[str, Any]:
    if not _content_of(chunk):
        return chunk
    choice = chunk["choices"][0]
    delta = {name: value for name, value in choice["delta"].items() if name != "content"}
    return {**chunk, "choices": [{**choice, "delta": delta}]}


# --- The model ------------------------------------------------------------------------------------------------------


@asynccontextmanager
async def _asked(order: _Order) -> AsyncIterator[httpx2.Response]:
    """The successful response of the configured model. It is aborted when the caller leaves.

    Raises:
        DoorError: the model is unreachable or refused.
    """
    endpoint = order.endpoint
    url = f"{endpoint.base_url.rstrip('/')}/chat/completions"
    headers = {**({"Authorization": f"Bearer {endpoint.api_key}"} if endpoint.api_key else {}), **endpoint.headers}
    verify = ssl.create_default_context(cafile=str(endpoint.ca_file)) if endpoint.ca_file else True
    async with httpx2.AsyncClient(timeout=endpoint.attempt_timeout_s, verify=verify, follow_redirects=False) as client:
        try:
            async with client.stream(
                "POST", url, json=order.body, headers=headers, params=dict(endpoint.query)
            ) as response:
                if response.status_code != httpx2.codes.OK:
                    raise _refusal(response.status_code)
                yield response
        except httpx2.TimeoutException as error:
            raise DoorError(504, "The language model did not answer in time.") from error
        except httpx2.HTTPError as error:
            raise DoorError(502, "The connection to the language model failed or broke off.") from error


async def _note(order: _Order, usage: Any, answer: str) -> None:
    """Count the cost of an answer for the daily budget. Without usage from the endpoint, estimate it by length."""
    counted = usage if isinstance(usage, dict) else {}
    tokens = [counted.get(name) for name in ("prompt_tokens", "completion_tokens")]
    lengths = (len(json.dumps(order.body)), len(answer))
    prompt, completion = (
        count if isinstance(count, int) and 0 <= count < _MOST_TOKENS else length // _CHARS_PER_TOKEN
        for count, length in zip(tokens, lengths, strict=True)
    )
    used = TokenUsage(prompt, completion)
    price = price_of(load_prices(settings.PRICES), order.body["model"])
    await sync_to_async(note_tokens)(used.total, price.of(used) if price else None, payer=order.payer)


def _refusal(status: int) -> DoorError:
    """The error for the client. The endpoint's own message may name the operator's account."""
    if status == 429:
        return DoorError(429, "The language model is asked too often. Wait a minute.", retry_after=60)
    if status in (400, 404, 413, 422):
        return DoorError(400, f"The language model refused the request (status {status}).")
    return DoorError(502, f"The language model cannot be used (status {status}).")


async def _json_of(response: httpx2.Response) -> dict[str, Any]:
    body = b""
    async for part in response.aiter_bytes():
        body += part
        if len(body) > _MOST_ANSWER_BYTES:
            raise DoorError(502, "The language model sends without end.")
    try:
        answer = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise DoorError(502, "The language model answered with something that is no JSON.") from error
    if not isinstance(answer, dict):
        raise DoorError(502, "The language model answered with something that is no object.")
    return answer


async def _chunks(response: httpx2.Response) -> AsyncIterator[dict[str, Any]]:
    """The chunks of a streamed answer, up to its end mark."""
    pending, received = b"", 0
    async for part in response.aiter_bytes():
        received += len(part)
        if received > _MOST_ANSWER_BYTES:
            raise DoorError(502, "The language model sends without end.")
        *lines, pending = (pending + part).split(b"\n")
        for line in lines:
            data = line.strip().removeprefix(b"data:").strip()
            if not line.startswith(b"data:") or not data:
                continue
            if data == b"[DONE]":
                return
            try:
                chunk = json.loads(data)
            except (ValueError, RecursionError) as error:
                raise DoorError(502, "The language model answered with something that is no JSON.") from error
            if not isinstance(chunk, dict) or "error" in chunk:
                raise DoorError(502, "The language model broke off with an error.")
            yield chunk
    raise DoorError(502, "The connection to the language model broke off.")
