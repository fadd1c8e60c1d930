"""Fit the histograms of the sequential test on pages about factual and hallucinated claims."""

from collections.abc import Iterable, Mapping
from typing import Any

from detection.core.evidence.sequential import Histograms, feature_of
from detection.core.evidence.windows import nearest_windows
from detection.core.local_models.nli.scorer import NliScorer
from detection.core.types import NliPair


def count(scorer: NliScorer, rows: Iterable[Mapping[str, Any]]) -> Histograms:
    """Histograms of the runtime's features over labelled pairs of page text and claim, with add-one smoothing."""
    features: dict[bool, list[int]] = {True: [], False: []}
    for row in rows:
        pairs = [NliPair(window, row["hypothesis"]) for window in nearest_windows(row["premise"], row["hypothesis"])]
        features[row["factual"]].append(feature_of(max(score.entailment for score in scorer.score(pairs))))
    return Histograms.of_features(factual=features[True], hallucinated=features[False])
