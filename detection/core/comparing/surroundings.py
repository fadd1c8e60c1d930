"""What stands around a sentence of a text, as a premise for another sentence.

The sentences before and after it tell what it speaks of: "She noted 29 herons" contradicts "Ines counted 43 herons",
until the sentence before says that Ruth went in May. So a pair is also read with the surroundings of either sentence as
the premise. What they say without the sentence itself is read as well: the difference is what the sentence adds.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..local_models.process import LocalModels
from ..types import NliPair
from .sentence import ComparableSentence
from .tables import is_row

#: So many sentences before and after a sentence surround it. Sections of 200 words did as well and take twice the time.
REACH = 2


@dataclass(frozen=True, slots=True)
class Surroundings:
    """How much the surroundings of one sentence contradict the other sentence of a pair, 0 to 1."""

    with_sentence: float
    without_sentence: float


def around(sentences: Sequence[ComparableSentence], index: int) -> list[int]:
    """The indices of the sentence and of those around it, without rows of tables."""
    near = range(max(0, index - REACH), min(len(sentences), index + REACH + 1))
    return [i for i in near if i == index or not is_row(sentences[i])]


async def read_surroundings(
    sentences: Sequence[ComparableSentence], turns: Iterable[tuple[int, int]], models: LocalModels
) -> dict[tuple[int, int], Surroundings]:
    """For each pair of indices, what stands around the first sentence against the second one."""
    premises = {turn: premises_around(sentences, *turn) for turn in turns}
    asked = [pair for both in premises.values() for pair in both if pair is not None]
    against: dict[NliPair | None, float] = {None: 0.0}
    against |= {pair: score.contradiction for pair, score in zip(asked, await models.score(asked), strict=True)}
    return {turn: Surroundings(against[whole], against[rest]) for turn, (whole, rest) in premises.items()}


def premises_around(sentences: Sequence[ComparableSentence], index: int, other: int) -> tuple[NliPair, NliPair | None]:
    """The surroundings of the sentence at ``index`` with and without it, each as a premise for the one at ``other``.

    None in place of the second if no further sentence stands there.
    """
    near = [i for i in around(sentences, index) if i != other]
    hypothesis = sentences[other].text
    whole = NliPair(_joined(sentences, near), hypothesis)
    rest = [i for i in near if i != index]
    return whole, NliPair(_joined(sentences, rest), hypothesis) if rest else None


def _joined(sentences: Sequence[ComparableSentence], indices: Sequence[int]) -> str:
    return " ".join(sentences[i].text for i in indices)
