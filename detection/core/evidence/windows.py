"""How well a document supports a claim: the best score among its windows nearest to the claim (METHODS C.3)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..local_models.process import LocalModels
from ..sources.library import PASSAGE_STEP, PASSAGE_WORDS
from ..sources.passage_index import PassageIndex
from ..types import NliPair, Span

#: Windows of one document that the NLI model reads for a claim: a page of 4,000 words has 88.
MAX_WINDOWS = 8

_WORD = re.compile(r"\S+")


@dataclass(frozen=True, slots=True)
class Window:
    """A part of a document: its position, and its text as the NLI model receives it."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Support:
    """How well a document supports a claim, 0 to 1, and its best window."""

    entailment: float
    window: Window


def windows(text: str) -> list[str]:
    """Split ``text`` into overlapping windows of the length of a passage; a shorter text is one window.

    The paper has m = 400 tokens and n = 100; the NLI model that ships was trained on shorter ones.
    """
    return [window.text for window in _cut(text)]


def nearest_windows(document: str, claim: str) -> list[str]:
    """The windows of the document nearest to the claim (BM25), at most ``MAX_WINDOWS``, best first."""
    return [window.text for window in _nearest(document, claim)]


async def entailments(pairs: Sequence[NliPair], models: LocalModels) -> list[float]:
    """``s(C, E)`` for each document (as the premise, of any length) and claim (as the hypothesis), 0 to 1 (eq. 1)."""
    return [support.entailment for support in await supports(pairs, models)]


async def supports(pairs: Sequence[NliPair], models: LocalModels) -> list[Support]:
    """The scores of :func:`entailments` with their windows.

    A score is the highest probability of entailment among the ``MAX_WINDOWS`` nearest windows; the paper reads all.
    """
    of_pairs = [_nearest(pair.premise, pair.hypothesis) for pair in pairs]
    scores = iter(
        await models.score(
            [
                NliPair(window.text, pair.hypothesis)
                for pair, near in zip(pairs, of_pairs, strict=True)
                for window in near
            ]
        )
    )
    return [
        max((Support(next(scores).entailment, window) for window in near), key=lambda support: support.entailment)
        for near in of_pairs
    ]


def _cut(text: str) -> list[Window]:
    places = [match.span() for match in _WORD.finditer(text)]
    if len(places) <= PASSAGE_WORDS:
        return [Window(Span(0, len(text)), text)]
    found = []
    for start in range(0, len(places) - PASSAGE_WORDS + PASSAGE_STEP, PASSAGE_STEP):
        words = places[start : start + PASSAGE_WORDS]
        span = Span(words[0][0], words[-1][1])
        found.append(Window(span, " ".join(span.of(text).split())))
    return found


def _nearest(document: str, claim: str) -> list[Window]:
    found = _cut(document)
    if len(found) <= MAX_WINDOWS:
        return found
    scores = PassageIndex([window.text for window in found]).scores(claim)
    return [found[i] for i in np.argsort(-scores, kind="stable")[:MAX_WINDOWS]]
