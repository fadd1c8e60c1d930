"""The sentences of a text that a sentence is compared with, and how closely the NLI model relates it to them.

A sentence such as "However, the plan changed" seems to contradict many others. What counts is a score that stands out
from the other scores of the same sentence, so the decision about a pair also knows the mean of these.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..local_models.process import LocalModels
from .scores import of_text, relatedness
from .sections import apart_from_parallel_sections
from .sentence import ComparableSentence
from .tables import is_row

#: Each sentence is compared with at most this many others, those nearest in topic.
MAX_PARTNERS = 12

#: The mean relatedness of all pairs, and how many partners it counts for: a sentence with few partners is average.
_USUAL_RELATEDNESS = -2.6
_USUAL_PARTNERS = 3


def partners(sentences: Sequence[ComparableSentence], index: int, others: Iterable[int]) -> list[int]:
    """The indices among ``others`` that are worth comparing with the sentence at ``index``, nearest in topic first."""
    sentence = sentences[index]
    if sentence.is_entry:
        return []
    candidates = [
        i
        for i in apart_from_parallel_sections(sentences, index, others)
        if sentences[i].is_comparable and not sentences[i].is_entry and not is_row(sentences[i])
    ]
    candidates.sort(key=lambda i: sentences[i].overlap(sentence), reverse=True)
    return candidates[:MAX_PARTNERS]


async def mean_relatedness(sentences: Sequence[ComparableSentence], index: int, models: LocalModels) -> float:
    """The mean relatedness of the sentence at ``index`` to its partners among the sentences before it.

    A check has scored these pairs before, for the sentence itself, so that its models remember them.
    """
    sentence = sentences[index]
    earlier = partners(sentences, index, range(index))
    scores = await models.score([of_text(sentences[partner], sentence) for partner in earlier])
    total = _USUAL_PARTNERS * _USUAL_RELATEDNESS + sum(map(relatedness, scores))
    return total / (_USUAL_PARTNERS + len(scores))
