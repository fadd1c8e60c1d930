"""Read the events of a streamed chat completion."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..plain_json import read_json
from .body import Unusable, read_usage
from .failures import Failure, FailureKind
from .probabilities import TokenProbability, read_tokens
from .types import TokenUsage

_DATA = "data:"
_END = "[DONE]"


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of an answer. The last ones may bring ``usage`` and no text; ``is_end`` says that no more comes."""

    text: str
    usage: TokenUsage | None = None
    is_end: bool = False
    is_cut: bool = False
    """True when the answer ended at the limit of tokens and not by itself."""
    tokens: tuple[TokenProbability, ...] = ()


def read_line(line: str) -> Piece | None:
    """What a line of the stream brings; None for lines that say nothing.

    Raises:
        Unusable: the line is broken, or the model refused.
    """
    if not line.startswith(_DATA):
        return None
    data = line.removeprefix(_DATA).strip()
    if data == _END:
        return Piece("", is_end=True)
    try:
        event = read_json(data)
        choices = event.get("choices") or [{}]
        delta: dict[str, Any] = choices[0].get("delta") or {}
        text = delta.get("content") or ""
        ending = choices[0].get("finish_reason")
        refused = bool(delta.get("refusal")) or ending == "content_filter"
    except (ValueError, AttributeError, LookupError, TypeError):
        raise Unusable(Failure(FailureKind.UNREADABLE, "The endpoint sent a broken stream.")) from None
    if refused:
        raise Unusable(Failure(FailureKind.REFUSED, "The model refused to answer."))
    if not isinstance(text, str):
        raise Unusable(Failure(FailureKind.UNREADABLE, "The endpoint sent a broken stream."))
    return Piece(
        text,
        read_usage(event.get("usage")),
        is_end=ending is not None,
        is_cut=ending == "length",
        tokens=read_tokens(choices[0]),
    )
