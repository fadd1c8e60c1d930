"""Test the abilities of an endpoint, and say how the program works without missing ones."""

from __future__ import annotations

import json
from contextlib import aclosing
from dataclasses import dataclass, replace

from ..errors import DetectionError, EndpointRefused, ModelCallFailed
from ..prompts import Message, Role, load
from .client import ModelClient
from .model_list import ListedModel, read_models
from .schemas import TEXT, schema_of
from .types import ModelRequest, Purpose

_PLAIN, _JSON = load("test.v1"), load("test_json.v1")
_SCHEMA = schema_of(answer=TEXT)
_INSTRUCTION = Message(Role.SYSTEM, "You answer with one word.")
_MAX_TOKENS = 16
_SAMPLES = 3


@dataclass(frozen=True, slots=True)
class Finding:
    """One tested ability. ``remark`` says how it works, or what the program does without it."""

    name: str
    works: bool
    remark: str = ""


@dataclass(frozen=True, slots=True)
class Trial:
    """The abilities of one model. ``problem`` says why no test was possible; "" if it answers."""

    model: str
    findings: tuple[Finding, ...] = ()
    problem: str = ""
    context: int | None = None
    """The size of its context window in tokens, if the endpoint reports it."""


async def list_models(client: ModelClient) -> tuple[ListedModel, ...]:
    """The models of the endpoint; none if it does not list them."""
    try:
        return read_models(await client.fetch("models"))
    except ModelCallFailed:
        return ()


async def try_out(client: ModelClient, model: str, purpose: Purpose = Purpose.TEST) -> Trial:
    """Ask a model a few short questions, each for one ability. Most endpoints need six calls."""
    asked = ModelRequest(purpose, _PLAIN.id, model, (_INSTRUCTION, *_PLAIN.render()), max_tokens=_MAX_TOKENS)
    try:
        await client.complete(asked)
    except DetectionError as error:
        return Trial(model, problem=str(error))
    findings = [
        await _samples(client, asked),
        await _json(client, model, purpose),
        await _probabilities(client, asked),
        await _stream(client, asked),
    ]
    known = client.abilities(model)
    system = Finding("system turn", known.system, "" if known.system else "instructions go into the question")
    thinks = [Finding("thoughts", True, f"gets {known.room:,} tokens on top for them")] if known.room else []
    context = next((listed.context for listed in await list_models(client) if listed.name == model), None)
    return Trial(model, (system, *findings, *thinks), context=context)


async def _samples(client: ModelClient, asked: ModelRequest) -> Finding:
    name = "several answers at once"
    try:
        await client.complete(replace(asked, samples=_SAMPLES, temperature=1.0))
    except EndpointRefused:
        raise
    except DetectionError as error:
        return Finding(name, False, str(error))
    works = client.abilities(asked.model).samples
    return Finding(name, works, "" if works else "each vote is a call of its own: about twice as many calls")


async def _json(client: ModelClient, model: str, purpose: Purpose) -> Finding:
    name = "answers in JSON"
    request = ModelRequest(purpose, _JSON.id, model, _JSON.render(), max_tokens=4 * _MAX_TOKENS, schema=_SCHEMA)
    try:
        answer = (await client.complete(request)).text
        json.loads(answer)
    except EndpointRefused:
        raise
    except ValueError:
        return Finding(name, False, "it puts words around them, which are taken off as far as possible")
    except DetectionError as error:
        return Finding(name, False, str(error))
    form = client.abilities(model).form
    return Finding(name, True, "" if form.value == "schema" else "without a schema: the form is asked for in words")


async def _probabilities(client: ModelClient, asked: ModelRequest) -> Finding:
    name = "token probabilities"
    try:
        answer = await client.complete(replace(asked, wants_probabilities=True))
    except EndpointRefused:
        raise
    except DetectionError as error:
        return Finding(name, False, str(error))
    works = bool(answer.tokens)
    return Finding(name, works, "" if works else "while a text is written every statement is asked about")


async def _stream(client: ModelClient, asked: ModelRequest) -> Finding:
    name = "streaming"
    pieces = 0
    try:
        async with aclosing(client.stream(asked)) as stream:
            async for piece in stream:
                pieces += bool(piece.text)
    except EndpointRefused:
        raise
    except DetectionError as error:
        return Finding(name, False, str(error))
    return Finding(name, True)
