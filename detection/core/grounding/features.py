"""Features of the trained decision whether sources support a sentence (``local_models/decision.py``).

Probabilities of the NLI model enter as log odds. Each feature describes one sentence and all evidence read for it.
Without any one of these the decision is worse on some held-out set. Features of clashing values, of negation,
quantifiers and modal verbs, and of shared words were measured and changed no figure.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from ..comparing.scores import log_odds
from ..comparing.sentence import ComparableSentence
from ..rules.base import Family, Value
from ..types import UNREAD
from .local_reading import PassageReading, Reading, SourceReading

#: A passage is on topic if its cover is at least this share of the best passage's cover.
_LEAST_COVER = 0.5
_MOST_ABSENT = 2


def source_features(sentence: ComparableSentence, read: SourceReading, absent: Sequence[Value]) -> Mapping[str, float]:
    """All features of a sentence by name. ``absent`` are its values that no source contains."""
    return {
        **_of_readings(read.readings, read.nearest),
        **_of_passages(read.passages),
        "absent_names": min(_MOST_ABSENT, sum(value.family is Family.NAME for value in absent)),
        "words": math.log1p(len(sentence.content)),
    }


def _of_readings(readings: Sequence[Reading], nearest: Reading | None) -> Mapping[str, float]:
    """Features of single source sentences: the two most entailing ones, the most opposed one, and the nearest."""
    scores = [reading.score for reading in readings] or [UNREAD]
    entailments = sorted((score.entailment for score in scores), reverse=True)
    return {
        "entailment_first": log_odds(entailments[0]),
        "entailment_second": log_odds(entailments[1] if len(entailments) > 1 else 0.0),
        "contradiction_most": log_odds(max(score.contradiction for score in scores)),
        "nearest_contradiction": log_odds((nearest.score if nearest else UNREAD).contradiction),
    }


def _of_passages(passages: Sequence[PassageReading]) -> Mapping[str, float]:
    best = max(passages, key=lambda item: item.cover, default=None)
    least_cover = _LEAST_COVER * (best.cover if best else 0.0)
    return {
        "passage_entailment": log_odds(_most(item.score.entailment for item in passages)),
        "passage_contradiction_most": log_odds(
            _most(item.score.contradiction for item in passages if item.cover >= least_cover)
        ),
        "best_passage_entailment": log_odds((best.score if best else UNREAD).entailment),
        "passages": len(passages),
    }


def _most(values: Iterable[float]) -> float:
    return max(values, default=0.0)
