"""Where the detectors draw their lines, by strictness. Chosen on development texts, topics and documents kept apart.

Each line moves in one direction only from lenient to strict, so that a stricter check shows all that a more lenient one
shows. The lines of grounding are those of ``BALANCED`` by macro F1 of whole responses, averaged over the three sets
``conli-*``; chosen on four fifths of the documents and measured on the rest, the average is 67, and for the sentence
level alone 65.
"""

from __future__ import annotations

from dataclasses import dataclass

from .types import Strictness


@dataclass(frozen=True, slots=True)
class Thresholds:
    """All are probabilities, or sums that behave like them, from 0 to 1."""

    contradiction: float
    """From here on two sentences of the text contradict each other."""
    conflict: float
    """From here on a sentence conflicts with one of the source."""
    supported: float
    """From here on the source says what the sentence says."""
    absent: float
    """Below, the source does not say it. Between the two the tool is unsure."""
    entity: float
    """Below, the source does not say it of a name or value of the sentence."""


THRESHOLDS: dict[Strictness, Thresholds] = {
    Strictness.STRICT: Thresholds(contradiction=0.6, conflict=0.6, supported=0.55, absent=0.4, entity=0.4),
    Strictness.BALANCED: Thresholds(contradiction=0.72, conflict=0.7, supported=0.45, absent=0.3, entity=0.2),
    Strictness.LENIENT: Thresholds(contradiction=0.85, conflict=0.8, supported=0.35, absent=0.2, entity=0.15),
}


def either(first: float, second: float) -> float:
    """The probability that at least one of two independent reasons holds (noisy or)."""
    return 1 - (1 - first) * (1 - second)
