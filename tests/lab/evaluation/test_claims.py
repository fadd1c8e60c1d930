from __future__ import annotations

import pytest

from detection.core.local_models.process import InProcessModels
from detection.core.ports import Ports
from detection.core.types import NliScore
from detection.lab.evaluation.claims import (
    ClaimQuestion,
    ClaimTruth,
    Label,
    LocalClaimJudge,
    measure_claims,
    supports_or_not,
    supports_or_refutes,
    three_ways,
)

SCORE = NliScore(entailment=0.3, neutral=0.5, contradiction=0.2)


def test_the_answers_that_a_score_gives() -> None:
    assert three_ways(SCORE) == {Label.SUPPORTS: 0.3, Label.NOT_ENOUGH_INFO: 0.5, Label.REFUTES: 0.2}
    assert supports_or_refutes(SCORE) == {Label.SUPPORTS: pytest.approx(0.6), Label.REFUTES: pytest.approx(0.4)}
    assert supports_or_not(SCORE) == {Label.SUPPORTS: 0.3, Label.REFUTES: pytest.approx(0.7)}


def test_figures_by_hand() -> None:
    truths = [ClaimTruth(Label.SUPPORTS, "a"), ClaimTruth(Label.SUPPORTS, "a"), ClaimTruth(Label.REFUTES, "b")]
    answers = [supports_or_not(NliScore(share, 1 - share, 0.0)) for share in (0.95, 0.25, 0.05)]
    measured = measure_claims(("note",), truths, answers)
    # Confidence 95, 75 and 95 %; right, wrong, right: (2 * |100 - 95| + |0 - 75|) / 3.
    assert measured.overall.metrics.values() == {
        "accuracy": pytest.approx(200 / 3),
        "ece": pytest.approx(85 / 3),
    }
    assert [(baseline.name, baseline.metrics.values()) for baseline in measured.overall.baselines] == [
        ("always supports", {"accuracy": pytest.approx(200 / 3)})
    ]
    assert [(group.name, group.rows) for group in measured.groups] == [
        ("a", 2),
        ("b", 1),
        ("confidence 0.7 to 0.8", 1),
        ("confidence 0.9 to 1.0", 2),
    ]
    assert measured.groups[3].metrics.values() == {"confidence": pytest.approx(95.0), "accuracy": 100.0}


async def test_the_best_window_of_long_evidence_counts(local_models: InProcessModels) -> None:
    filler = "The valley has many farms, and the farms grow rye and flax on small fields. " * 20
    evidence = f"{filler}The Sorrel Bridge was opened in May 1911. {filler}"
    claim = "The Sorrel Bridge was opened in 1911."
    judge = LocalClaimJudge(Ports(local_models), three_ways)
    told, silent = await judge.judge([ClaimQuestion(evidence, claim), ClaimQuestion(filler, claim)])
    assert told[Label.SUPPORTS] > silent[Label.SUPPORTS] + 0.3
