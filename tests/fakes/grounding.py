"""A language model that compares sentences with sources: by numbers and a few other words, and without thought."""

from __future__ import annotations

import json
import re
from typing import Any

from tests.fakes.model_server import Asked, Reply

_VALUE = re.compile(r"\b(?:\d[\d,.]*\d|\d|nine|twelve|northern|southern)\b")
_TAG = re.compile(r"\[ (.*?) \]")


def answering(asked: Asked) -> Reply:
    """Judge or correct what the prompt asks for."""
    return Reply((json.dumps(answer_to(asked)),))


def answer_to(asked: Asked) -> dict[str, list[dict[str, Any]]]:
    """The answer as it should be; a test may spoil it."""
    premise = sentences_of(section(asked, "premise"))
    if "--- problems, boundary" in asked.question:
        response = numbered(section(asked, "response"))
        numbers = numbered(section(asked, "problems"))
        return {"sentences": [_correction(premise, number, response[number]) for number in numbers]}
    hypotheses = numbered(section(asked, "hypotheses"))
    return {"judgements": [_judgement(premise, number, text) for number, text in hypotheses.items()]}


def section(asked: Asked, name: str) -> str:
    """What stands between the lines with the boundary word that is in force."""
    boundary = re.search(r"boundary word (?:is )?(\w{16})\b", asked.question)
    assert boundary, asked.question
    found = re.search(
        rf"^--- {name}, boundary {boundary[1]} ---$(.*?)^--- end of {name}, boundary {boundary[1]} ---$",
        asked.question,
        re.MULTILINE | re.DOTALL,
    )
    assert found, asked.question
    return found[1].strip()


def numbered(text: str) -> dict[int, str]:
    return {int(number): line for number, line in re.findall(r"^\((\d+)\) (.*)$", text, re.MULTILINE)}


def sentences_of(text: str) -> list[str]:
    lines = [line for line in text.splitlines() if not re.match(r"Source \d+ \(.*\):$", line)]
    return [sentence for line in lines for sentence in re.split(r"(?<=\.) ", line) if sentence.strip()]


def _judgement(premise: list[str], number: int, text: str) -> dict[str, Any]:
    item = {"number": number, "hypothesis": text, "quotes": [], "reason": "Nothing is said about it."}
    neutral = {**item, "wrong_words": "", "source_words": "", "mark": "neutral"}
    tag = _TAG.search(text)
    if tag:
        stated = [sentence for sentence in premise if tag[1].casefold() in sentence.casefold()]
        if not stated:
            return {**neutral, "wrong_words": tag[1], "reason": f"{tag[1]} is not in the premise."}
        return {**neutral, "quotes": stated[:1], "reason": "It is said.", "mark": "entailment"}
    nearest = _nearest(premise, text)
    if nearest is None:
        return neutral
    own, theirs = _VALUE.findall(text), _VALUE.findall(nearest)
    wrong = [value for value in own if value not in theirs]
    other = [value for value in theirs if value not in own]
    if wrong and other:
        reason = f"The premise says {other[0]}."
        clash = {"wrong_words": wrong[0], "source_words": other[0], "mark": "contradiction"}
        return {**neutral, **clash, "quotes": [nearest], "reason": reason}
    if wrong:
        return {**neutral, "wrong_words": wrong[0]}
    return {**neutral, "quotes": [nearest], "reason": "It is said.", "mark": "entailment"}


def _correction(premise: list[str], number: int, text: str) -> dict[str, Any]:
    corrected = text
    for _ in range(3):
        judgement = _judgement(premise, 1, corrected)
        if judgement["mark"] != "contradiction":
            break
        corrected = re.sub(rf"\b{judgement['wrong_words']}\b", judgement["source_words"], corrected)
    nearest = _nearest(premise, text)
    return {"number": number, "original": text, "corrected": corrected if nearest else ""}


def _nearest(premise: list[str], text: str) -> str | None:
    """The sentence that shares most words, two at least."""
    words = set(re.findall(r"[a-z]{4,}", text.casefold()))
    shared = {sentence: len(words & set(re.findall(r"[a-z]{4,}", sentence.casefold()))) for sentence in premise}
    best = max(shared, key=lambda sentence: shared[sentence], default=None)
    return best if best is not None and shared[best] >= 2 else None
