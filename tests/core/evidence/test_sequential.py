"""The sequential test, compared with manual arithmetic, brute force and a simulation."""

from __future__ import annotations

import itertools
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from detection.core.evidence.sequential import (
    BALANCED,
    CAREFUL,
    FEATURES,
    MOST_DOCUMENTS,
    QUICK,
    Belief,
    Costs,
    Histograms,
    SequentialTest,
    claim_probability,
    feature_of,
)

#: Feature 9 has odds of four to one for a factual claim, feature 0 of one to four; the others are uninformative.
TELLING = Histograms(
    factual=(0.1, *[0.0625] * 8, 0.4),
    hallucinated=(0.4, *[0.0625] * 8, 0.1),
)
SILENT = Histograms((0.1,) * FEATURES, (0.1,) * FEATURES)

probabilities = st.floats(0.001, 0.999)
features = st.integers(0, FEATURES - 1)


@st.composite
def histograms(draw: st.DrawFn) -> Histograms:
    counts = st.lists(features, max_size=60)
    return Histograms.of_features(draw(counts), draw(counts))


@pytest.mark.parametrize(("score", "feature"), [(0.0, 0), (0.099, 0), (0.1, 1), (0.55, 5), (0.999, 9), (1.0, 9)])
def test_a_feature_is_the_tenth_of_the_score(score: float, feature: int) -> None:
    assert feature_of(score) == feature


def test_histograms_count_each_feature_once_more_than_seen() -> None:
    counted = Histograms.of_features(factual=[9, 9], hallucinated=[0])
    # Two documents and ten features: (0 + 1) / 12 nine times, (2 + 1) / 12 for the last.
    assert counted.factual == pytest.approx([1 / 12] * 9 + [3 / 12])
    assert counted.hallucinated == pytest.approx([2 / 11] + [1 / 11] * 9)


@pytest.mark.parametrize(
    ("shares", "reason"),
    [
        ((0.5, 0.5), "needs 10 numbers"),
        ((0.0, 0.2, *[0.1] * 8), "needs 10 numbers between 0 and 1"),
        ((0.2, *[0.1] * 9), "sums to 1.100"),
    ],
)
def test_histograms_that_are_none_are_refused(shares: tuple[float, ...], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        Histograms(shares, SILENT.hallucinated)
    with pytest.raises(ValueError, match=reason):
        Histograms(SILENT.factual, shares)


def test_the_probability_after_a_document_by_hand() -> None:
    # 0.5 * 0.4 / (0.5 * 0.4 + 0.5 * 0.1) = 0.2 / 0.25
    after = TELLING.updated(0.5, 9)
    assert after == pytest.approx(0.8)
    # 0.8 * 0.4 / (0.8 * 0.4 + 0.2 * 0.1) = 0.32 / 0.34
    assert TELLING.updated(after, 9) == pytest.approx(0.32 / 0.34)


def test_the_risk_of_stopping_by_hand() -> None:
    # Declaring factual risks 0.2 * 14 = 2.8, declaring hallucinated 0.8 * 24 = 19.2.
    assert BALANCED.risk_of_stopping(0.8) == pytest.approx(2.8)
    assert BALANCED.declares_factual(0.8)
    # 0.8 * 14 = 11.2 against 0.2 * 24 = 4.8
    assert BALANCED.risk_of_stopping(0.2) == pytest.approx(4.8)
    assert not BALANCED.declares_factual(0.2)


def test_the_risk_of_going_on_by_hand() -> None:
    # From 0.5, a document has feature 9 with 0.5 * 0.4 + 0.5 * 0.1 = 0.25 and leads to 0.8, where stopping risks 2.8;
    # feature 0 as often, to 0.2 and 4.8; another one with 0.5, to 0.5 and min(7, 12) = 7.
    # 1 + 0.25 * 2.8 + 0.25 * 4.8 + 0.5 * 7 = 6.4. A plain mean over features would be 1 + (2.8 + 4.8 + 8 * 7) / 10.
    assert SequentialTest(TELLING).risk_of_continuing(Belief(0.5)) == pytest.approx(6.4)


def test_a_claim_by_hand() -> None:
    test = SequentialTest(TELLING)
    # 6.4 < 7: without evidence, one document is worth its cost.
    assert not test.stops(Belief(0.5, documents=1))
    belief = test.after(Belief(), entailment=0.95)
    assert belief == Belief(pytest.approx(0.8), 1)
    # Feature 9 has 0.8 * 0.4 + 0.2 * 0.1 = 0.34 and leads to 16/17, 14/17; feature 0 0.16, to 0.5, 7; others 0.5, 2.8.
    # 1 + 0.34 * 14 / 17 + 0.16 * 7 + 0.5 * 2.8 = 3.8 > 2.8: stop, and declare it factual.
    assert test.risk_of_continuing(belief) == pytest.approx(3.8)
    assert test.stops(belief)
    assert test.costs.declares_factual(belief.factual)


def test_one_document_is_read_before_the_test_may_stop() -> None:
    # Uninformative documents are not worth their cost, but the first is always read.
    test = SequentialTest(SILENT)
    assert not test.stops(Belief())
    assert test.stops(test.after(Belief(), 0.5))


def test_the_test_stops_at_the_most_documents_whatever_is_open() -> None:
    test = SequentialTest(TELLING, Costs(miss=1e6, false_alarm=1e6), most_documents=3)
    assert not test.stops(Belief(0.5, documents=2))
    assert test.stops(Belief(0.5, documents=3))


def test_a_claim_is_as_likely_as_its_least_likely_subclaim() -> None:
    assert claim_probability([0.9, 0.2, 0.7]) == 0.2
    with pytest.raises(ValueError, match="empty"):
        claim_probability([])


@given(histograms(), probabilities, features)
def test_probabilities_stay_probabilities(of_model: Histograms, factual: float, feature: int) -> None:
    assert 0 < of_model.updated(factual, feature) < 1
    assert 0 < of_model.probability(feature, factual) < 1


@given(histograms(), probabilities)
def test_the_expected_probability_is_the_one_before_the_document(of_model: Histograms, factual: float) -> None:
    after = sum(of_model.probability(f, factual) * of_model.updated(factual, f) for f in range(FEATURES))
    assert after == pytest.approx(factual)


@given(histograms(), probabilities)
def test_the_risk_of_going_on_is_that_of_all_claims_and_documents(of_model: Histograms, factual: float) -> None:
    # By the joint probability of claim and document: the cheaper error for each document.
    risk = sum(
        min((1 - factual) * of_model.hallucinated[f] * BALANCED.miss, factual * of_model.factual[f] * 24)
        for f in range(FEATURES)
    )
    assert SequentialTest(of_model).risk_of_continuing(Belief(factual)) == pytest.approx(1 + risk)


@given(histograms(), st.lists(features, min_size=2, max_size=4))
def test_the_order_of_documents_does_not_matter(of_model: Histograms, found: list[int]) -> None:
    ends = []
    for order in itertools.permutations(found):
        factual = 0.5
        for feature in order:
            factual = of_model.updated(factual, feature)
        ends.append(factual)
    assert ends == pytest.approx([ends[0]] * len(ends))


@given(probabilities, features)
def test_mirrored_documents_lead_to_mirrored_probabilities(factual: float, feature: int) -> None:
    mirrored = TELLING.updated(1 - factual, FEATURES - 1 - feature)
    assert TELLING.updated(factual, feature) == pytest.approx(1 - mirrored)


@given(probabilities)
def test_equal_costs_make_equal_risks_of_both_mistakes(factual: float) -> None:
    test = SequentialTest(TELLING, Costs(miss=20, false_alarm=20))
    assert test.costs.risk_of_stopping(factual) == pytest.approx(test.costs.risk_of_stopping(1 - factual))
    assert test.risk_of_continuing(Belief(factual)) == pytest.approx(test.risk_of_continuing(Belief(1 - factual)))


@given(probabilities)
def test_a_document_that_speaks_for_the_claim_makes_it_likelier(factual: float) -> None:
    assert TELLING.updated(factual, 0) < TELLING.updated(factual, 5) < TELLING.updated(factual, 9)
    assert TELLING.updated(factual, 5) == pytest.approx(factual)


@given(probabilities, probabilities)
def test_what_is_declared_factual_stays_so_with_a_higher_probability(first: float, second: float) -> None:
    lower, higher = sorted((first, second))
    for costs in (QUICK, BALANCED, CAREFUL):
        assert costs.declares_factual(higher) >= costs.declares_factual(lower)


# --- A simulation with known histograms ---------------------------------------------------------------------------

SIMULATED = Histograms.of_features(
    factual=[0] * 3 + [1] * 4 + [2] * 5 + [3] * 6 + [4] * 8 + [5] * 10 + [6] * 12 + [7] * 15 + [8] * 18 + [9] * 19,
    hallucinated=[9] * 3 + [8] * 4 + [7] * 5 + [6] * 6 + [5] * 8 + [4] * 10 + [3] * 12 + [2] * 15 + [1] * 18 + [0] * 19,
)
CLAIMS = 3_000


@cache
def simulated_claims() -> tuple[list[bool], list[list[float]]]:
    """Claims, and the entailment scores of their documents, ``[claims][documents]``."""
    generator = np.random.default_rng(11)
    factual = (generator.random(CLAIMS) < 0.5).tolist()
    shares = {True: SIMULATED.factual, False: SIMULATED.hallucinated}
    drawn = [generator.choice(FEATURES, size=MOST_DOCUMENTS, p=shares[is_factual]) for is_factual in factual]
    return factual, [((features + 0.5) / FEATURES).tolist() for features in drawn]


def mean_cost(costs: Costs, fixed: int | None = None) -> tuple[float, float]:
    """The mean cost and number of documents of a claim; ``fixed`` reads that many for each."""
    test = SequentialTest(SIMULATED, costs)
    total, documents = 0.0, 0
    for is_factual, scores in zip(*simulated_claims(), strict=True):
        belief = Belief()
        while not (test.stops(belief) if fixed is None else belief.documents == fixed):
            belief = test.after(belief, scores[belief.documents])
        if costs.declares_factual(belief.factual) != is_factual:
            total += costs.false_alarm if is_factual else costs.miss
        total += belief.documents * costs.retrieval
        documents += belief.documents
    return total / CLAIMS, documents / CLAIMS


@pytest.mark.parametrize("costs", [QUICK, BALANCED, CAREFUL])
def test_the_test_costs_less_than_any_fixed_number_of_documents(costs: Costs) -> None:
    sequential, _ = mean_cost(costs)
    assert all(sequential < mean_cost(costs, fixed)[0] for fixed in range(1, MOST_DOCUMENTS + 1))


def test_dearer_mistakes_make_it_read_more() -> None:
    quick, balanced, careful = (mean_cost(costs)[1] for costs in (QUICK, BALANCED, CAREFUL))
    assert quick < balanced < careful
