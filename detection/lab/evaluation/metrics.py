"""The metrics: pure functions on labels and answers. Shares are percentages from 0 to 100.

A share of nothing (the precision of a system that never says yes) counts as 0.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

RESAMPLES = 2_000
SEED = 7
BINS = 10
#: Numbers that are drawn in one step; a large set needs less memory with several steps.
_MOST_NUMBERS_AT_ONCE = 1_000_000


@dataclass(frozen=True, slots=True)
class Metrics:
    """Base of the figures of one kind of set."""

    def values(self) -> dict[str, float]:
        """The figures by name, without undefined ones."""
        named = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: value for name, value in named.items() if value is not None}


@dataclass(frozen=True, slots=True)
class PairMetrics(Metrics):
    """Pairs; "contradictory" is the positive class.

    ``f1_low`` and ``f1_high`` are the 95 % interval of F1 over topics. ``f1_cross_validated`` is F1 with the threshold
    chosen on other topics, for judges that give a score.
    """

    precision: float
    recall: float
    f1: float
    f1_low: float | None = None
    f1_high: float | None = None
    f1_cross_validated: float | None = None


@dataclass(frozen=True, slots=True)
class TextMetrics(Metrics):
    """Whole texts, searched and revised (METHODS A): what was found of the sentences that are contradicted.

    ``precision``, ``recall`` and ``f1`` are over sentences, ``f1_low`` and ``f1_high`` the 95 % interval over topics.
    ``found`` is the share of sentences that are called contradictory. ``removed`` is the share of contradicted
    sentences that are gone after the revision, ``facts_kept`` the share of other pairs whose sentence is still there,
    which may exceed 100. ``new`` is the share of sentences after the revision that nobody has labelled.
    """

    precision: float | None = None
    recall: float | None = None
    f1: float | None = None
    f1_low: float | None = None
    f1_high: float | None = None
    found: float | None = None
    removed: float | None = None
    facts_kept: float | None = None
    new: float | None = None


@dataclass(frozen=True, slots=True)
class ResponseMetrics(Metrics):
    """Whole responses, hallucinated or consistent with their source (METHODS B).

    ``macro_f1`` is the mean of the two F1, ``balanced_accuracy`` that of the two recalls. ``checked`` is the share of
    sentences that the engine could judge.
    """

    macro_f1: float
    f1_hallucinated: float
    f1_consistent: float
    balanced_accuracy: float
    checked: float | None = None


@dataclass(frozen=True, slots=True)
class ClaimMetrics(Metrics):
    """Claims beside evidence. ``ece`` is the expected calibration error in percentage points.

    ``accuracy_low`` and ``accuracy_high`` are the 95 % interval over rows that resemble each other.
    """

    accuracy: float
    ece: float | None = None
    accuracy_low: float | None = None
    accuracy_high: float | None = None


@dataclass(frozen=True, slots=True)
class BinMetrics(Metrics):
    """The answers of one bin of confidence: how sure they were, and how often right."""

    confidence: float
    accuracy: float


@dataclass(frozen=True, slots=True)
class FactualityMetrics(Metrics):
    """Sentences of passages, factual or not, each with a score (METHODS C).

    The areas under the curves of precision and recall and ``accuracy`` are over sentences, percent. The correlations
    are over passages, between mean score and mean label, times 100. ``mean_documents`` is a number: how many were read
    for a sub-claim.
    """

    auc_pr_nonfactual: float | None = None
    auc_pr_factual: float | None = None
    accuracy: float | None = None
    pearson: float | None = None
    spearman: float | None = None
    mean_documents: float | None = None


@dataclass(frozen=True, slots=True)
class Counts:
    """How often a yes or no answer was right or wrong."""

    true_positives: int
    false_positives: int
    false_negatives: int
    true_negatives: int

    @classmethod
    def of(cls, truth: Sequence[bool], predicted: Sequence[bool]) -> Counts:
        cases = list(zip(truth, predicted, strict=True))
        return cls(
            true_positives=cases.count((True, True)),
            false_positives=cases.count((False, True)),
            false_negatives=cases.count((True, False)),
            true_negatives=cases.count((False, False)),
        )

    @property
    def precision(self) -> float:
        return percentage(self.true_positives, self.true_positives + self.false_positives)

    @property
    def recall(self) -> float:
        return percentage(self.true_positives, self.true_positives + self.false_negatives)

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall: 2 TP / (2 TP + FP + FN)."""
        return percentage(
            2 * self.true_positives, 2 * self.true_positives + self.false_positives + self.false_negatives
        )

    @property
    def of_no(self) -> Counts:
        """The same answers with "no" as the positive class."""
        return Counts(self.true_negatives, self.false_negatives, self.false_positives, self.true_positives)


def percentage(part: float, whole: float) -> float:
    return 100 * part / whole if whole else 0.0


@dataclass(frozen=True, slots=True)
class Interval:
    low: float
    high: float


def f1_interval(
    truth: Sequence[bool], predicted: Sequence[bool], groups: Sequence[Hashable], *, resamples: int = RESAMPLES
) -> Interval:
    """The 95 % interval of F1 by a :func:`bootstrap` over groups."""
    return bootstrap(_counts_by_group(truth, predicted, groups), _f1_of, resamples=resamples)


def _f1_of(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    true_positives, false_positives, false_negatives = sums
    divisor = 2 * true_positives + false_positives + false_negatives
    f1: NDArray[np.float64] = 100 * 2 * true_positives / np.maximum(divisor, 1)
    return f1


def bootstrap(
    by_group: NDArray[np.float64],
    statistic: Callable[[NDArray[np.float64]], NDArray[np.float64]],
    *,
    resamples: int = RESAMPLES,
) -> Interval:
    """The 95 % interval of a figure by a bootstrap over groups, with a fixed seed.

    ``by_group`` has what each group counts, ``[group, count]``; ``statistic`` makes the figures of summed counts,
    ``[count, resample]``. Whole groups (topics) are drawn with replacement, as many as there are, because the cases of
    one group resemble each other; the interval goes from the 2.5th to the 97.5th percentile (Efron and Tibshirani 1993,
    chapter 13).
    """
    generator = np.random.default_rng(SEED)
    groups = len(by_group)
    at_once = max(1, _MOST_NUMBERS_AT_ONCE // max(1, by_group.size))
    sums = [
        by_group[generator.integers(0, groups, size=(min(at_once, resamples - done), groups))].sum(axis=1)
        for done in range(0, resamples, at_once)
    ]
    low, high = np.percentile(statistic(np.concatenate(sums).T), [2.5, 97.5])
    return Interval(float(low), float(high))


def _counts_by_group(
    truth: Sequence[bool], predicted: Sequence[bool], groups: Sequence[Hashable]
) -> NDArray[np.float64]:
    """True positives, false positives and false negatives, ``[group, 3]``."""
    rows = {group: row for row, group in enumerate(dict.fromkeys(groups))}
    counts = np.zeros((len(rows), 3))
    for is_positive, is_predicted, group in zip(truth, predicted, groups, strict=True):
        counts[rows[group]] += (is_positive and is_predicted, is_predicted > is_positive, is_positive > is_predicted)
    return counts


def best_threshold(truth: Sequence[bool], scores: Sequence[float]) -> float:
    """The threshold with the highest F1 of ``score >= threshold``, halfway between two scores where there are two."""
    order = np.argsort(-np.asarray(scores), kind="stable")
    ordered = np.asarray(scores)[order]
    found = np.cumsum(np.asarray(truth, dtype=np.int64)[order])
    f1 = 2 * found / (np.arange(1, len(ordered) + 1) + max(1, int(found[-1])))
    # Equal scores cannot be parted.
    f1[:-1][ordered[:-1] == ordered[1:]] = -1
    last = int(np.argmax(f1))
    below = ordered[last + 1] if last + 1 < len(ordered) else ordered[last]
    return float((ordered[last] + below) / 2)


def thresholds_of_others(
    truth: Sequence[bool], scores: Sequence[float], groups: Sequence[Hashable]
) -> dict[Hashable, float]:
    """For every group the threshold that is best for all other groups together; empty for a single group."""
    names = list(dict.fromkeys(groups))
    thresholds: dict[Hashable, float] = {}
    for name in names if len(names) > 1 else []:
        others = [position for position, group in enumerate(groups) if group != name]
        thresholds[name] = best_threshold([truth[i] for i in others], [scores[i] for i in others])
    return thresholds


def precision_recall_area(truth: Sequence[bool], scores: Sequence[float]) -> float:
    """The area under the curve of precision over recall of ``score >= threshold``, by the trapezoid rule, in percent.

    One point for each distinct score, and precision 1 at recall 0, as the papers on WikiBio compute it. It joins
    points that ties keep far apart by straight lines, and so flatters coarse scores. 0 when nothing is true.
    """
    order = np.argsort(-np.asarray(scores, dtype=np.float64), kind="stable")
    ordered = np.asarray(scores, dtype=np.float64)[order]
    found = np.cumsum(np.asarray(truth, dtype=np.int64)[order])
    # Equal scores cannot be parted.
    last_of_score = np.flatnonzero(np.append(np.diff(ordered) != 0, True))
    precision = np.append(1.0, found[last_of_score] / (last_of_score + 1))
    recall = np.append(0.0, found[last_of_score] / max(1, int(found[-1])))
    return 100 * float(np.trapezoid(precision, recall))


def pearson(first: Sequence[float], second: Sequence[float]) -> float:
    """Pearson's correlation times 100; 0 where one side does not vary."""
    deviations = [np.asarray(values, dtype=np.float64) - np.mean(values) for values in (first, second)]
    norm = float(np.prod([np.linalg.norm(values) for values in deviations]))
    return 100 * float(deviations[0] @ deviations[1]) / norm if norm else 0.0


def spearman(first: Sequence[float], second: Sequence[float]) -> float:
    """Spearman's correlation times 100: Pearson's of the ranks, where equal values share the mean of their ranks."""
    return pearson(_ranks(first), _ranks(second))


def _ranks(values: Sequence[float]) -> list[float]:
    _, positions, counts = np.unique(values, return_inverse=True, return_counts=True)
    mean_ranks = np.cumsum(counts) - (counts - 1) / 2
    return [float(rank) for rank in mean_ranks[positions]]


@dataclass(frozen=True, slots=True)
class ConfidenceBin:
    """The answers given with a confidence in ``(low, high]``; confidence and accuracy are means in percent."""

    low: float
    high: float
    answers: int
    confidence: float
    accuracy: float


def reliability(correct: Sequence[bool], confidence: Sequence[float], *, bins: int = BINS) -> list[ConfidenceBin]:
    """The accuracy of answers by confidence (0 to 1), without empty bins."""
    positions = np.clip(np.ceil(np.asarray(confidence) * bins).astype(int) - 1, 0, bins - 1)
    table = []
    for position in range(bins):
        chosen = np.flatnonzero(positions == position)
        if len(chosen):
            table.append(
                ConfidenceBin(
                    low=position / bins,
                    high=(position + 1) / bins,
                    answers=len(chosen),
                    confidence=100 * float(np.mean(np.asarray(confidence)[chosen])),
                    accuracy=100 * float(np.mean(np.asarray(correct)[chosen])),
                )
            )
    return table


def expected_calibration_error(table: Sequence[ConfidenceBin]) -> float:
    """How far confidence and accuracy lie apart, in percentage points, weighted by answers (Guo et al. 2017, eq. 3)."""
    answers = sum(row.answers for row in table)
    return sum(row.answers * abs(row.accuracy - row.confidence) for row in table) / max(1, answers)
