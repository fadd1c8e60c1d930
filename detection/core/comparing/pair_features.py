"""Features of the trained decision whether two sentences of one text contradict each other.

Probabilities of the NLI model enter as log odds (``local_models/decision.py``).
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping

from ..types import NliPair, NliScore
from .sentence import ComparableSentence

#: Added to both sides of the odds, so that the log odds of 0 and 1 are bounded.
_SMOOTHING = 1e-3
_NEGATION = re.compile(
    r"\b(?:not|no|never|none|nobody|nothing|neither|nor|without|cannot|\w+n['’]t|unable|fail(?:s|ed)?|refus\w+|lacks?|"
    r"except)\b",
    re.IGNORECASE,
)


def pair_features(
    earlier: ComparableSentence, later: ComparableSentence, forward: NliScore, backward: NliScore, clash: float
) -> Mapping[str, float]:
    """All features of a pair by name.

    Args:
        earlier, later: two sentences of one text.
        forward, backward: the scores with ``earlier`` as the premise, and with ``later`` as the premise.
        clash: the strength of their strongest clash of values, 0 to 1.
    """
    return {
        "contradiction": log_odds((forward.contradiction + backward.contradiction) / 2),
        "contradiction_least": log_odds(min(forward.contradiction, backward.contradiction)),
        "entailment_most": log_odds(max(forward.entailment, backward.entailment)),
        "clash": clash,
        "overlap": earlier.overlap(later),
        "negation_differs": has_negation(earlier.text) != has_negation(later.text),
    }


def of_text(premise: ComparableSentence, hypothesis: ComparableSentence) -> NliPair:
    """An input of the NLI model from two sentences of a text."""
    return NliPair(premise.text, hypothesis.text, is_of_text=True)


def has_negation(text: str) -> bool:
    """Whether the text has a negating word."""
    return _NEGATION.search(text) is not None


def log_odds(probability: float) -> float:
    """The logarithm of p / (1 - p), bounded at both ends."""
    return math.log((probability + _SMOOTHING) / (1 - probability + _SMOOTHING))
