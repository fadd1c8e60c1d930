"""Whole texts in the style of language models, labelled by a person: permitted warnings and rewrites.

``fresh_texts.jsonl`` has one text per line: its sentences with the contradictory pairs or, with a source, their labels
(s supported, c contradicted, u unstated); the sentences that must be found; every correct wording; and known errors of
the judge (``fault``).
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Iterable
from itertools import accumulate
from pathlib import Path
from typing import Any

import pytest

from detection.core.rewriting.revise import accept_all
from detection.core.types import Finding, FindingKind, Sentence

from .conftest import Check

_FILE = Path(__file__).with_name("fresh_texts.jsonl")
_TEXTS = [json.loads(line) for line in _FILE.read_text(encoding="utf-8").splitlines()]


def marked(texts: Iterable[dict[str, Any]]) -> list[Any]:
    return [
        pytest.param(text, marks=pytest.mark.xfail(reason=text["fault"], strict=True)) if "fault" in text else text
        for text in texts
    ]


_INSIDE = marked(text for text in _TEXTS if "source" not in text)
_BESIDE = marked(text for text in _TEXTS if "source" in text)


def genre(text: dict[str, Any]) -> str:
    return str(text["genre"])


@pytest.mark.parametrize("text", _INSIDE, ids=genre)
async def test_only_sentences_that_contradict_each_other_are_warned_of(check: Check, text: dict[str, Any]) -> None:
    result = await check(" ".join(text["sentences"]))
    found = result.findings
    pairs = {
        tuple(number_of(result.sentences[place], text) for place in (finding.evidence[0].sentence, finding.sentence))
        for finding in found
    }
    assert pairs <= {(first, second) for first, second in text["pairs"]}
    assert {second for _, second in pairs} == set(text["found"])
    assert wrong(found, text) == []


@pytest.mark.parametrize("text", _BESIDE, ids=genre)
async def test_what_the_source_bears_out_is_no_conflict_and_what_is_offered_is_right(
    check: Check, text: dict[str, Any]
) -> None:
    result = await check(" ".join(text["sentences"]), text["source"])
    conflicts = [finding for finding in result.findings if finding.kind is FindingKind.CONFLICTS_WITH_SOURCE]
    assert {text["labels"][finding.sentence] for finding in conflicts} <= {"c"}
    assert {finding.sentence for finding in conflicts} >= set(text["found"])
    assert wrong(result.findings, text) == []
    assert set(accept_all(result.sentences, result.findings).values()) <= set(text["right"])


def number_of(sentence: Sentence, text: dict[str, Any]) -> int:
    """The index of a sentence in the data; the parser may join two of them."""
    starts = list(accumulate((len(written) + 1 for written in text["sentences"]), initial=0))
    return bisect_right(starts, sentence.start) - 1


def wrong(findings: list[Finding], text: dict[str, Any]) -> list[str]:
    """The incorrect rewrites, without merges, which have their own tests."""
    return [
        offer.replacement
        for finding in findings
        for offer in finding.suggestions
        if offer.replacement and offer.absorbed is None and offer.replacement not in text["right"]
    ]
