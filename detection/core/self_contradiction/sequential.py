"""Decide when votes have settled whether two statements contradict: a Bayesian sequential test. No I/O.

The share of Yes among all votes that a model would cast is unknown. The votes on nearly every pair agree (one in 780
recorded scores lies between 0.2 and 0.8), so the prior expects a share near 0 or near 1. Stopping risks a mistake, at
the costs of METHODS C; continuing costs votes, which are worth it if they may change the outcome.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

#: Maximum number of votes to look ahead.
_HORIZON = 4
#: Maximum terms of the continued fraction; at one half it converges much earlier.
_TERMS = 60
#: The strength of each side of the prior, a beta distribution: the smaller, the more one vote predicts the others.
_PRIOR = 0.1


@dataclass(frozen=True, slots=True)
class VoteCosts:
    """The costs of a missed contradiction, of a false alarm, and of one more vote."""

    miss: float = 14.0
    false_alarm: float = 24.0
    vote: float = 0.2


DEFAULT_COSTS = VoteCosts()


def is_settled(yes: float, cast: float, costs: VoteCosts = DEFAULT_COSTS) -> bool:
    """Whether another vote would cost more than it is worth, after ``yes`` of ``cast`` votes.

    A vote with a known probability counts with that probability, so ``yes`` need not be a whole number.
    """
    return _risk_of_stopping(yes, cast, costs) <= _risk_of_going_on(yes, cast, costs, _HORIZON)


def probability_of_majority(yes: float, cast: float) -> float:
    """The probability that more than half of all votes are Yes: the upper half of the posterior beta distribution."""
    return 1 - _lower_half(yes + _PRIOR, cast - yes + _PRIOR)


def _risk_of_stopping(yes: float, cast: float, costs: VoteCosts) -> float:
    contradictory = probability_of_majority(yes, cast)
    return min(contradictory * costs.miss, (1 - contradictory) * costs.false_alarm)


def _risk_of_going_on(yes: float, cast: float, costs: VoteCosts, horizon: int) -> float:
    share = (yes + _PRIOR) / (cast + 2 * _PRIOR)
    after_yes = _least_risk(yes + 1, cast + 1, costs, horizon - 1)
    after_no = _least_risk(yes, cast + 1, costs, horizon - 1)
    return costs.vote + share * after_yes + (1 - share) * after_no


def _least_risk(yes: float, cast: float, costs: VoteCosts, horizon: int) -> float:
    stopping = _risk_of_stopping(yes, cast, costs)
    return stopping if not horizon else min(stopping, _risk_of_going_on(yes, cast, costs, horizon))


def _lower_half(a: float, b: float) -> float:
    """The regularised incomplete beta function at one half, by its continued fraction (modified Lentz)."""
    if a > b:  # the fraction converges fast if one half is below the mean of the mirrored distribution
        return 1 - _lower_half(b, a)
    scale = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) - (a + b) * math.log(2)) / b
    # I_x(a, b) = 1 - I_(1-x)(b, a), and the fraction is that of the latter.
    return 1 - scale * _fraction(b, a)


def _fraction(a: float, b: float, x: float = 0.5) -> float:
    c, d = 1.0, 1 / (1 - (a + b) * x / (a + 1))
    value = d
    for m in range(1, _TERMS):
        for numerator in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1 / (1 + numerator * d)
            c = 1 + numerator / c
            value *= c * d
    return value
