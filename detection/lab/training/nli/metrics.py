"""Metrics of scores and truths. Percentages are 0 to 100."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Scores = NDArray[np.float64]
Truths = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Detection:
    """Metrics of a binary decision."""

    precision: float
    recall: float
    f1: float
    rows: int
    positives: int


def detection(predicted: Truths, truths: Truths) -> Detection:
    """Precision, recall and F1 of the positive class."""
    hits = int((predicted & truths).sum())
    precision = 100 * hits / max(int(predicted.sum()), 1)
    recall = 100 * hits / max(int(truths.sum()), 1)
    f1 = 200 * hits / max(int(predicted.sum()) + int(truths.sum()), 1)
    return Detection(precision, recall, f1, len(truths), int(truths.sum()))


def macro_f1(predicted: Truths, truths: Truths) -> float:
    """Mean F1 of the two classes."""
    return (detection(predicted, truths).f1 + detection(~predicted, ~truths).f1) / 2


def average_precision(scores: Scores, truths: Truths) -> float:
    """Area under the precision-recall step curve."""
    ranked = truths[np.argsort(-scores, kind="stable")]
    precisions = ranked.cumsum() / np.arange(1, len(ranked) + 1)
    return float(100 * precisions[ranked].mean())


def candidate_thresholds(scores: Scores) -> Scores:
    """Candidate thresholds: midpoints of neighbouring quantiles, at most two hundred."""
    quantiles = np.unique(np.quantile(scores, np.linspace(0, 1, 201), method="lower"))
    return quantiles if len(quantiles) == 1 else (quantiles[:-1] + quantiles[1:]) / 2


def found_with_false(scores: Scores, truths: Truths, false: int) -> int:
    """How many true rows score higher than all but this many of the other rows."""
    others = np.sort(scores[~truths])[::-1]
    return int((scores[truths] > others[false]).sum() if false < len(others) else truths.sum())


def area_under_roc(scores: Scores, truths: Truths) -> float:
    """How often a true row scores higher than another row, in percent; of equal scores half of the pairs count."""
    others = np.sort(scores[~truths])
    below, not_above = (np.searchsorted(others, scores[truths], side=side) for side in ("left", "right"))
    return float(100 * (below + not_above).mean() / (2 * len(others)))


def best_f1_threshold(scores: Scores, truths: Truths) -> float:
    """The threshold with the highest F1; scores above it are positive."""
    thresholds = candidate_thresholds(scores)
    return float(max(thresholds, key=lambda threshold: detection(scores > threshold, truths).f1))


def best_macro_f1_threshold(scores: Scores, truths: Truths) -> float:
    """The threshold with the highest macro F1; scores above it are positive."""
    thresholds = candidate_thresholds(scores)
    return float(max(thresholds, key=lambda threshold: macro_f1(scores > threshold, truths)))


def threshold_at_recall(scores: Scores, truths: Truths, recall: float) -> float:
    """The highest threshold with at least this recall."""
    return float(np.quantile(scores[truths], 1 - recall, method="lower")) - 1e-9


def cross_fitted(scores: Scores, truths: Truths, folds: Sequence[int]) -> Truths:
    """Decisions of each fold, with the threshold that has the best macro F1 on the other folds."""
    fold_array = np.asarray(folds)
    predicted = np.zeros(len(scores), np.bool_)
    for fold in np.unique(fold_array):
        inside = fold_array == fold
        predicted[inside] = scores[inside] > best_macro_f1_threshold(scores[~inside], truths[~inside])
    return predicted
