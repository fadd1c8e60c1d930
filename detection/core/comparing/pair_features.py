"""Features of the trained decision whether two sentences of one text contradict each other.

Probabilities of the NLI model enter as log odds (``local_models/decision.py``).
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass

from ..types import NliPair, NliScore
from .reference import main_subject
from .sentence import ComparableSentence, stem

#: Added to both sides of the odds, so that the log odds of 0 and 1 are bounded.
_SMOOTHING = 1e-3
_NEGATION = re.compile(
    r"\b(?:not|no|never|none|nobody|nothing|neither|nor|without|cannot|\w+n['’]t|unable|fail(?:s|ed)?|refus\w+|lacks?|"
    r"except)\b",
    re.IGNORECASE,
)
#: Words of a sentence that sets its subject apart from an earlier one.
_CONTRAST = re.compile(
    r"\b(?:but|however|instead|other|another|also|too|except\w*|extra|more|now|whereas|while|only|own|next|then|later|"
    r"new|old)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class PairReading:
    """What was read of two sentences of one text.

    ``forward`` and ``backward`` are the scores with ``earlier`` as the premise, and with ``later`` as the premise.
    ``earlier_relatedness`` and ``later_relatedness`` are means over other pairs (``partners.py``).
    """

    earlier: ComparableSentence
    later: ComparableSentence
    forward: NliScore
    backward: NliScore
    earlier_relatedness: float
    later_relatedness: float


def pair_features(read: PairReading, values: float) -> Mapping[str, float]:
    """All features of a pair by name. ``values`` is the probability that two values exclude each other, 0 to 1."""
    earlier, later, forward, backward = read.earlier, read.later, read.forward, read.backward
    return {
        "contradiction": log_odds((forward.contradiction + backward.contradiction) / 2),
        "contradiction_least": log_odds(min(forward.contradiction, backward.contradiction)),
        "entailment_most": log_odds(max(forward.entailment, backward.entailment)),
        "values": values,
        "overlap": earlier.overlap(later),
        "negation_differs": has_negation(earlier.text) != has_negation(later.text),
        "two_subjects": _have_two_subjects(earlier, later),
        "later_contrasts": _CONTRAST.search(later.text) is not None,
        "earlier_nouns_repeated": _share_repeated(earlier, later),
        "nouns_repeated_most": max(_share_repeated(earlier, later), _share_repeated(later, earlier)),
        "relatedness": relatedness(forward),
        "earlier_relatedness": read.earlier_relatedness,
        "later_relatedness": read.later_relatedness,
    }


def relatedness(score: NliScore) -> float:
    """The log odds that a premise says anything about a hypothesis, for or against it."""
    return log_odds(1 - score.neutral)


def _have_two_subjects(earlier: ComparableSentence, later: ComparableSentence) -> bool:
    """True for the fee of adults and the fee of children: neither sentence mentions the subject of the other one."""
    one, other = main_subject(earlier.clause), main_subject(later.clause)
    if one is None or other is None or one.is_pronoun or other.is_pronoun:
        return False
    return stem(one.lemma.casefold()) not in later.stems and stem(other.lemma.casefold()) not in earlier.stems


def _share_repeated(sentence: ComparableSentence, other: ComparableSentence) -> float:
    """The share of the sentence's nouns, names, numbers and adjectives that the other sentence has, 0 to 1."""
    return len(sentence.noun_stems & other.stems) / max(1, len(sentence.noun_stems))


def of_text(premise: ComparableSentence, hypothesis: ComparableSentence) -> NliPair:
    """An input of the NLI model from two sentences of a text."""
    return NliPair(premise.text, hypothesis.text, is_of_text=True)


def has_negation(text: str) -> bool:
    """Whether the text has a negating word."""
    return _NEGATION.search(text) is not None


def log_odds(probability: float) -> float:
    """The logarithm of p / (1 - p), bounded at both ends."""
    return math.log((probability + _SMOOTHING) / (1 - probability + _SMOOTHING))
