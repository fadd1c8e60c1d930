from __future__ import annotations

from dataclasses import replace

import pytest

from detection.core.types import Span, Verdict
from detection.lab.evaluation.supported import FACTSCORE, FAITHBENCH, RAGTRUTH_QA

from .conftest import BIOGRAPHY_CLAIMS, LABELLED_RESPONSES, WriteRows, response
from .test_authored import answer, finding

BAD = (Verdict.NOT_IN_SOURCE,)
GOOD = (Verdict.UNSURE,)


def test_responses_by_hand(write_rows: WriteRows) -> None:
    rows = [response(is_bad=bad, group=str(i)) for i, bad in enumerate((True, True, True, False, False))]
    truths = [row.truth for row in FAITHBENCH.load(write_rows("faithbench", rows))]
    answers = [answer(["One."], verdicts=verdicts) for verdicts in (BAD, BAD, GOOD, GOOD, BAD)]
    figures = FAITHBENCH.measure(truths, answers).overall.metrics.values()
    assert figures["balanced_accuracy"] == pytest.approx((200 / 3 + 50) / 2)
    assert figures["balanced_accuracy_low"] < figures["balanced_accuracy"] < figures["balanced_accuracy_high"]


def test_detectors_on_record_stand_beside(write_rows: WriteRows) -> None:
    rows = [
        response(is_bad=True, detectors={"gpt_4o": 0, "hhem-2.1": 0.2, "true_nli": None}),
        response(is_bad=False, detectors={"gpt_4o": 0, "hhem-2.1": 0.7, "true_nli": 1}),
    ]
    truths = [row.truth for row in FAITHBENCH.load(write_rows("faithbench", rows))]
    measured = FAITHBENCH.measure(truths, [answer(["One."], verdicts=GOOD)] * 2)
    recorded = {
        baseline.name: baseline.metrics.values()["balanced_accuracy"] for baseline in measured.overall.baselines
    }
    assert recorded == {"GPT-4o": 50.0, "HHEM-2.1": 100.0, "always bad": 50.0}


def test_characters_that_are_marked_are_counted(write_rows: WriteRows) -> None:
    truths = [row.truth for row in RAGTRUTH_QA.load(write_rows("ragtruth_qa", LABELLED_RESPONSES))]
    text = LABELLED_RESPONSES[0]["response"]
    start, end, _ = LABELLED_RESPONSES[0]["spans"][0]
    marked = replace(finding(0, None), span=Span(end - 4, end))
    figures = RAGTRUTH_QA.measure(
        truths, [answer([text], marked, verdicts=BAD), answer([LABELLED_RESPONSES[1]["response"]], verdicts=BAD)]
    ).overall.metrics.values()
    assert figures["f1"] == pytest.approx(200 / 3)
    assert figures["span_f1"] == pytest.approx(100 * 2 * 4 / (4 + end - start))
    assert figures["sentence_span_f1"] == pytest.approx(100 * 2 * (end - start) / (len(text) + end - start))


def test_claims_are_judged_one_by_one(write_rows: WriteRows) -> None:
    [row] = FACTSCORE.load(write_rows("factscore_qcnli", BIOGRAPHY_CLAIMS))
    claims = [claim for claim, *_ in BIOGRAPHY_CLAIMS[0]["claims"]]
    assert row.question.text == " ".join(claims)
    for verdicts, figure in (((*GOOD, *BAD), 100.0), ((*BAD, *BAD), 50.0), ((*BAD, *GOOD), 0.0)):
        measured = FACTSCORE.measure([row.truth], [answer(claims, verdicts=verdicts)])
        assert measured.overall.metrics.values()["balanced_accuracy"] == figure
