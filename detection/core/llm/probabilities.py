"""How probable each token of an answer was to the model that wrote it."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from ..types import Span


@dataclass(frozen=True, slots=True)
class TokenProbability:
    """A token of an answer. ``data`` are its bytes in UTF-8: a token may be a part of a character only."""

    data: bytes
    probability: float
    """From 0 to 1."""


class TokenTrack:
    """The tokens of a text as they come, and how probable the least probable one is of those that wrote some words.

    Tokens are bytes, and a text is characters: a token may be a part of a character, or of several words.
    """

    def __init__(self) -> None:
        self._data = bytearray()
        self._probabilities: list[float] = []

    def add(self, tokens: Iterable[TokenProbability]) -> None:
        for token in tokens:
            self._data += token.data
            self._probabilities += [token.probability] * len(token.data)

    def probabilities(self, text: str, span: Span) -> tuple[float, ...] | None:
        """For each character at ``span`` of ``text`` the least probability of the tokens that wrote it, 0 to 1.

        ``text`` is the beginning of what the tokens make. None where no tokens were told, or they make another text;
        also where every one so far was certain: servers that do not know send 0 for the logarithm.
        """
        if are_untold(self._probabilities):
            return None
        start = len(text[: span.start].encode())
        written = span.of(text)
        end = start + len(written.encode())
        if bytes(self._data[start:end]) != written.encode():
            return None
        found, position = [], start
        for character in written:
            width = len(character.encode())
            found.append(min(self._probabilities[position : position + width]))
            position += width
        return tuple(found)


def read_tokens(choice: dict[str, Any]) -> tuple[TokenProbability, ...]:
    """The tokens of one choice of a completion, or of a piece of it; none where the endpoint gives none.

    An endpoint that gives something else is treated like one that gives nothing: the text itself is not in doubt.
    """
    try:
        return tuple(
            TokenProbability(_data(token), _probability(token))
            for token in (choice.get("logprobs") or {}).get("content") or ()
        )
    except (TypeError, ValueError, KeyError, AttributeError, OverflowError):
        return ()


def are_untold(probabilities: Iterable[float]) -> bool:
    """Whether probabilities say nothing: no model is certain of every token."""
    return all(probability >= 1.0 for probability in probabilities)


def _probability(token: dict[str, Any]) -> float:
    logarithm = float(token["logprob"])
    if math.isnan(logarithm):
        raise ValueError("no number")  # and not a word that the model was sure of
    return math.exp(min(0.0, logarithm))


def _data(token: dict[str, Any]) -> bytes:
    """The bytes of a token; servers that do not give them give its text, which is whole characters then."""
    listed = token.get("bytes")
    if listed is None:
        return str(token["token"]).encode()
    if not isinstance(listed, list):
        raise TypeError("no list of bytes")  # of a number, bytes() would make as many zeros
    return bytes(listed)
