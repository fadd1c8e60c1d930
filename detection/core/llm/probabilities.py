"""How probable each token of an answer was to the model that wrote it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class TokenProbability:
    """A token of an answer. ``data`` are its bytes in UTF-8: a token may be a part of a character only."""

    data: bytes
    probability: float
    """From 0 to 1."""


def read_tokens(choice: dict[str, Any]) -> tuple[TokenProbability, ...]:
    """The tokens of one choice of a completion, or of a piece of it; none where the endpoint gives none.

    An endpoint that gives something else is treated like one that gives nothing: the text itself is not in doubt.
    """
    try:
        return tuple(
            TokenProbability(_data(token), math.exp(min(0.0, float(token["logprob"]))))
            for token in (choice.get("logprobs") or {}).get("content") or ()
        )
    except (TypeError, ValueError, KeyError, AttributeError):
        return ()


def _data(token: dict[str, Any]) -> bytes:
    """The bytes of a token; servers that do not give them give its text, which is whole characters then."""
    listed = token.get("bytes")
    return str(token["token"]).encode() if listed is None else bytes(listed)
