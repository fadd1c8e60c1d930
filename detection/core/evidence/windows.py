"""How well a document bears out a claim: the best of the windows that share most words with it (METHODS C.3)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..compute import LocalModels
from ..library import PASSAGE_STEP, PASSAGE_WORDS
from ..passage_index import PassageIndex
from ..types import NliPair

#: Windows of one document that the NLI model reads for a claim: a page of 4,000 words has 88.
MOST_WINDOWS = 8


def windows(text: str) -> list[str]:
    """``text`` in windows of as many words as a passage has, that overlap; itself where it is no longer than one.

    The paper has m = 400 tokens and n = 100; the NLI model that ships was trained on shorter ones.
    """
    words = text.split()
    if len(words) <= PASSAGE_WORDS:
        return [text]
    starts = range(0, len(words) - PASSAGE_WORDS + PASSAGE_STEP, PASSAGE_STEP)
    return [" ".join(words[start : start + PASSAGE_WORDS]) for start in starts]


def nearest_windows(document: str, claim: str) -> list[str]:
    """The windows of the document that share most with the claim (BM25), at most ``MOST_WINDOWS``, best first."""
    found = windows(document)
    if len(found) <= MOST_WINDOWS:
        return found
    scores = PassageIndex(found).scores(claim)
    return [found[i] for i in np.argsort(-scores, kind="stable")[:MOST_WINDOWS]]


async def entailments(pairs: Sequence[NliPair], models: LocalModels) -> list[float]:
    """``s(C, E)`` for each document (as the premise, of any length) and claim (as the hypothesis), 0 to 1 (eq. 1).

    The highest probability of entailment among the ``MOST_WINDOWS`` nearest windows; the paper reads all windows.
    """
    of_pairs = [[NliPair(window, claim) for window in nearest_windows(document, claim)] for document, claim in pairs]
    scores = iter(await models.score([pair for of_pair in of_pairs for pair in of_pair]))
    return [max(next(scores).entailment for _ in of_pair) for of_pair in of_pairs]
