"""Parse the events of a streamed chat completion."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..untrusted.json import read_json
from .body import MODERATED, Unusable, read_usage
from .error_body import read_error_value
from .failures import Failure, FailureKind, failure_of
from .probabilities import TokenProbability, read_tokens
from .types import TokenUsage

_DATA = "data:"
_END = "[DONE]"


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of an answer. The last ones may have ``usage`` and no text; ``is_end`` marks the last one."""

    text: str
    usage: TokenUsage | None = None
    is_end: bool = False
    is_cut: bool = False
    """True when the token limit truncated the answer."""
    tokens: tuple[TokenProbability, ...] = ()
    is_thought: bool = False
    """True when the endpoint sent thoughts in a separate field; they are not in ``text``."""


def read_line(line: str, model: str = "") -> Piece | None:
    """Parse a line of the stream; None for lines without data.

    Raises:
        Unusable: the line is malformed or an error, or the model refused.
    """
    if not line.startswith(_DATA):
        return None
    data = line.removeprefix(_DATA).strip()
    if data == _END:
        return Piece("", is_end=True)
    try:
        event = read_json(data)
        if event.get("error"):
            raise Unusable(failure_of(read_error_value(event), model))
        choices = event.get("choices") or [{}]
        delta: dict[str, Any] = choices[0].get("delta") or {}
        text = _text(delta)
        thought = delta.get("reasoning_content") or delta.get("reasoning") or ""
        ending = choices[0].get("finish_reason")
        refused = bool(delta.get("refusal")) or ending == "content_filter"
        error = choices[0].get("error")
    except (ValueError, AttributeError, LookupError, TypeError):
        raise Unusable(Failure(FailureKind.UNREADABLE, "The endpoint sent a broken stream.")) from None
    if error or ending == "error":
        raise Unusable(failure_of(read_error_value(error or event), model))
    if refused:
        raise Unusable(MODERATED)
    return Piece(
        text,
        read_usage(event.get("usage")),
        is_end=ending is not None,
        is_cut=ending in ("length", "max_tokens"),
        tokens=read_tokens(choices[0]),
        is_thought=bool(thought),
    )


def _text(delta: dict[str, Any]) -> str:
    content = delta.get("content") or ""
    if isinstance(content, str):
        return content
    return "".join(part["text"] for part in content if part.get("type") == "text")
