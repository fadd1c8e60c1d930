"""How surely two sentences that were written for the same place of a text contradict each other, by the local models.

Other than two sentences of one text (``cross_contradiction.v1``), they are meant to tell the same fact, so that no gate
has to find out whether they speak of one thing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..local_models.process import LocalModels
from ..rules.alignment import ValueConflict, conflicts_between
from ..thresholds import either
from ..types import NliPair
from .frames import conflicts_in_frame
from .sentence import ComparableSentence

#: From this score on a pair is contradictory. Chosen with the weight below on development pairs: with the threshold
#: that is best for all other topics F1 is 70, and 70 on the topics that the model was not trained on.
CONTRADICTORY = 0.43

#: Below the first score a pair is not contradictory, from the second on it is, and no language model needs to be asked.
#: On the development pairs that settles 55 %. Of the pairs from 0.7 on 95 % are contradictory, of those that the
#: recorded ChatGPT judge calls so 78 %. The F1 of that judge with these bounds is 82.4 (80.1 without), on the topics
#: that the model was not trained on 82.8 (79.5), and higher for each generator (docs/methods-and-costs.md).
HARMLESS, CERTAIN = 0.04, 0.7

#: How much of a clash's strength counts. A clash alone must not settle it: written for one place, one sentence often
#: names another member of a list, or another work. Thresholds chosen on other topics give an F1 of 70 with a third of
#: the strength, 69 with half of it and without the rules, 66 with most of it.
_CLASH_WEIGHT = 0.35


def settled(score: float) -> bool | None:
    """Whether the pair is contradictory, where its score leaves no doubt; else None."""
    if score < HARMLESS:
        return False
    return True if score >= CERTAIN else None


class PairScorer:
    """The NLI model in both directions, and the strongest clash of two values."""

    def __init__(self, models: LocalModels) -> None:
        self._models = models
        self._read_before: dict[str, list[ComparableSentence]] = {}

    async def score(self, pairs: Sequence[tuple[str, str, str]]) -> list[float]:
        """Scores from 0 to 1 for (topic, original, alternative)."""
        asked = [pair for topic, *texts in pairs for pair in both_directions(topic, *texts)]
        scores = await self._models.score(asked)
        found = []
        for (_, original, alternative), forward, backward in zip(pairs, scores[::2], scores[1::2], strict=True):
            clash = _strongest_clash(await self._read(original), await self._read(alternative))
            found.append(either((forward.contradiction + backward.contradiction) / 2, _CLASH_WEIGHT * clash))
        return found

    async def _read(self, text: str) -> list[ComparableSentence]:
        """The sentences of what was written as one; at times it is two. An original comes once for each triple."""
        if text not in self._read_before:
            parsed = await self._models.parse(text)
            self._read_before[text] = list(map(ComparableSentence, parsed.sentences))
        return self._read_before[text]


def both_directions(topic: str | None, first: str, second: str) -> tuple[NliPair, NliPair]:
    """Each as the premise of the other. The topic tells the model who "she" is; it was trained so."""
    lead = f"{topic}: " if topic else ""
    return NliPair(lead + first, second), NliPair(lead + second, first)


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
