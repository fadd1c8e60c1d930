"""The sequential test with full lookahead, compared with brute force."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from detection.core.evidence.induction import InductiveTest
from detection.core.evidence.sequential import BALANCED, CAREFUL, FEATURES, Belief, Costs, Histograms, SequentialTest

TELLING = Histograms(factual=(0.1, *[0.0625] * 8, 0.4), hallucinated=(0.4, *[0.0625] * 8, 0.1))
#: No single document can lead from 0.5 to below 0.226, where ``CAREFUL`` calls a claim hallucinated.
WEAK = Histograms(factual=(*[1 / 15] * 5, *[2 / 15] * 5), hallucinated=(*[2 / 15] * 5, *[1 / 15] * 5))


def risk_by_recursion(test: SequentialTest, belief: Belief) -> float:
    """Equations 6 and 7 directly, with all orders of documents."""
    risk = test.costs.retrieval
    for feature in range(FEATURES):
        after = test.after(belief, (feature + 0.5) / FEATURES)
        best = test.costs.risk_of_stopping(after.factual)
        if after.documents < test.most_documents:
            best = min(best, risk_by_recursion(test, after))
        risk += test.histograms.probability(feature, belief.factual) * best
    return risk


@pytest.mark.parametrize("costs", [BALANCED, CAREFUL])
@pytest.mark.parametrize("factual", [0.02, 0.226, 0.5, 0.8])
def test_the_risk_is_that_of_the_equations(costs: Costs, factual: float) -> None:
    test = InductiveTest(TELLING, costs, most_documents=3)
    belief = Belief(factual)
    assert test.risk_of_continuing(belief) == pytest.approx(risk_by_recursion(test, belief), rel=1e-3)


@given(st.floats(0.001, 0.999))
def test_before_the_last_document_both_tests_agree(factual: float) -> None:
    belief = Belief(factual, documents=9)
    one_ahead = SequentialTest(WEAK, CAREFUL).risk_of_continuing(belief)
    assert InductiveTest(WEAK, CAREFUL).risk_of_continuing(belief) == pytest.approx(one_ahead, rel=1e-3)


@given(st.floats(0.001, 0.999), st.integers(0, 9))
def test_more_documents_to_come_never_raise_the_risk(factual: float, documents: int) -> None:
    belief = Belief(factual, documents)
    one_ahead = SequentialTest(TELLING, CAREFUL).risk_of_continuing(belief)
    assert InductiveTest(TELLING, CAREFUL).risk_of_continuing(belief) <= one_ahead * 1.001


def test_it_reads_on_where_only_several_documents_can_change_the_answer() -> None:
    belief = Belief(0.5, documents=1)
    assert SequentialTest(WEAK, CAREFUL).stops(belief)
    assert not InductiveTest(WEAK, CAREFUL).stops(belief)


def test_it_stops_at_the_most_documents_and_at_certainty() -> None:
    test = InductiveTest(WEAK, CAREFUL)
    assert test.stops(Belief(0.5, documents=10))
    assert test.stops(Belief(1 - 1e-9, documents=1))
    assert test.stops(Belief(1e-9, documents=1))
