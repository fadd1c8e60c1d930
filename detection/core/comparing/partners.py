"""The sentences of a text that a sentence is compared with, and how closely the NLI model relates it to them.

A sentence such as "However, the plan changed" seems to contradict many others. What counts is a score that stands out
from the other scores of the same sentence, so the decision about a pair also knows the mean of these.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence

from ..local_models.decision import Decision
from ..local_models.process import LocalModels
from ..local_models.vectors import Vector, likenesses
from .scores import of_text, relatedness
from .sections import apart_from_parallel_sections
from .sentence import ComparableSentence
from .tables import is_row

#: A sentence is compared with all of so few sentences, ...
MAX_COMPARED_IN_FULL = 3
#: ... and of more with those that the trained decision holds to be worth it, ...
LEAST_WORTH = 0.5
#: ... in a long text with the first of these. In texts of 17 to 23 sentences 20 contradictions are found, and none
#: is lost with 8, 6 or 4 partners; longer texts may need more.
MAX_PARTNERS = 6
#: A short text has at most so many sentences before the last one.
MAX_OF_SHORT_TEXT = 15
#: A call of the model for vectors takes them for blocks of so many sentences.
_VECTORS_AT_ONCE = 32

#: The mean relatedness of all pairs, and how many partners it counts for: a sentence with few partners is average.
_USUAL_RELATEDNESS = -2.6
_USUAL_PARTNERS = 3


async def partners(
    sentences: Sequence[ComparableSentence], index: int, others: Iterable[int], models: LocalModels
) -> list[int]:
    """The indices among ``others`` that are worth comparing with the sentence at ``index``, most so first."""
    candidates = comparable_with(sentences, index, others)
    if len(candidates) <= MAX_COMPARED_IN_FULL:
        return sorted(candidates, key=lambda i: sentences[i].overlap(sentences[index]), reverse=True)
    features = await partner_features(sentences, index, candidates, models)
    decision = models.decision(Decision.OF_PARTNERS)
    worth = {i: decision.shares(features[i])[1] for i in candidates}
    ranked = sorted((i for i in candidates if worth[i] >= LEAST_WORTH), key=worth.__getitem__, reverse=True)
    return ranked[:MAX_PARTNERS] if len(candidates) > MAX_OF_SHORT_TEXT else ranked


class EarlierPartners:
    """The partners of each sentence of a text among the sentences before it, each list computed once."""

    def __init__(self, sentences: Sequence[ComparableSentence]) -> None:
        self.sentences = sentences
        self._known: dict[int, list[int]] = {}

    async def of(self, index: int, models: LocalModels) -> list[int]:
        """See :func:`partners`. ``models`` are the same in every call."""
        if index not in self._known:
            self._known[index] = await partners(self.sentences, index, range(index), models)
        return self._known[index]


def comparable_with(sentences: Sequence[ComparableSentence], index: int, others: Iterable[int]) -> list[int]:
    """The indices among ``others`` of sentences that the one at ``index`` could contradict at all."""
    if sentences[index].is_entry:
        return []
    return [
        i
        for i in apart_from_parallel_sections(sentences, index, others)
        if sentences[i].is_comparable and not sentences[i].is_entry and not is_row(sentences[i])
    ]


async def partner_features(
    sentences: Sequence[ComparableSentence], index: int, candidates: Sequence[int], models: LocalModels
) -> dict[int, Mapping[str, float]]:
    """The features of the decision whether a candidate is worth comparing with the sentence at ``index``.

    Common words alone do not find the sentence that says the contrary in other words, so the vectors of the sentences
    count as well.
    """
    own, *theirs = await _vectors_of(sentences, (index, *candidates), models)
    likeness = dict(zip(candidates, likenesses(own, theirs), strict=True))
    ordered = sorted(likeness.values())
    found: dict[int, Mapping[str, float]] = {}
    for i in candidates:
        earlier, later = sentences[min(i, index)], sentences[max(i, index)]
        found[i] = {
            "overlap": earlier.overlap(later),
            "likeness": likeness[i],
            "nearer_candidates": math.log1p(len(ordered) - bisect_right(ordered, likeness[i])),
            "earlier_length": math.log(len(earlier.text)),
            "later_length": math.log(len(later.text)),
            "neighbours": abs(i - index) == 1,
        }
    return found


async def _vectors_of(
    sentences: Sequence[ComparableSentence], indices: Sequence[int], models: LocalModels
) -> list[Vector]:
    """The vectors of the sentences at ``indices``.

    Those of the sentences beside them are asked for in the same call: each call waits for its turn, a check needs them
    next, and its models remember them.
    """
    end = (max(indices) // _VECTORS_AT_ONCE + 1) * _VECTORS_AT_ONCE
    vectors = await models.vectors([sentence.text for sentence in sentences[:end]])
    return [vectors[i] for i in indices]


def nearest_in_words(sentences: Sequence[ComparableSentence], index: int, others: Iterable[int]) -> list[int]:
    """The indices among ``others`` of sentences that share most words with the one at ``index``.

    They are so few that all of them may be compared. A rewrite of a sentence keeps its words, so for it these are
    enough.
    """
    nearest = sorted(others, key=lambda i: sentences[i].overlap(sentences[index]), reverse=True)
    return nearest[:MAX_OF_SHORT_TEXT]


async def mean_relatedness(earlier: EarlierPartners, index: int, models: LocalModels) -> float:
    """The mean relatedness of the sentence at ``index`` to its partners among the sentences before it.

    A check has scored these pairs before, for the sentence itself, so that its models remember them.
    """
    sentences = earlier.sentences
    pairs = [of_text(sentences[partner], sentences[index]) for partner in await earlier.of(index, models)]
    scores = await models.score(pairs)
    total = _USUAL_PARTNERS * _USUAL_RELATEDNESS + sum(map(relatedness, scores))
    return total / (_USUAL_PARTNERS + len(scores))
