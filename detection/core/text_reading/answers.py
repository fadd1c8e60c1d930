"""Read what a model says about a window of numbered sentences, and trust no number in it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any

from ..llm.structured import NoJson, find_list

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
    """What an answer names. ``doubtful`` are sentences that it sets against something that is not in the text."""

    pairs: tuple[NamedPair, ...]
    doubtful: frozenset[int] = frozenset()


def read_pairs(answer: str, known: AbstractSet[int]) -> NamedPairs | None:
    """The pairs in an answer; None when it is not in the form that was asked for, or only names what does not exist.

    ``known`` are the indices of the sentences that the model was shown, whose numbers are one higher.
    """
    items = _items(answer)
    if items is None:
        return None
    pairs: dict[tuple[int, int], NamedPair] = {}
    doubtful: set[int] = set()
    for item in items:
        named = list(_indices(item))
        existing = [index for index in named if index in known]
        if len(existing) == 2 and existing[0] != existing[1]:
            pair = _pair(item, *existing)
            pairs.setdefault((pair.earlier, pair.later), pair)
        else:
            doubtful.update(existing)
    if items and not pairs and not doubtful:
        return None
    return NamedPairs(tuple(pairs.values()), frozenset(doubtful))


def _items(answer: str) -> Sequence[Mapping[str, Any]] | None:
    """The list in an answer, without what is no object; None where there is no such list."""
    try:
        found = find_list(answer, "contradictions")
    except NoJson:
        return None
    items = [item for item in found if isinstance(item, dict)]
    return items if items or not found else None


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
