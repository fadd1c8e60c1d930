"""Where the detectors draw their lines, by strictness. Chosen on development texts, topics kept apart."""

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


THRESHOLDS: dict[Strictness, Thresholds] = {
    Strictness.STRICT: Thresholds(contradiction=0.6, conflict=0.6, supported=0.6, absent=0.55),
    Strictness.BALANCED: Thresholds(contradiction=0.72, conflict=0.65, supported=0.5, absent=0.42),
    Strictness.LENIENT: Thresholds(contradiction=0.85, conflict=0.75, supported=0.4, absent=0.25),
}


def either(first: float, second: float) -> float:
    """The probability that at least one of two independent reasons holds (noisy or)."""
    return 1 - (1 - first) * (1 - second)
