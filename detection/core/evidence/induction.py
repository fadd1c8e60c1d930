"""The sequential test that looks ahead to the last document (Wang et al. 2023, eq. 6 and 7).

Looking one document ahead, as the paper does, gives up too early where no single document can change the answer but
several could: with the NLI model that ships and ``CAREFUL`` it stops at the first document. The paper calls looking
further exponential in the documents. It is not: all that the documents so far have told is in one probability, so the
risks can be worked out backwards, once, for a grid of probabilities.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from .sequential import FEATURES, Belief, Costs, Histograms, SequentialTest

#: Log odds of "factual", so that a document moves all claims equally far. The ends are 6 in a million from certain.
_LOG_ODDS = np.linspace(-12.0, 12.0, 9_601)
_FACTUAL = 1 / (1 + np.exp(-_LOG_ODDS))


@dataclass(frozen=True, slots=True)
class InductiveTest(SequentialTest):
    """Stops when no plan for the documents that are left is worth its cost."""

    def risk_of_continuing(self, belief: Belief) -> float:
        """``R_continue``: the cost of one more document, and the expected risk of the best choices after it (eq. 6)."""
        risks = _risks_of_continuing(self.histograms, self.costs, self.most_documents)
        log_odds = np.log(belief.factual) - np.log1p(-belief.factual)
        return float(np.interp(log_odds, _LOG_ODDS, risks[belief.documents]))

    def undecided(self, documents: int) -> tuple[float, float] | None:
        """Between which probabilities another document is read after so many; None when none is in any case."""
        if documents >= self.most_documents:
            return None
        risks = _risks_of_continuing(self.histograms, self.costs, self.most_documents)
        doubtful = _FACTUAL[_risks_of_stopping(self.costs) >= risks[documents]]
        return (float(doubtful[0]), float(doubtful[-1])) if len(doubtful) else None


def _risks_of_stopping(costs: Costs) -> NDArray[np.float64]:
    """For each of the log odds."""
    return np.minimum((1 - _FACTUAL) * costs.miss, _FACTUAL * costs.false_alarm)


@cache
def _risks_of_continuing(histograms: Histograms, costs: Costs, most_documents: int) -> NDArray[np.float64]:
    """``[documents read, log odds]``, worked out from the last document to the first."""
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
