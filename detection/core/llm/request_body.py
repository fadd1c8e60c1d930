"""Build the body of a request from the parameters that the endpoint accepts."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..prompts import Message, Role
from .abilities import Abilities, Form
from .endpoint import Effort
from .types import ModelRequest


@dataclass(frozen=True, slots=True)
class RequestBody:
    """The content to send. ``uses`` are the names of the abilities that it needs."""

    content: dict[str, Any]
    uses: frozenset[str]


def make_body(request: ModelRequest, abilities: Abilities, effort: Effort, *, streams: bool = False) -> RequestBody:
    """The request with the parameter names of the endpoint, without unsupported parameters."""
    body: dict[str, Any] = {"model": request.model, "messages": _messages(request.messages, abilities)}
    uses = set()
    if abilities.system and any(message.role is Role.SYSTEM for message in request.messages):
        uses.add("system")
    if abilities.limit:
        body[abilities.limit] = request.max_tokens + abilities.room
        uses.add("limit")
    if abilities.temperature:
        body["temperature"] = request.temperature
        uses.add("temperature")
    # ``top_p`` has no effect at temperature 0, and some endpoints refuse the two together.
    if request.top_p is not None and abilities.top_p and request.temperature > 0:
        body["top_p"] = request.top_p
        uses.add("top_p")
    if request.samples > 1 and abilities.samples:
        body["n"] = request.samples
        uses.add("samples")
    if request.wants_probabilities and abilities.probabilities:
        body["logprobs"] = True
        uses.add("probabilities")
    if effort is not Effort.UNSET and abilities.effort:
        body["reasoning_effort"] = effort.sent_as
        uses.add("effort")
    if request.schema is not None and abilities.form is not Form.WORDS:
        body["response_format"] = _response_format(request.schema, abilities.form)
        uses.add("form")
    if streams:
        body["stream"] = True
        if abilities.stream_options:
            body["stream_options"] = {"include_usage": True}
            uses.add("stream_options")
    return RequestBody(body, frozenset(uses))


def _response_format(schema: str, form: Form) -> dict[str, Any]:
    if form is Form.OBJECT:
        return {"type": "json_object"}
    return {
        "type": "json_schema",
        "json_schema": {"name": "answer", "strict": True, "schema": json.loads(schema)},
    }


def _messages(messages: Sequence[Message], abilities: Abilities) -> list[dict[str, str]]:
    if not abilities.system:
        messages = _folded(messages)
    return [{"role": message.role.value, "content": message.text} for message in messages]


def _folded(messages: Sequence[Message]) -> list[Message]:
    """The messages with the system prompt moved into the first user message."""
    said = [message.text for message in messages if message.role is Role.SYSTEM]
    others = [message for message in messages if message.role is not Role.SYSTEM]
    if not said or not others:
        return list(messages)
    first, *rest = others
    return [Message(Role.USER, "\n\n".join([*said, first.text])), *rest]
