"""Parse and validate the answer of a model about a window of numbered sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..llm.structured import find_objects
from .windows import Window

_NUMBER = re.compile(r"\d{1,6}")


@dataclass(frozen=True, slots=True)
class NamedPair:
    """Two sentences of the text, by index, that a model calls contradictory, and the words of each that clash."""

    earlier: int
    later: int
    earlier_words: str
    later_words: str


@dataclass(frozen=True, slots=True)
class NamedPairs:
    """The content of an answer. A pair that is named with different words occurs several times.

    ``doubtful`` are sentences that it compares with something outside the text, ``unread`` those of the window that the
    model does not confirm to have read, because servers silently truncate long prompts.
    """

    pairs: tuple[NamedPair, ...]
    doubtful: frozenset[int] = frozenset()
    unread: frozenset[int] = frozenset()


def read_pairs(answer: str, window: Window) -> NamedPairs | None:
    """The pairs in an answer; None if it is malformed or names only unknown sentences."""
    answers = [found for found in find_objects(answer) if isinstance(found.get("contradictions"), list)]
    if not answers:
        return None
    read = _read(answers[-1].get("read"))
    items = [item for found in answers for item in found["contradictions"]]
    if read is None or not all(isinstance(item, dict) for item in items):
        return None
    pairs, doubtful = _named(items, window)
    if items and not pairs and not doubtful:
        return None
    return NamedPairs(pairs, doubtful, frozenset(window.sentences) - frozenset(read))


def _read(numbers: object) -> range | None:
    """The indices between the first and the last number; None without two numbers."""
    found = [int(number) - 1 for number in _NUMBER.findall(str(numbers))]
    return range(found[0], found[1] + 1) if len(found) == 2 else None


def _named(items: Sequence[Mapping[str, Any]], window: Window) -> tuple[tuple[NamedPair, ...], frozenset[int]]:
    """The pairs of known sentences, and the sentences that are paired with unknown ones."""
    known = window.known
    pairs: dict[NamedPair, None] = {}
    doubtful: set[int] = set()
    for item in items:
        existing = [index for index in _indices(item) if index in known]
        if len(existing) == 2 and existing[0] != existing[1]:
            pairs[_pair(item, *existing)] = None
        else:
            doubtful.update(existing)
    return tuple(pairs), frozenset(doubtful)


def _indices(item: Mapping[str, Any]) -> Iterator[int]:
    for key in ("first", "second"):
        found = _NUMBER.search(str(item.get(key)))
        if found:
            yield int(found[0]) - 1


def _pair(item: Mapping[str, Any], first: int, second: int) -> NamedPair:
    words = {first: _text(item.get("first_words")), second: _text(item.get("second_words"))}
    earlier, later = sorted((first, second))
    return NamedPair(earlier, later, words[earlier], words[later])


def _text(value: object) -> str:
    return " ".join(value.split()) if isinstance(value, str) else ""
