"""Features of the trained decision whether sources support a sentence (``local_models/decision.py``).

Probabilities of the NLI model enter as log odds. Each feature describes one sentence and all evidence read for it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence

from ..comparing.scores import log_odds
from ..comparing.sentence import ComparableSentence, stem
from ..rules.base import Family, Value
from ..types import UNREAD
from .local_reading import LEAST_OVERLAP, PassageReading, Reading, SourceReading, cover_of
from .local_sentence import Refutation

#: A passage is on topic if its cover is at least this share of the best passage's cover.
_LEAST_COVER = 0.5
_MOST_ABSENT = 2

_QUANTIFIER = re.compile(
    r"\b(?:all|every|always|only|none|never|each|any|both|entire(?:ly)?|whole|exclusively|first|last|most|largest|"
    r"least)\b",
    re.IGNORECASE,
)
_MODAL = re.compile(
    r"\b(?:may|might|could|can|must|should|shall|will|would|probably|perhaps|possibly|likely|certain(?:ly)?|suggests?|"
    r"seems?|expected|plans?|planned|proposed?)\b",
    re.IGNORECASE,
)
_NEGATION = re.compile(
    r"\b(?:not|no|never|none|nobody|nothing|neither|nor|without|cannot|\w+n['’]t|unable|fail(?:s|ed)?|refus\w+|lacks?|"
    r"except)\b",
    re.IGNORECASE,
)


def source_features(
    sentence: ComparableSentence, read: SourceReading, absent: Sequence[Value], refutation: Refutation | None
) -> Mapping[str, float]:
    """All features of a sentence by name."""
    clash = refutation.conflict if refutation else None
    return {
        **_of_readings(sentence, read.readings),
        **_of_passages(read.passages),
        "unknown_words": sum(stem(word) not in read.stems for word in sentence.content) / max(1, len(sentence.content)),
        "absent_names": min(_MOST_ABSENT, sum(value.family is Family.NAME for value in absent)),
        "absent_figures": min(_MOST_ABSENT, sum(value.family is not Family.NAME for value in absent)),
        "values": len(sentence.clause.values),
        "clash": clash.strength if clash else 0.0,
        "words": math.log1p(len(sentence.content)),
        "leans_on_previous": sentence.leans_on_previous,
    }


def _of_readings(sentence: ComparableSentence, readings: Sequence[Reading]) -> Mapping[str, float]:
    """Features of single source sentences: the two most entailing, the nearest, and the one sharing most words."""
    scores = [reading.score for reading in readings] or [UNREAD]
    entailments = sorted((score.entailment for score in scores), reverse=True)
    nearest = max(readings, key=lambda one: one.score.entailment + one.overlap, default=None)
    likest = max(readings, key=lambda one: one.overlap, default=None)
    near_score, like_score = (one.score if one else UNREAD for one in (nearest, likest))
    near_text = nearest.sentence.text if nearest else ""
    return {
        "entailment_first": log_odds(entailments[0]),
        "entailment_second": log_odds(entailments[1] if len(entailments) > 1 else 0.0),
        "contradiction_most": log_odds(max(score.contradiction for score in scores)),
        "contradiction_by_overlap": log_odds(_most(one.score.contradiction * one.overlap for one in readings)),
        "contradiction_overlapping": log_odds(
            _most(one.score.contradiction for one in readings if one.overlap >= LEAST_OVERLAP)
        ),
        "nearest_contradiction": log_odds(near_score.contradiction),
        "nearest_neutral": log_odds(near_score.neutral),
        "nearest_overlap": nearest.overlap if nearest else 0.0,
        "nearest_cover": cover_of(sentence, [nearest.sentence] if nearest else []),
        "likest_overlap": likest.overlap if likest else 0.0,
        "likest_entailment": log_odds(like_score.entailment),
        "likest_contradiction": log_odds(like_score.contradiction),
        "negation": _has(_NEGATION, sentence.text),
        "quantifier": _has(_QUANTIFIER, sentence.text),
        "modal": _has(_MODAL, sentence.text),
        "negation_differs": _has(_NEGATION, sentence.text) != _has(_NEGATION, near_text),
        "quantifier_added": _has(_QUANTIFIER, sentence.text) and not _has(_QUANTIFIER, near_text),
        "modal_differs": _has(_MODAL, sentence.text) != _has(_MODAL, near_text),
    }


def _of_passages(passages: Sequence[PassageReading]) -> Mapping[str, float]:
    most_cover = _most(passage.cover for passage in passages)
    best = max(passages, key=lambda item: item.cover, default=None)
    best_score = best.score if best else UNREAD
    against = [item.score.contradiction for item in passages if item.cover >= _LEAST_COVER * most_cover]
    return {
        "passage_entailment": log_odds(_most(passage.score.entailment for passage in passages)),
        "passage_contradiction_most": log_odds(_most(against)),
        "passage_contradiction_least": log_odds(min(against, default=0.0)),
        "best_passage_entailment": log_odds(best_score.entailment),
        "best_passage_contradiction": log_odds(best_score.contradiction),
        "passage_cover": most_cover,
        "passages": len(passages),
    }


def _has(pattern: re.Pattern[str], text: str) -> bool:
    return pattern.search(text) is not None


def _most(values: Iterable[float]) -> float:
    return max(values, default=0.0)
