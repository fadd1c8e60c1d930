"""A language model that reads texts and compares statements by one rule: two years clash when they differ."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

from tests.fakes.model_server import Asked, Reply

_YEAR = re.compile(r"\b1\d{3}\b")
_LINE = re.compile(r"^(\d+) (.*)$", re.MULTILINE)
_PAIR = re.compile(r"^Pair (\d+)\nA: (.*)\n(?:\(said after: .*\)\n)?B: (.*)$", re.MULTILINE)


def reads(asked: Asked) -> bool:
    """Whether a whole text is to be read."""
    return "Find contradictions in the numbered sentences" in asked.prompt


def compares(asked: Asked) -> bool:
    """Whether pairs of statements are to be explained and judged."""
    return bool(pairs(asked)) and ("For each of these pairs" in asked.last or "That cannot be read" in asked.last)


def concludes(asked: Asked) -> bool:
    """Whether one pair is voted on."""
    return "So, are the two statements" in asked.last


def lines(asked: Asked) -> dict[int, str]:
    """The sentences of a text that is to be read, and facts from before, by their numbers."""
    text = next(message["content"] for message in asked.body["messages"] if message["role"] == "user")
    return {int(number): line for number, line in _LINE.findall(text)}


def to_read(asked: Asked) -> list[int]:
    """The numbers of the sentences of a window, without those that it is told of."""
    return [int(number) for number, _ in _LINE.findall(asked.prompt.rsplit("Now:", 1)[-1])]


def pairs(asked: Asked) -> dict[int, tuple[str, str]]:
    """The statements that are to be compared, by the number of the pair."""
    users = [message["content"] for message in asked.body["messages"] if message["role"] == "user"]
    return {int(number): (first, second) for text in users for number, first, second in _PAIR.findall(text)}


def clash(first: str, second: str) -> bool:
    ours, theirs = set(_YEAR.findall(first)), set(_YEAR.findall(second))
    return bool(ours and theirs) and not ours & theirs


def naming(items: Sequence[Mapping[str, object]], read: tuple[int, int] = (1, 9_999)) -> Reply:
    """An answer that names these pairs, and says between which numbers it has read."""
    return Reply((json.dumps({"contradictions": items, "read": read}),))


def item(first: int, second: int, first_words: str, second_words: str) -> dict[str, object]:
    return {"first": first, "second": second, "first_words": first_words, "second_words": second_words}


def judging(verdicts: Mapping[int, bool]) -> Reply:
    """An answer that explains each pair, and says whether it is contradictory."""
    judged = [
        {"number": number, "explanation": "The two give different years.", "contradictory": "yes" if is_yes else "no"}
        for number, is_yes in verdicts.items()
    ]
    return Reply((json.dumps({"pairs": judged}),))


def answering(asked: Asked) -> Reply | None:
    """What such a model says; None to what it is not asked for here."""
    if reads(asked):
        return naming(list(_clashes(lines(asked))))
    if compares(asked):
        return judging({number: clash(*pair) for number, pair in pairs(asked).items()})
    if concludes(asked) and pairs(asked):
        (pair,) = pairs(asked).values()
        return Reply(("Yes" if clash(*pair) else "No",) * asked.samples)
    return None


def _clashes(texts: Mapping[int, str]) -> Iterable[dict[str, object]]:
    for (first, one), (second, other) in combinations(sorted(texts.items()), 2):
        if clash(one, other):
            yield item(first, second, _YEAR.findall(one)[0], _YEAR.findall(other)[0])
