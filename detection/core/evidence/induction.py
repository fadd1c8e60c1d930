"""The sequential test that looks ahead to the last document (Wang et al. 2023, eq. 6 and 7).

Looking one document ahead, as the paper does, stops too early if no single document can change the answer but several
could: with the shipped NLI model and ``CAREFUL`` it stops at the first document. The paper calls looking further
exponential in the number of documents. It is not: one probability summarises all documents so far, so backward
induction computes the risks once for a grid of probabilities.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from .sequential import FEATURES, Belief, Costs, Histograms, SequentialTest

#: Log odds of "factual", so that a document moves all claims by the same distance. The ends are 6e-6 from certain.
_LOG_ODDS = np.linspace(-12.0, 12.0, 9_601)
_FACTUAL = 1 / (1 + np.exp(-_LOG_ODDS))


@dataclass(frozen=True, slots=True)
class InductiveTest(SequentialTest):
    """Stops when no plan for the remaining documents is worth its cost."""

    def risk_of_continuing(self, belief: Belief) -> float:
        """``R_continue``: the cost of one more document, and the expected risk of the best choices after it (eq. 6)."""
        risks = _risks_of_continuing(self.histograms, self.costs, self.most_documents)
        log_odds = np.log(belief.factual) - np.log1p(-belief.factual)
        return float(np.interp(log_odds, _LOG_ODDS, risks[belief.documents]))

    def undecided(self, documents: int) -> tuple[float, float] | None:
        """The range of probabilities in which another document is read after ``n`` documents; None if there is none."""
        if documents >= self.most_documents:
            return None
        risks = _risks_of_continuing(self.histograms, self.costs, self.most_documents)
        doubtful = _FACTUAL[_risks_of_stopping(self.costs) >= risks[documents]]
        return (float(doubtful[0]), float(doubtful[-1])) if len(doubtful) else None


def _risks_of_stopping(costs: Costs) -> NDArray[np.float64]:
    """The risk for each of the log odds."""
    return np.minimum((1 - _FACTUAL) * costs.miss, _FACTUAL * costs.false_alarm)


@cache
def _risks_of_continuing(histograms: Histograms, costs: Costs, most_documents: int) -> NDArray[np.float64]:
    """The risks ``[documents read, log odds]``, computed from the last document to the first."""
    factual, hallucinated = np.array(histograms.factual), np.array(histograms.hallucinated)
    moves = np.log(factual / hallucinated)
    likelihoods = np.outer(factual, _FACTUAL) + np.outer(hallucinated, 1 - _FACTUAL)
    stopping = _risks_of_stopping(costs)
    continuing = np.empty((most_documents, len(_LOG_ODDS)))
    after = stopping
    for documents in reversed(range(most_documents)):
        continuing[documents] = costs.retrieval + sum(
            likelihoods[feature] * np.interp(_LOG_ODDS + moves[feature], _LOG_ODDS, after)
            for feature in range(FEATURES)
        )
        after = np.minimum(stopping, continuing[documents])
    return continuing
