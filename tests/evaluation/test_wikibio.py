"""Biographies with recorded sub-claims and pages."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from detection.core.compute import InProcessModels
from detection.core.detectors.base import Ports
from detection.core.evidence.sequential import BALANCED, CAREFUL
from detection.core.types import Engine
from detection.evaluation.base import Origin
from detection.evaluation.rows import BadData
from detection.evaluation.wikibio import (
    WIKIBIO,
    Factuality,
    PassageTruth,
    SentenceAnswer,
    SequentialJudge,
    load_passages,
    measure_passages,
)

from .conftest import BIOGRAPHIES, PAGES, SUBCLAIMS, WriteRows


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


async def test_the_judge_tells_what_pages_say_and_stops_early(local_models: InProcessModels, folder: Path) -> None:
    rows = await asyncio.to_thread(load_passages, folder)
    first, second = await SequentialJudge(Ports(local_models), CAREFUL).judge([row.question for row in rows])
    told, invented = first
    assert told.factual > 0.5 > invented.factual
    assert told.is_factual
    assert all(1 <= count < 10 for sentence in first for count in sentence.documents)
    assert second[0].documents[0] <= 2


async def test_a_fixed_number_of_pages_is_read_where_there_are_so_many(
    local_models: InProcessModels, folder: Path
) -> None:
    rows = await asyncio.to_thread(load_passages, folder)
    judge = SequentialJudge(Ports(local_models), BALANCED, fixed=3)
    answers = await judge.judge([row.question for row in rows])
    assert [[sentence.documents for sentence in answer] for answer in answers] == [[(3, 3), (3,)], [(2,)]]


@pytest.mark.parametrize("method", WIKIBIO.judges[Engine.LOCAL])
async def test_every_method_answers_for_every_sentence(
    local_models: InProcessModels, folder: Path, method: str
) -> None:
    rows = await asyncio.to_thread(load_passages, folder)
    answers = await WIKIBIO.judges[Engine.LOCAL][method](Ports(local_models)).judge([row.question for row in rows])
    assert [[len(sentence.documents) for sentence in answer] for answer in answers] == [[2, 1], [1]]
    assert all(0 < sentence.factual < 1 for answer in answers for sentence in answer)


def test_figures_by_hand() -> None:
    truths = [
        PassageTruth((Factuality.ACCURATE, Factuality.MAJOR), {"nli": (0.3, 0.2)}),
        PassageTruth((Factuality.MINOR, Factuality.MAJOR), {}),
    ]
    answers = [
        (SentenceAnswer(0.9, True, (1, 2)), SentenceAnswer(0.4, True, (3,))),
        (SentenceAnswer(0.2, False, (2,)), SentenceAnswer(0.1, False, (2,))),
    ]
    measured = measure_passages(truths, answers)
    # Three of four sentences are right; the scores part the only accurate one from the rest. Two biographies with mean
    # scores 0.35 and 0.85 and mean labels 0.5 and 0.75 lie on a line. Documents: (1 + 2 + 3 + 2 + 2) / 5.
    assert measured.overall.metrics.values() == {
        "auc_pr_nonfactual": pytest.approx(100.0),
        "auc_pr_factual": pytest.approx(100.0),
        "accuracy": 75.0,
        "pearson": pytest.approx(100.0),
        "spearman": pytest.approx(100.0),
        "mean_documents": pytest.approx(2.0),
    }
    trivial = measured.overall.baselines[0]
    assert (trivial.origin, trivial.metrics.values()) == (
        Origin.TRIVIAL,
        {"auc_pr_nonfactual": 75.0, "auc_pr_factual": 25.0, "accuracy": 75.0},
    )
    assert sum(baseline.origin is Origin.PUBLISHED for baseline in measured.overall.baselines) == 9


def test_judges_on_record_stand_beside_the_biographies_that_they_saw() -> None:
    truths = [
        PassageTruth((Factuality.ACCURATE, Factuality.MAJOR), {"nli": (0.3, 0.2)}),
        PassageTruth((Factuality.MINOR,), {}),
    ]
    answers = [(SentenceAnswer(0.9, True, (1,)), SentenceAnswer(0.4, True, (3,))), (SentenceAnswer(0.2, False, (2,)),)]
    (group,) = measure_passages(truths, answers).groups
    assert (group.name, group.rows) == ("scored by others", 1)
    (recorded,) = group.baselines
    assert (recorded.name, recorded.origin) == ("nli", Origin.RECORDED)
    # The accurate sentence has the higher score: (0, 1), (0, 0), (1, 1/2): 1/4.
    assert recorded.metrics.values()["auc_pr_nonfactual"] == pytest.approx(25.0)
    assert measure_passages(truths[1:], answers[1:]).groups == ()
