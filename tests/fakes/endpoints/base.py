"""What all scripted endpoints are made of."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from tests.fakes.model_server import Asked, Reply, Script
from tests.fakes.scripts import contradicting

TEXT = "The mill at Sorrel was built in 1894 by Ada Lind. The mill at Sorrel has twelve rooms."
SOURCE = "The mill at Sorrel was built in 1849 by Ada Lind. The mill at Sorrel has twelve rooms."

WORKS = "works"


@dataclass(frozen=True)
class FakeEndpoint:
    """A server, and what is to be expected of it.

    ``check``, ``source`` and ``write`` are ``works``, ``degrades: …`` with what it does without, or ``fails: …`` with
    the beginning of what the reader is told. ``most_wasted`` is the number of calls that no perfect endpoint needs.
    """

    name: str
    make: Callable[[], Script]
    check: str
    source: str
    write: str
    most_wasted: int

    @property
    def knowledge(self) -> str:
        """What it does, and where that is known from."""
        return " ".join((self.make.__doc__ or "").split())


REGISTERED: list[FakeEndpoint] = []


def endpoint(
    name: str, check: str = WORKS, *, source: str | None = None, write: str | None = None, most_wasted: int = 4
) -> Callable[[Callable[[], Script]], Callable[[], Script]]:
    """Register what makes the script of an endpoint; ``source`` and ``write`` are as ``check`` unless given."""

    def register(make: Callable[[], Script]) -> Callable[[], Script]:
        own_source = check if source is None else source
        own_write = check if write is None else write
        REGISTERED.append(FakeEndpoint(name, make, check, own_source, own_write, most_wasted))
        return make

    return register


def good(asked: Asked) -> Reply:
    """What a good model says: it remembers the year otherwise, and writes a text where it is asked for one."""
    if "Tell me about the mill at Sorrel." in asked.question:
        return Reply(("The mill at Sorrel was built in 1894. It has twelve rooms.",))
    reply = contradicting(asked)
    return replace(reply, texts=(reply.texts * asked.samples)[: asked.samples])


def error(
    status: int,
    message: str,
    *,
    code: object = None,
    param: str | None = None,
    kind: str = "invalid_request_error",
    headers: dict[str, str] | None = None,
) -> Reply:
    """An error in the form of OpenAI, which most servers have taken over."""
    content = {"error": {"message": message, "type": kind, "param": param, "code": code}}
    return json_reply(status, content, headers)


def json_reply(status: int, content: object, headers: dict[str, str] | None = None) -> Reply:
    return Reply(status=status, body=json.dumps(content).encode(), headers=headers or {})


def events(*parts: dict[str, Any], done: bool = True) -> Reply:
    """A stream of these events."""
    lines = [f"data: {json.dumps(part)}\n\n".encode() for part in parts]
    ending = [b"data: [DONE]\n\n"] if done else []
    return Reply(body=lambda: iter([*lines, *ending]), headers={"Content-Type": "text/event-stream"})


def delta(content: str, **others: Any) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": {"content": content}, **others}]}


def in_words(asked: Asked, change: Callable[[str], str]) -> Reply:
    """The answer of a good model, each text changed."""
    reply = good(asked)
    return replace(reply, texts=tuple(map(change, reply.texts)))


def is_gap(asked: Asked) -> bool:
    return "Fill the gap: (" in asked.last


def is_vote(asked: Asked) -> bool:
    return "So, are the two statements" in asked.last


def is_text(asked: Asked) -> bool:
    return "Tell me about the mill at Sorrel." in asked.question


def sentence_for(asked: Asked) -> str:
    """A sentence about something else, in the place of the gap."""
    gap = re.search(r"Fill the gap: \((.*); (.*); _\)", asked.last)
    return f"{gap[1]} {gap[2]} something." if gap else "Something."


def first_then(*replies: Reply) -> Callable[[Asked], Reply]:
    """These replies first, one for each request, and then those of a good model."""
    left = list(replies)
    return lambda asked: left.pop(0) if left else good(asked)
