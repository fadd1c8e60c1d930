"""Biographies with recorded sub-claims and pages."""

from __future__ import annotations

import asyncio
from pathlib import Path
from xml.etree import ElementTree

import pytest
from pytest_django.fixtures import Settings

from detection.core.evidence.histograms import save_histograms
from detection.core.evidence.sequential import Histograms, SequentialTest
from detection.core.local_models.process import InProcessModels
from detection.core.ports import Ports
from detection.lab.evaluation.base import Origin
from detection.lab.evaluation.rows import BadData
from detection.lab.evaluation.strategies import Sequential, Settled
from detection.lab.evaluation.wikibio import (
    Factuality,
    PageJudge,
    PassageTruth,
    load_passages,
    measure_passages,
    plot_passages,
)

from .conftest import BIOGRAPHIES, PAGES, SUBCLAIMS, WriteRows

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def folder(write_rows: WriteRows) -> Path:
    write_rows("bayes_pages", PAGES, packed=True)
    write_rows("bayes_subclaims", SUBCLAIMS)
    return write_rows("wikibio_gpt3", BIOGRAPHIES)


def test_sentences_come_with_their_subclaims_and_pages(folder: Path) -> None:
    first, second = load_passages(folder)
    assert [len(sentence) for sentence in first.question.sentences] == [2, 1]
    (unborn,) = second.question.sentences[0]
    assert unborn.text == "Ada Fenn was born in Lisbon."
    assert [page.text for page in unborn.pages] == [PAGES[1]["text"]] * 2
    assert first.truth.labels == (Factuality.ACCURATE, Factuality.MAJOR)
    assert first.truth.recorded == {"nli": (0.1, 0.9), "prompt": (0.0, 1.0)}
    assert second.truth.recorded == {}


def test_biographies_with_a_sentence_that_was_not_looked_up_do_not_count(folder: Path, write_rows: WriteRows) -> None:
    write_rows("bayes_subclaims", SUBCLAIMS[:1] + SUBCLAIMS[2:])
    assert [row.truth.labels for row in load_passages(folder)] == [(Factuality.MINOR,)]


@pytest.mark.parametrize(
    ("name", "row", "reason"),
    [
        (
            "bayes_subclaims",
            {**SUBCLAIMS[2], "subclaims": [{"subclaim": "A", "pages": ["x"]}]},
            "'x' of the field 'pages'",
        ),
        ("bayes_subclaims", {**SUBCLAIMS[2], "subclaims": ["A"]}, "should be a list of objects"),
        ("wikibio_gpt3", {**BIOGRAPHIES[1], "labels": ["true"]}, "should be a list of 'accurate'"),
        ("wikibio_gpt3", {**BIOGRAPHIES[0], "replicated_scores": {"nli": "high"}}, "an object of lists of numbers"),
    ],
)
def test_broken_rows_are_named(
    folder: Path, write_rows: WriteRows, name: str, row: dict[str, object], reason: str
) -> None:
    write_rows(name, [row])
    with pytest.raises(BadData, match=reason):
        load_passages(folder)


async def test_pages_that_say_it_entail_more_than_others(local_models: InProcessModels, folder: Path) -> None:
    rows = await asyncio.to_thread(load_passages, folder)
    first, second = await PageJudge(Ports(local_models)).judge([row.question for row in rows])
    assert [[len(subclaim) for subclaim in sentence] for sentence in first] == [[10, 10], [10]]
    assert [[len(subclaim) for subclaim in sentence] for sentence in second] == [[2]]
    told, invented = first
    assert min(max(subclaim) for subclaim in told) > 0.5 > max(invented[0])


def test_figures_by_hand(settings: Settings, tmp_path: Path) -> None:
    # A score in the upper half is twice as frequent for factual claims, one in the lower half half as frequent.
    upper, lower = (2 / 15,) * 5, (1 / 15,) * 5
    save_histograms(Histograms(factual=lower + upper, hallucinated=upper + lower), tmp_path)
    settings.NLI_MODEL = tmp_path
    truths = [
        PassageTruth((Factuality.ACCURATE, Factuality.MAJOR), {}),
        PassageTruth((Factuality.MINOR, Factuality.MAJOR), {}),
    ]
    answers = [(((0.9, 0.9), (0.8, 0.2)), ((0.1, 0.6),)), (((0.3,),), ((0.1, 0.2), ()))]
    groups = {group.name: group.metrics.values() for group in measure_passages(truths, answers).groups}
    # After one page: 2/3 for the first sentence, 1/3 for the others. Biographies: (1/2) and (2/3) with labels 1/2, 3/4.
    assert groups["naive Bayes, 1"] == {
        "auc_pr_nonfactual": pytest.approx(100.0),
        "auc_pr_factual": pytest.approx(100.0),
        "accuracy": 100.0,
        "pearson": pytest.approx(100.0),
        "spearman": pytest.approx(100.0),
        "mean_documents": pytest.approx(5 / 6),
    }
    # After two: the second sub-claim of the first sentence has probability 1/2, and so has the second sentence; from
    # (0, 1) to (1, 1/2).
    assert groups["naive Bayes, 2"]["auc_pr_factual"] == pytest.approx(75.0)
    assert groups["naive Bayes, 2"]["mean_documents"] == pytest.approx(9 / 6)
    # The lowest mean of the first sentence is 0.5, the lowest maximum 0.8; that of the second sentence 0.35 and 0.6.
    assert groups["mean, 2"]["accuracy"] == 75.0
    assert groups["maximum, 2"]["accuracy"] == 75.0
    assert groups["maximum, 1"]["accuracy"] == 100.0


def test_what_the_sequential_test_reads_is_counted() -> None:
    histograms = Histograms(factual=(0.01,) * 9 + (0.91,), hallucinated=(0.91,) + (0.01,) * 9)
    strategy = Sequential("sequential", SequentialTest(histograms))
    assert strategy.settle((0.95, 0.0)) == Settled(factual=pytest.approx(91 / 92), documents=1)
    assert strategy.settle((0.5, 0.0)) == Settled(factual=pytest.approx(1 / 92), documents=2)
    assert strategy.settle(()) == Settled(factual=0.5, documents=0)


def test_trivial_and_published_figures_stand_beside() -> None:
    truths = [PassageTruth((Factuality.ACCURATE, Factuality.MAJOR, Factuality.MINOR, Factuality.MAJOR), {})]
    measured = measure_passages(truths, [(((0.9,),), ((0.1,),), ((0.2,),), ((0.1,),))])
    trivial = measured.overall.baselines[0]
    assert (trivial.origin, trivial.metrics.values()) == (
        Origin.TRIVIAL,
        {"auc_pr_nonfactual": 75.0, "auc_pr_factual": 25.0, "accuracy": 75.0},
    )
    assert sum(baseline.origin is Origin.PUBLISHED for baseline in measured.overall.baselines) == 9


def test_the_drawing_has_a_curve_for_each_strategy_and_a_point_for_each_number_of_documents() -> None:
    truths = [
        PassageTruth((Factuality.ACCURATE, Factuality.MAJOR), {"nli": (0.3, 0.2)}),
        PassageTruth((Factuality.MINOR,), {}),
    ]
    answers = [(((0.9,),), ((0.1,),)), (((0.2,),),)]
    drawing = ElementTree.fromstring(plot_passages(measure_passages(truths, answers)))
    texts = [element.text for element in drawing.iter(f"{SVG}text")]
    assert {"sequential test", "naive Bayes", "mean", "maximum"} <= set(texts)
    assert len(list(drawing.iter(f"{SVG}circle"))) == 5 + 3 * 10


def test_judges_on_record_stand_beside_the_biographies_that_they_saw() -> None:
    truths = [
        PassageTruth((Factuality.ACCURATE, Factuality.MAJOR), {"nli": (0.3, 0.2)}),
        PassageTruth((Factuality.MINOR,), {}),
    ]
    answers = [(((0.9,),), ((0.4,),)), (((0.2,),),)]
    group = measure_passages(truths, answers).groups[0]
    assert (group.name, group.rows) == ("scored by others", 1)
    (recorded,) = group.baselines
    assert (recorded.name, recorded.origin) == ("nli", Origin.RECORDED)
    # The accurate sentence has the higher score: (0, 1), (0, 0), (1, 1/2): 1/4.
    assert recorded.metrics.values()["auc_pr_nonfactual"] == pytest.approx(25.0)
    assert "scored by others" not in [group.name for group in measure_passages(truths[1:], answers[1:]).groups]
