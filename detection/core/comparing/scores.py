"""NLI scores of sentences as numbers that a trained decision can add up."""

from __future__ import annotations

import math

from ..types import NliPair, NliScore
from .sentence import ComparableSentence

#: Added to both sides of the odds, so that the log odds of 0 and 1 are bounded.
_SMOOTHING = 1e-3


def log_odds(probability: float) -> float:
    """The logarithm of p / (1 - p), bounded at both ends."""
    return math.log((probability + _SMOOTHING) / (1 - probability + _SMOOTHING))


def relatedness(score: NliScore) -> float:
    """The log odds that a premise says anything about a hypothesis, for or against it."""
    return log_odds(1 - score.neutral)


def mean_contradiction(forward: NliScore, backward: NliScore) -> float:
    """The probability that two sentences contradict each other, from both directions."""
    return (forward.contradiction + backward.contradiction) / 2


def of_text(premise: ComparableSentence, hypothesis: ComparableSentence) -> NliPair:
    """An input of the NLI model from two sentences of a text."""
    return NliPair(premise.text, hypothesis.text)
