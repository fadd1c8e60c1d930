"""Features of the trained decision whether two sentences of one text contradict each other.

Probabilities of the NLI model enter as log odds (``local_models/decision.py``).
"""

from __future__ import annotations

from collections.abc import Mapping

from ..rules.base import FIGURES, Relation
from .pair_reading import PairReading
from .scores import log_odds
from .sentence import ComparableSentence

#: Surroundings that contradict a sentence less than this do not contradict it at all, as those of a short text.
_LEAST_AGAINST = 0.05


def pair_features(read: PairReading) -> Mapping[str, float]:
    """All features of a pair by name."""
    earlier, later = read.sentences
    forward, backward = read.forward, read.backward
    return {
        "contradiction": log_odds(read.contradiction),
        "entailment_most": log_odds(max(forward.entailment, backward.entailment)),
        "around_earlier": log_odds(read.around_earlier.with_sentence),
        "around_earlier_without": _against(read.around_earlier.without_sentence),
        "around_later": log_odds(read.around_later.with_sentence),
        "around_later_without": _against(read.around_later.without_sentence),
        "clash": read.clash,
        "several_clashes": read.has_several_clashes,
        "same_figure": _give_same_figure(earlier, later),
        "nouns_repeated": len(earlier.noun_stems & later.stems) / max(1, len(earlier.noun_stems)),
        "earlier_relatedness": read.earlier_relatedness,
        "later_relatedness": read.later_relatedness,
        # A sentence mostly elaborates on the one before it: what the NLI model takes for a contradiction of two
        # neighbours is seldom one. A longer distance is no feature, because writers of labelled texts plant
        # contradictions far apart on purpose.
        "neighbours": read.later - read.earlier == 1,
    }


def _against(contradiction: float) -> float:
    return log_odds(max(_LEAST_AGAINST, contradiction))


def _give_same_figure(earlier: ComparableSentence, later: ComparableSentence) -> bool:
    """Whether both sentences give one figure, as where the later one says again what the earlier one has said."""
    figures = [value for value in later.clause.values if value.family in FIGURES]
    return any(other.relation_to(value) is Relation.SAME for value in figures for other in earlier.clause.values)
