"""Score contradictions between two sentences generated for the same place of a text, with the NLI model.

Unlike two sentences of one text (``cross_contradiction.v1``), they are meant to state the same fact, so no decision has
to tell whether they are about the same thing.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..local_models.process import LocalModels
from ..types import NliPair
from .scores import mean_contradiction

#: Pairs with at least this score are contradictory. Chosen on the topics that the model was trained on; on the other
#: topics of ``chatprotect-pairs`` (1,000 pairs) F1 is 73. Clashes of values beside the model change no figure.
CONTRADICTORY = 0.6

#: Below the first score a pair is not contradictory and from the second on it is, without a call to a language model.
#: On topics that the model was not trained on this settles 79 % of the pairs; 95 % of those from 0.95 on are
#: contradictory, and 3 % of those below 0.05. The F1 of the recorded ChatGPT judge with these bounds is 82.9 there
#: (79.5 without), and higher for each generator.
HARMLESS, CERTAIN = 0.05, 0.95


def settled(score: float) -> bool | None:
    """Whether the pair is contradictory, if its score is conclusive; else None."""
    if score < HARMLESS:
        return False
    return True if score >= CERTAIN else None


class PairScorer:
    """The mean probability of a contradiction in both directions."""

    def __init__(self, models: LocalModels) -> None:
        self._models = models

    async def score(self, pairs: Sequence[tuple[str, str, str]]) -> list[float]:
        """Scores from 0 to 1 for (topic, original, alternative)."""
        asked = [pair for topic, *texts in pairs for pair in both_directions(topic, *texts)]
        scores = await self._models.score(asked)
        return [mean_contradiction(*both) for both in zip(scores[::2], scores[1::2], strict=True)]


def both_directions(topic: str | None, first: str, second: str) -> tuple[NliPair, NliPair]:
    """Each sentence as the premise of the other. The topic resolves pronouns, as in training."""
    lead = f"{topic}: " if topic else ""
    return NliPair(lead + first, second), NliPair(lead + second, first)
