"""How many documents to read for a claim: a Bayesian sequential test (Wang et al. 2023, METHODS C). No I/O.

Equation numbers are those of the paper. All probabilities are those of "factual", from 0 to 1; risks have the unit of
the costs. Two things differ from the paper or its code. Equation 5 prints ``(1 - pi_0) C_FA`` for the risk of a false
alarm, which is ``pi_1 C_FA``. The released code computes the expectation of equation 8 as an unweighted mean over the
features; this module weights each feature by its probability, as the equation says.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

#: Number of values of a feature: tenths of the entailment score.
FEATURES = 10

#: Prior before the first document: a language model is assumed to be wrong half of the time (section 3.4).
PRIOR = 0.5

#: K of the paper: maximum number of documents.
MOST_DOCUMENTS = 10

#: Histograms are stored in rounded numbers.
_SUM_TOLERANCE = 1e-3


def feature_of(entailment: float) -> int:
    """The tenth of an entailment score from 0 to 1, as 0 to 9 (eq. 2); a score of 1 belongs to the last."""
    return min(int(FEATURES * entailment), FEATURES - 1)


@dataclass(frozen=True, slots=True)
class Histograms:
    """How likely each feature is for a document about a factual claim, ``P(f|theta_1)``, and a hallucinated one.

    They belong to one NLI model.

    Raises:
        ValueError: one of the two is not ``FEATURES`` positive numbers that sum to 1.
    """

    factual: tuple[float, ...]
    hallucinated: tuple[float, ...]

    def __post_init__(self) -> None:
        for name, shares in (("factual", self.factual), ("hallucinated", self.hallucinated)):
            # A feature with probability 0 for one kind of claim would settle a claim at once.
            if len(shares) != FEATURES or not all(0 < share < 1 for share in shares):
                raise ValueError(f"The histogram {name!r} needs {FEATURES} numbers between 0 and 1.")
            if not math.isclose(sum(shares), 1, abs_tol=_SUM_TOLERANCE):
                raise ValueError(f"The histogram {name!r} sums to {sum(shares):.3f} instead of 1.")

    @classmethod
    def of_features(cls, factual: Iterable[int], hallucinated: Iterable[int]) -> Histograms:
        """The shares of the features of labelled documents, each feature counted once more than seen (section 3.3)."""
        return cls(_smoothed(list(factual)), _smoothed(list(hallucinated)))

    def probability(self, feature: int, factual: float) -> float:
        """``P(f)``: how likely the next document has this feature, given the probability that the claim is factual."""
        return factual * self.factual[feature] + (1 - factual) * self.hallucinated[feature]

    def updated(self, factual: float, feature: int) -> float:
        """``pi_1(n+1)``: the probability after a document with this feature, given that before it (eq. 4)."""
        return factual * self.factual[feature] / self.probability(feature, factual)


def _smoothed(features: Sequence[int]) -> tuple[float, ...]:
    return tuple((features.count(feature) + 1) / (len(features) + FEATURES) for feature in range(FEATURES))


@dataclass(frozen=True, slots=True)
class Costs:
    """The costs of mistakes and documents in any unit; only their ratios matter."""

    miss: float
    """``C_M``: a hallucinated claim passes as factual."""
    false_alarm: float
    """``C_FA``: a factual claim is called hallucinated."""
    retrieval: float = 1.0
    """``C_retrieve``: one more document."""

    @property
    def indifference(self) -> float:
        """The probability at which both answers have the same risk; below it a claim is called hallucinated."""
        return self.miss / (self.miss + self.false_alarm)

    def declares_factual(self, factual: float) -> bool:
        """Whether "factual" has the lower risk at this probability."""
        return self._risk_of_miss(factual) < self._risk_of_false_alarm(factual)

    def risk_of_stopping(self, factual: float) -> float:
        """``R_stop``: the expected cost of the better answer at this probability (eq. 5)."""
        return min(self._risk_of_miss(factual), self._risk_of_false_alarm(factual))

    def _risk_of_miss(self, factual: float) -> float:
        return (1 - factual) * self.miss

    def _risk_of_false_alarm(self, factual: float) -> float:
        return factual * self.false_alarm


#: Few documents: mistakes cost half as much as in ``BALANCED``, with the same indifference point.
QUICK = Costs(miss=7, false_alarm=12)
#: The paper's first setting; about 3 documents there.
BALANCED = Costs(miss=14, false_alarm=24)
#: The paper's second setting; about 6 documents there.
CAREFUL = Costs(miss=28, false_alarm=96)


@dataclass(frozen=True, slots=True)
class Belief:
    """The state of a claim after some documents."""

    factual: float = PRIOR
    documents: int = 0


@dataclass(frozen=True, slots=True)
class SequentialTest:
    """Reads documents of one claim until another document is not worth its cost (algorithm 1)."""

    histograms: Histograms
    costs: Costs = BALANCED
    most_documents: int = MOST_DOCUMENTS

    def after(self, belief: Belief, entailment: float) -> Belief:
        """The belief after one more document that entails the claim with this score (0 to 1)."""
        return Belief(self.histograms.updated(belief.factual, feature_of(entailment)), belief.documents + 1)

    def stops(self, belief: Belief) -> bool:
        """Whether the claim is settled. As in the paper, at least one document is read."""
        if belief.documents >= self.most_documents:
            return True
        return belief.documents > 0 and self.costs.risk_of_stopping(belief.factual) < self.risk_of_continuing(belief)

    def risk_of_continuing(self, belief: Belief) -> float:
        """``R_continue``: the cost of one more document, and the expected risk of stopping after it (eq. 8).

        It looks one step ahead and ignores the option to continue after that document.
        """
        return self.costs.retrieval + sum(
            self.histograms.probability(feature, belief.factual)
            * self.costs.risk_of_stopping(self.histograms.updated(belief.factual, feature))
            for feature in range(FEATURES)
        )


def claim_probability(subclaims: Iterable[float]) -> float:
    """A claim is as likely factual as its least likely sub-claim (eq. 9).

    Raises:
        ValueError: there are no sub-claims.
    """
    return min(subclaims)
