"""Token probabilities of an answer."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from ..types import Span


@dataclass(frozen=True, slots=True)
class TokenProbability:
    """A token of an answer. ``data`` are its UTF-8 bytes: a token may be part of a character."""

    data: bytes
    probability: float
    """From 0 to 1."""


class TokenTrack:
    """Collects the tokens of a text, and finds the least probable token of given words.

    A token is a sequence of bytes: it may be part of a character or span several words.
    """

    def __init__(self) -> None:
        self._data = bytearray()
        self._probabilities: list[float] = []

    def add(self, tokens: Iterable[TokenProbability]) -> None:
        for token in tokens:
            self._data += token.data
            self._probabilities += [token.probability] * len(token.data)

    def probabilities(self, text: str, span: Span) -> tuple[float, ...] | None:
        """For each character at ``span`` of ``text`` the lowest probability of its tokens, 0 to 1.

        ``text`` must be a prefix of the joined tokens. None if there are no tokens or they form another text; also if
        every token so far is certain, because servers without probabilities send the logarithm 0.
        """
        if are_meaningless(self._probabilities):
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
    """Parse the tokens of one choice of a completion or of a streamed piece; none if the endpoint sends none.

    Malformed tokens are treated like missing ones; they do not affect the text.
    """
    try:
        return tuple(
            TokenProbability(_data(token), _probability(token))
            for token in (choice.get("logprobs") or {}).get("content") or ()
        )
    except (TypeError, ValueError, KeyError, AttributeError, OverflowError):
        return ()


def are_meaningless(probabilities: Iterable[float]) -> bool:
    """Whether probabilities are meaningless: no model is certain of every token."""
    return all(probability >= 1.0 for probability in probabilities)


def _probability(token: dict[str, Any]) -> float:
    logarithm = float(token["logprob"])
    if math.isnan(logarithm):
        raise ValueError("no number")  # must not count as a certain token
    return math.exp(min(0.0, logarithm))


def _data(token: dict[str, Any]) -> bytes:
    """The bytes of a token; servers that do not send them send its text, which then has whole characters."""
    listed = token.get("bytes")
    if listed is None:
        return str(token["token"]).encode()
    if not isinstance(listed, list):
        raise TypeError("no list of bytes")  # bytes(n) would create n zeros
    return bytes(listed)
