"""Fit a decision, and cross-validate it on held-out groups."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from detection.core.local_models.decision import LogisticDecision

from .features import Features, folds

#: The strength of the L2 penalty. Between 2 and 20 the figures hardly change. A stronger one draws the probabilities of
#: the decision about sources to the middle: with 200 its calibration error on held-out groups is 2.8 points, with this
#: one 1.0.
_PENALTY = 7.0
#: The share of labelled contradictions whose sentences are worth comparing. The decision about pairs finds few of the
#: others: 98.6 % of those that it finds are kept, in texts to which nothing is fitted 223 of 225.
_KEPT_PARTNERS = 0.97
_PENALTY_OF_BIAS = 1e-6  # makes the solution unique
_MOST_STEPS = 50
_LEAST_STEP = 1e-8
#: Assumed frequency of supported, contradicted and unstated sentences in users' texts; the data has far more errors.
_PRIOR = (0.8, 0.12, 0.08)
_FOLDS = 5


def fit(features: Features, penalty: float = _PENALTY) -> LogisticDecision:
    """A multinomial logistic regression with an L2 penalty."""
    means = features.rows.mean(axis=0)
    deviations = features.rows.std(axis=0)
    deviations[deviations == 0] = 1.0
    weights, bias = _regression(
        (features.rows - means) / deviations, np.eye(features.class_count)[features.classes], penalty
    )
    return LogisticDecision(
        features.names,
        means=tuple(means.tolist()),
        deviations=tuple(deviations.tolist()),
        weights=tuple(map(tuple, weights.tolist())),
        bias=tuple(bias.tolist()),
    )


def _regression(
    rows: NDArray[np.float64], wanted: NDArray[np.float64], strength: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Weights [class, feature] and bias [class] by Newton's method, which needs only a few steps here."""
    inputs = np.hstack([rows, np.ones((len(rows), 1))])
    count = wanted.shape[1]
    penalty = np.append(np.full(rows.shape[1], strength), _PENALTY_OF_BIAS)
    weights = np.zeros((count, inputs.shape[1]))
    for _ in range(_MOST_STEPS):
        logits = inputs @ weights.T
        odds = np.exp(logits - logits.max(axis=1, keepdims=True))
        shares = odds / odds.sum(axis=1, keepdims=True)
        gradient = (shares - wanted).T @ inputs + penalty * weights
        curvature = np.block(
            [
                [
                    (inputs * (shares[:, [one]] * ((one == other) - shares[:, [other]]))).T @ inputs
                    for other in range(count)
                ]
                for one in range(count)
            ]
        ) + np.diag(np.tile(penalty, count))
        step = np.linalg.solve(curvature, gradient.ravel()).reshape(weights.shape)
        weights -= step
        if np.abs(step).max() < _LEAST_STEP:
            break
    return weights[:, :-1], weights[:, -1]


def for_texts(decision: LogisticDecision, fitted_on: Features) -> LogisticDecision:
    """The decision with its bias adjusted to the error frequency of users' texts."""
    shares = np.bincount(fitted_on.classes, minlength=len(_PRIOR)) / len(fitted_on.classes)
    bias = np.array(decision.bias) + np.log(np.array(_PRIOR) / shares)
    return replace(decision, bias=tuple(bias.tolist()))


def fit_partners(features: Features) -> LogisticDecision:
    """The decision whether two sentences of one text are worth comparing, for :attr:`Decision.OF_PARTNERS`."""
    return that_keeps(_KEPT_PARTNERS, fit(features), features)


def that_keeps(share: float, decision: LogisticDecision, fitted_on: Features) -> LogisticDecision:
    """The decision about two classes, with its bias such that this share of the second class has 0.5 or more."""
    found = probabilities(decision, fitted_on)[fitted_on.classes == 1]
    line = float(np.quantile(np.log(found[:, 1] / found[:, 0]), 1 - share))
    return replace(decision, bias=(decision.bias[0] + line, decision.bias[1]))


def probabilities(decision: LogisticDecision, features: Features) -> NDArray[np.float64]:
    """Shape [row, class]."""
    named = (dict(zip(features.names, row, strict=True)) for row in features.rows)
    return np.array([decision.shares(values) for values in named])


def cross_fitted(features: Features, penalty: float = _PENALTY) -> NDArray[np.float64]:
    """Probabilities [row, class], each by a decision fitted on other groups."""
    found = np.zeros((len(features.rows), features.class_count))
    for tested in folds(features.groups, _FOLDS):
        rest, held_out = (
            replace(features, rows=features.rows[chosen], classes=features.classes[chosen])
            for chosen in (~tested, tested)
        )
        found[tested] = probabilities(fit(rest, penalty), held_out)
    return found
