"""Score contradictions between two sentences generated for the same place of a text, with the local models.

Unlike two sentences of one text (``cross_contradiction.v1``), they are meant to state the same fact, so no gate has to
check whether they are about the same thing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..local_models.process import LocalModels
from ..rules.alignment import ValueConflict, conflicts_between
from ..thresholds import either
from ..types import NliPair
from .frames import conflicts_in_frame
from .sentence import ComparableSentence

#: Pairs with at least this score are contradictory. Chosen with the weight below on development pairs: F1 is 70 with
#: the best threshold of all other topics, and 70 on topics that the model was not trained on.
CONTRADICTORY = 0.43

#: Below the first score a pair is not contradictory and from the second on it is, without a call to a language model.
#: This settles 55 % of the development pairs. 95 % of the pairs from 0.7 on are contradictory, but only 78 % of those
#: that the recorded ChatGPT judge flags. The F1 of that judge with these bounds is 82.4 (80.1 without), 82.8 (79.5) on
#: topics that the model was not trained on, and higher for each generator (docs/methods-and-costs.md).
HARMLESS, CERTAIN = 0.04, 0.7

#: Weight of a clash's strength. A clash alone must not settle a pair: one sentence often names another member of a
#: list, or another work. With thresholds chosen on other topics, F1 is 70 with a third of the strength, 69 with half
#: of it and without the rules, and 66 with most of it.
_CLASH_WEIGHT = 0.35


def settled(score: float) -> bool | None:
    """Whether the pair is contradictory, if its score is conclusive; else None."""
    if score < HARMLESS:
        return False
    return True if score >= CERTAIN else None


class PairScorer:
    """Combines the NLI scores of both directions with the strongest clash of two values."""

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
        """Parse a generated text, which is sometimes two sentences. Cached, because originals recur for each triple."""
        if text not in self._read_before:
            parsed = await self._models.parse(text)
            self._read_before[text] = list(map(ComparableSentence, parsed.sentences))
        return self._read_before[text]


def both_directions(topic: str | None, first: str, second: str) -> tuple[NliPair, NliPair]:
    """Each sentence as the premise of the other. The topic resolves pronouns, as in training."""
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
