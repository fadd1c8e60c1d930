"""Compare two statements: can both be true?"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from ..core.comparing.pair_scorer import CONTRADICTORY, both_directions
from ..core.comparing.scores import mean_contradiction
from ..core.local_models.process import LocalModels
from ..core.types import NliScore

#: Most characters of a statement: the model reads both together.
MOST_CHARS = 2_000


@dataclass(frozen=True, slots=True)
class Comparison:
    """The probability that two statements contradict each other, and the NLI scores of both directions."""

    contradiction: float
    is_contradiction: bool
    forward: NliScore
    backward: NliScore

    def as_json(self) -> dict[str, Any]:
        return {
            **asdict(self),
            "forward": _rounded(self.forward),
            "backward": _rounded(self.backward),
        }


async def compare(models: LocalModels, first: str, second: str, topic: str = "") -> Comparison:
    """Compare two statements about the same thing. ``topic`` says what "it" and "she" stand for."""
    forward, backward = await models.score(both_directions(topic, first, second))
    score = mean_contradiction(forward, backward)
    return Comparison(round(score, 4), score >= CONTRADICTORY, forward, backward)


def _rounded(score: NliScore) -> dict[str, float]:
    return {name: round(value, 4) for name, value in score._asdict().items()}
