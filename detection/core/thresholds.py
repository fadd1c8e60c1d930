"""Where the detectors draw their lines, by strictness. Chosen on development texts, topics and documents kept apart.

Each line moves in one direction only from lenient to strict, so that a stricter check shows all that a more lenient one
shows. Of the pairs that ``pair`` names in texts to which nothing is fitted (197 texts, 2,608 sentences), 86, 91 and 95
of 100 contradict each other in strict, balanced and lenient checks. At the balanced lines about sources
8 of 100 faithful sentences of ``authored-summaries`` are flagged.
"""

from __future__ import annotations

from dataclasses import dataclass

from .types import Strictness


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Probabilities from 0 to 1."""

    pair: float
    """From this probability on two sentences of the text contradict each other."""
    conflict: float
    """From here on a sentence conflicts with one of the source."""
    supported: float
    """From this probability on that the sources bear a sentence out, it is called supported."""
    absent: float
    """Below this probability the sentence gets a warning. Between the two the tool is unsure."""
    entity: float
    """Below, the source does not say it of a name or value of the sentence."""


THRESHOLDS: dict[Strictness, Thresholds] = {
    Strictness.STRICT: Thresholds(pair=0.45, conflict=0.6, supported=0.95, absent=0.70, entity=0.4),
    Strictness.BALANCED: Thresholds(pair=0.60, conflict=0.7, supported=0.95, absent=0.50, entity=0.1),
    Strictness.LENIENT: Thresholds(pair=0.80, conflict=0.8, supported=0.95, absent=0.46, entity=0.04),
}


def either(first: float, second: float) -> float:
    """The probability that at least one of two independent reasons holds (noisy or)."""
    return 1 - (1 - first) * (1 - second)
