"""Parse a language model's answers about numbered sentences: match them by text, and drop invalid items."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any

from rapidfuzz import fuzz

from ..llm.structured import find_objects
from .hypotheses import Hypothesis, Judgement, Mark, Repair

#: Minimum similarity (0 to 100) of a repeated sentence: models shorten and correct what they repeat.
LEAST_LIKENESS = 75

_NUMBER = re.compile(r"\d+")


def read_judgements(answer: str, hypotheses: Sequence[Hypothesis]) -> dict[int, Judgement]:
    """Parse the judgements in an answer, by the position of the hypothesis.

    Missing, unmarked and contradictory judgements are left out.
    """
    given: defaultdict[int, list[Judgement]] = defaultdict(list)
    texts = [hypothesis.text for hypothesis in hypotheses]
    for position, item in _matched(answer, texts, "hypothesis"):
        judgement = _judgement(item)
        if judgement is not None:
            given[position].append(judgement)
    return {
        position: judgements[0]
        for position, judgements in given.items()
        if len({judgement.mark for judgement in judgements}) == 1
    }


def read_repair(answer: str, sentences: Sequence[str], flawed: AbstractSet[int]) -> Repair:
    """Parse the new wordings of the flawed sentences, and whether the other sentences are unchanged."""
    given: defaultdict[int, set[str]] = defaultdict(set)
    for position, item in _matched(answer, sentences, "original"):
        if isinstance(item.get("corrected"), str):
            given[position].add(" ".join(item["corrected"].split()))
    changed = {
        position
        for position, wordings in given.items()
        if position not in flawed and wordings != {" ".join(sentences[position].split())}
    }
    wordings = {position: min(texts) for position, texts in given.items() if position in flawed and len(texts) == 1}
    return Repair(wordings, keeps_the_rest=not changed)


def _matched(answer: str, texts: Sequence[str], key: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """The items of an answer, each with the position of the text that it repeats under ``key``."""
    for item in _items(answer):
        repeated = item.get(key)
        if isinstance(repeated, str):
            position = _position(_number(item.get("number")), repeated, texts)
            if position is not None:
                yield position, item


def _items(answer: str) -> Iterator[Mapping[str, Any]]:
    for found in find_objects(answer):
        lists = [value for value in found.values() if isinstance(value, list)]
        if "number" not in found and lists:
            yield from (item for item in lists[0] if isinstance(item, dict))
        else:
            yield found


def _position(number: int | None, repeated: str, texts: Sequence[str]) -> int | None:
    """The position of the most similar one of ``texts``; the item's number decides between equal texts."""
    likeness = [fuzz.ratio(_plain(repeated), _plain(text)) for text in texts]
    best = max(likeness, default=0.0)
    if best < LEAST_LIKENESS:
        return None
    candidates = [position for position, value in enumerate(likeness) if value == best]
    if len(candidates) == 1:
        return candidates[0]
    return number - 1 if number is not None and number - 1 in candidates else None


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


def _number(value: object) -> int | None:
    found = _NUMBER.search(str(value))
    return int(found[0]) if found else None


def _judgement(item: Mapping[str, Any]) -> Judgement | None:
    try:
        mark = Mark(str(item.get("mark")).strip(" .[]()*").lower())
    except ValueError:
        return None
    return Judgement(
        mark=mark,
        quotes=tuple(_quotes(item.get("quotes"))),
        reason=_text(item.get("reason")),
        wrong_words=_text(item.get("wrong_words")),
        source_words=_text(item.get("source_words")),
    )


def _quotes(value: object) -> Iterator[str]:
    for quote in value if isinstance(value, list) else [value]:
        if isinstance(quote, str) and any(map(str.isalnum, quote)):
            yield quote.strip()


def _text(value: object) -> str:
    return " ".join(value.split()) if isinstance(value, str) else ""
