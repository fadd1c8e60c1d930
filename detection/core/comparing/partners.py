"""The sentences of a text that a sentence is compared with, and how closely the NLI model relates it to them.

A sentence such as "However, the plan changed" seems to contradict many others. What counts is a score that stands out
from the other scores of the same sentence, so the decision about a pair also knows the mean of these.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..local_models.process import LocalModels
from ..local_models.vectors import likenesses
from .scores import of_text, relatedness
from .sections import apart_from_parallel_sections
from .sentence import ComparableSentence
from .tables import is_row

#: A sentence is compared with all sentences of a short text, ...
MAX_COMPARED_IN_FULL = 15
#: ... and in a longer one with those nearest in topic. Of 111 contradictions that are found among 10 to 15 sentences,
#: the 8 nearest ones have 109, by common words alone 100.
MAX_PARTNERS = 8

#: The mean relatedness of all pairs, and how many partners it counts for: a sentence with few partners is average.
_USUAL_RELATEDNESS = -2.6
_USUAL_PARTNERS = 3


async def partners(
    sentences: Sequence[ComparableSentence], index: int, others: Iterable[int], models: LocalModels
) -> list[int]:
    """The indices among ``others`` that are worth comparing with the sentence at ``index``, nearest in topic first."""
    sentence = sentences[index]
    if sentence.is_entry:
        return []
    candidates = [
        i
        for i in apart_from_parallel_sections(sentences, index, others)
        if sentences[i].is_comparable and not sentences[i].is_entry and not is_row(sentences[i])
    ]
    nearness = {i: sentences[i].overlap(sentence) for i in candidates}
    is_long = len(candidates) > MAX_COMPARED_IN_FULL
    if is_long:
        # Common words alone do not find the sentence that says the contrary in other words.
        own, *theirs = await models.vectors([sentence.text, *(sentences[i].text for i in candidates)])
        for i, likeness in zip(candidates, likenesses(own, theirs), strict=True):
            nearness[i] += likeness
    ranked = sorted(candidates, key=nearness.__getitem__, reverse=True)
    return ranked[:MAX_PARTNERS] if is_long else ranked


def nearest_in_words(sentences: Sequence[ComparableSentence], index: int, others: Iterable[int]) -> list[int]:
    """The indices among ``others`` of sentences that share most words with the one at ``index``.

    They are so few that all of them are compared. A rewrite of a sentence keeps its words, so for it these are enough.
    """
    nearest = sorted(others, key=lambda i: sentences[i].overlap(sentences[index]), reverse=True)
    return nearest[:MAX_COMPARED_IN_FULL]


async def mean_relatedness(sentences: Sequence[ComparableSentence], index: int, models: LocalModels) -> float:
    """The mean relatedness of the sentence at ``index`` to its partners among the sentences before it.

    A check has scored these pairs before, for the sentence itself, so that its models remember them.
    """
    sentence = sentences[index]
    earlier = await partners(sentences, index, range(index), models)
    scores = await models.score([of_text(sentences[partner], sentence) for partner in earlier])
    total = _USUAL_PARTNERS * _USUAL_RELATEDNESS + sum(map(relatedness, scores))
    return total / (_USUAL_PARTNERS + len(scores))
