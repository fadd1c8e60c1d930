"""Where the detectors draw their lines, by strictness. Chosen on development texts, topics and documents kept apart.

Each line moves in one direction only from lenient to strict, so that a stricter check shows all that a more lenient one
shows. The lines of grounding were those with the best macro F1 on the near-copies of ``conli-*``; on paraphrase as
today's models write it they flagged 78 of 100 faithful sentences, and warnings were right as often as by chance. Now
they are those at which about 10 of 100 faithful sentences of ``authored-summaries`` are flagged.
"""

from __future__ import annotations

from dataclasses import dataclass

from .types import Strictness


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Probabilities from 0 to 1, but for ``absent``: a bound of ``support_of`` (``grounding/local_sentence.py``)."""

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
    Strictness.STRICT: Thresholds(contradiction=0.6, conflict=0.6, supported=0.7, absent=-0.1, entity=0.4),
    Strictness.BALANCED: Thresholds(contradiction=0.72, conflict=0.7, supported=0.7, absent=-0.38, entity=0.05),
    Strictness.LENIENT: Thresholds(contradiction=0.85, conflict=0.8, supported=0.7, absent=-0.45, entity=0.02),
}


def either(first: float, second: float) -> float:
    """The probability that at least one of two independent reasons holds (noisy or)."""
    return 1 - (1 - first) * (1 - second)
