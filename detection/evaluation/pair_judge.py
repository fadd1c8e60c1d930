"""The local engine's judgement of two sentences that were written for the same place of a text.

Other than two sentences of one text (``cross_contradiction.v1``), they are meant to tell the same fact, so that no gate
has to find out whether they speak of one thing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from detection.core.comparison import ComparableSentence
from detection.core.compute import LocalModels
from detection.core.detectors.base import Ports
from detection.core.frames import conflicts_in_frame
from detection.core.rules.alignment import ValueConflict, conflicts_between
from detection.core.thresholds import either
from detection.core.types import NliPair, NliScore

#: From this score on a pair is contradictory. Chosen with the weight below on the 3,783 development pairs: the best
#: threshold for all other topics lies between 0.50 and 0.56 for each of the 19, and F1 changes by about two points from
#: 0.45 to 0.65. The model was trained on pairs of most of these topics. So both constants were also looked at on the
#: six topics that it seems to know least (they were picked by its own errors): there 0.5 is best as well.
THRESHOLD = 0.5

#: How much of a clash's strength counts. A clash alone must not settle it: written for one place, one sentence often
#: names another member of a list, or another work. Thresholds chosen on other topics give an F1 of 82 with half of the
#: strength, 78 with all of it and 81 without the rules; on the six topics 65, 63 and 58.
CLASH_WEIGHT = 0.5


@dataclass(frozen=True, slots=True)
class PairQuestion:
    """All that a judge may know of a pair.

    ``prompt`` asked for the text, ``prefix`` stands before ``original`` in it, and ``triple`` is the fact of
    ``original`` for which ``alternative`` was written.
    """

    topic: str
    prompt: str
    prefix: str
    triple: tuple[str, ...]
    original: str
    alternative: str


@dataclass(frozen=True, slots=True)
class PairAnswer:
    """``score`` is from 0 to 1, higher for a surer contradiction."""

    score: float
    contradictory: bool
    failed: bool = False
    """True when the judge came to no answer."""


class LocalPairJudge:
    """The NLI model in both directions, and the strongest clash of two values."""

    def __init__(self, ports: Ports) -> None:
        self._models: LocalModels = ports.models
        self._read_before: dict[str, list[ComparableSentence]] = {}

    async def judge(self, questions: Sequence[PairQuestion]) -> list[PairAnswer]:
        scores = await self._models.score([pair for question in questions for pair in _both_directions(question)])
        return [
            await self._answer(question, forward, backward)
            for question, forward, backward in zip(questions, scores[::2], scores[1::2], strict=True)
        ]

    async def _answer(self, question: PairQuestion, forward: NliScore, backward: NliScore) -> PairAnswer:
        if question.original == question.alternative:
            return PairAnswer(score=0.0, contradictory=False)
        clash = _strongest_clash(await self._read(question.original), await self._read(question.alternative))
        score = either((forward.contradiction + backward.contradiction) / 2, CLASH_WEIGHT * clash)
        return PairAnswer(score, score >= THRESHOLD)

    async def _read(self, text: str) -> list[ComparableSentence]:
        """The sentences of what was written as one; at times it is two. An original comes once for each triple."""
        if text not in self._read_before:
            parsed = await self._models.parse(text)
            self._read_before[text] = list(map(ComparableSentence, parsed.sentences))
        return self._read_before[text]


def _both_directions(question: PairQuestion) -> tuple[NliPair, NliPair]:
    """The topic tells the model who "she" is; it was trained so."""
    return (
        NliPair(f"{question.topic}: {question.original}", question.alternative),
        NliPair(f"{question.topic}: {question.alternative}", question.original),
    )


def _strongest_clash(originals: Iterable[ComparableSentence], alternatives: Sequence[ComparableSentence]) -> float:
    clashes = [
        clash.strength
        for original in originals
        for alternative in alternatives
        for clash in (*_clashes(original, alternative), *_clashes(alternative, original))
    ]
    return max(clashes, default=0.0)


def _clashes(premise: ComparableSentence, hypothesis: ComparableSentence) -> tuple[ValueConflict, ...]:
    return (*conflicts_between(premise.clause, hypothesis.clause), *conflicts_in_frame(premise, hypothesis))
