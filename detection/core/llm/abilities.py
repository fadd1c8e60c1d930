"""Request parameters that an endpoint accepts for a model, learned from refusals and kept beyond the run."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, fields, replace
from enum import StrEnum
from typing import Any, Final, Protocol

#: Learned abilities expire after a week, because servers are updated.
KEPT_FOR_S: Final = 7 * 24 * 3600
#: Extra tokens for a model that has sent thoughts.
ROOM_TO_THINK: Final = 4_000


class Form(StrEnum):
    """Ways to request an answer in JSON, the most reliable one first. The prompt always asks for JSON as well."""

    SCHEMA = "schema"
    OBJECT = "object"
    WORDS = "words"


@dataclass(frozen=True, slots=True)
class Abilities:
    """The abilities of one model at one address. The defaults are those of the OpenAI API before reasoning models."""

    limit: str = "max_tokens"
    """The name of the token limit: ``max_tokens`` or ``max_completion_tokens``; "" for none."""
    temperature: bool = True
    top_p: bool = True
    samples: bool = True
    """Whether one call can return ``n`` answers."""
    probabilities: bool = True
    stream_options: bool = True
    system: bool = True
    effort: bool = True
    form: Form = Form.SCHEMA
    room: int = 0
    """Extra tokens on top of each limit."""
    opens_unseen: bool = False
    """Whether its thoughts have only a closing tag."""


@dataclass(frozen=True, slots=True)
class Complaint:
    """The refusal of a request: the parameter that the endpoint names, and its message."""

    param: str
    message: str

    @property
    def words(self) -> str:
        return f"{self.param} {self.message}".casefold()

    @property
    def names_something(self) -> bool:
        """Whether it names an optional parameter."""
        return any(pattern.search(self.words) for pattern in _NAMES.values())


class AbilityStore(Protocol):
    """Stores learned abilities. Both methods are fast and never raise."""

    def find(self, address: str, model: str) -> Abilities: ...

    def keep(self, address: str, model: str, abilities: Abilities) -> None: ...


class MemoryAbilities:
    """Stores abilities in memory."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], Abilities] = {}

    def find(self, address: str, model: str) -> Abilities:
        return self._known.get((address, model), Abilities())

    def keep(self, address: str, model: str, abilities: Abilities) -> None:
        self._known[address, model] = abilities


# --- Learning ---------------------------------------------------------------------------------------------------

#: How refusals name each parameter. The first match that was sent is changed.
_NAMES: Final[Mapping[str, re.Pattern[str]]] = {
    "limit": re.compile(r"max_tokens|max_completion_tokens|max tokens"),
    "temperature": re.compile(r"\btemperature\b"),
    "top_p": re.compile(r"\btop_p\b|\btopp\b"),
    "form": re.compile(
        r"response_format|response format|json_schema|json_object|json mode|structured output|guided|grammar|\bschema\b"
    ),
    "probabilities": re.compile(r"log_?probs|logprobs|log probabilities"),
    "stream_options": re.compile(r"stream_options|stream options"),
    "effort": re.compile(r"reasoning_effort|reasoning effort|reasoning|thinking"),
    "samples": re.compile(r"(?:^|\W)n(?:\W|$)(?!-)|completion choice|multiple completions|candidate"),
    "system": re.compile(
        r"system role|role.{0,20}system|system.{0,30}(?:not support|unsupported|not allowed|message)|must alternate"
        r"|developer instruction|messages\[0\]"
    ),
}
#: Parameters to drop after a refusal without a name, least important first. The others are required.
_BLIND_ORDER: Final = ("form", "probabilities", "stream_options", "samples", "effort", "top_p")
_TOO_LARGE: Final = re.compile(r"(?:less than or equal to|at most|maximum|<=|must be below)")


def what_to_change(abilities: Abilities, sent: frozenset[str], complaint: Complaint) -> Abilities | None:
    """The abilities with one change that the complaint asks for; None if nothing it names was sent.

    ``sent`` are the names of the abilities that the request used.
    """
    for name in _named(complaint):
        if name in sent:
            return _without(abilities, name, complaint)
    if not complaint.names_something:
        for name in _BLIND_ORDER:
            if name in sent:
                return _without(abilities, name, complaint)
    return None


def _named(complaint: Complaint) -> Iterator[str]:
    """The parameters that the complaint names: first the one in its field, then those in its message."""
    if complaint.param:
        yield from (name for name, pattern in _NAMES.items() if pattern.search(complaint.param.casefold()))
    yield from (name for name, pattern in _NAMES.items() if pattern.search(complaint.message.casefold()))


def _without(abilities: Abilities, name: str, complaint: Complaint) -> Abilities | None:
    match name:
        case "limit":
            other = {"max_tokens": "max_completion_tokens", "max_completion_tokens": ""}.get(abilities.limit)
            if abilities.room and _TOO_LARGE.search(complaint.words):
                return replace(abilities, room=0)
            return None if other is None else replace(abilities, limit=other)
        case "form":
            lower = {Form.SCHEMA: Form.OBJECT, Form.OBJECT: Form.WORDS}.get(abilities.form)
            return None if lower is None else replace(abilities, form=lower)
        case _:
            changes: dict[str, Any] = {name: False}
            return replace(abilities, **changes)


def abilities_to_json(abilities: Abilities) -> dict[str, Any]:
    return {**asdict(abilities), "learned_at": time.time()}


def abilities_from_json(stored: object) -> Abilities | None:
    """The stored abilities; None if they are too old or of another version."""
    if not isinstance(stored, dict) or time.time() - float(stored.get("learned_at", 0)) > KEPT_FOR_S:
        return None
    names = {field.name for field in fields(Abilities)}
    values = {name: value for name, value in stored.items() if name in names}
    try:
        return Abilities(**{**values, "form": Form(values.get("form", Form.SCHEMA))})
    except (TypeError, ValueError):
        return None
