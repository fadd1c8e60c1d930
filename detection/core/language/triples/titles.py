"""Find titles and headings, which are in a sentence without asserting anything."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from detection.core.language.triples.vocabulary import FINITE
from detection.core.types import Token

_QUOTATION_MARKS: Final = frozenset('"“”')
_MAX_HEADING_TOKENS: Final = 12
_SMALL: Final = frozenset({"a", "an", "the", "of", "and", "in", "on", "at", "to", "for", "with", "from", "by"})
"""Words without a capital in a title."""


def end_of_heading(tokens: tuple[Token, ...]) -> int:
    """Where the sentence begins after a heading in the same line ("Early years: ..."); 0 without one."""
    begin = tokens[:_MAX_HEADING_TOKENS]
    colon = next((position for position, token in enumerate(begin) if token.text == ":"), -1)
    return 0 if any(token.tag in FINITE for token in tokens[: colon + 1]) else colon + 1


def find_titles(tokens: tuple[Token, ...]) -> Iterator[range]:
    """The ranges of titles in quotation marks, in which most words have a capital. The marks are included."""
    opened: int | None = None
    for position, token in enumerate(tokens):
        if token.text not in _QUOTATION_MARKS:
            continue
        if opened is None:
            opened = position
            continue
        if _is_capitalised(tokens[opened + 1 : position]):
            yield range(opened, position + 1)
        opened = None


def _is_capitalised(tokens: tuple[Token, ...]) -> bool:
    words = [token.text for token in tokens if token.text.isalpha() and token.text not in _SMALL]
    return sum(word[0].isupper() for word in words) * 2 > len(words)
