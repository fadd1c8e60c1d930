from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest
from pytest_django.fixtures import Settings

from detection.core.comparing.pair_scorer import CONTRADICTORY
from detection.core.local_models.process import InProcessModels
from detection.core.ports import Ports
from detection.lab.evaluation.base import Origin
from detection.lab.evaluation.metrics import PairMetrics
from detection.lab.evaluation.pair_judges import LocalPairJudge, PairAnswer, PairQuestion
from detection.lab.evaluation.pairs import PairTruth, RecordedVerdict, measure_pairs, read_pair
from detection.lab.evaluation.rows import Fields
from detection.lab.training.nli.held_out import HeldOutTopics, save_held_out

from .conftest import PAIRS, pair


@pytest.fixture(autouse=True)
def nli_folder(settings: Settings, tmp_path: Path) -> Path:
    """The folder for the file with the held-out topics of the NLI model; there is none yet."""
    settings.NLI_MODEL = tmp_path
    return tmp_path


def question(original: str, alternative: str) -> PairQuestion:
    return PairQuestion("Sorrel Bridge", "Please tell me about the Sorrel Bridge", "", (), original, alternative)


def truth(contradictory: bool, *, generator: str = "a", topic: str = "x", **said: bool) -> PairTruth:
    verdicts = tuple(RecordedVerdict(judge, answer) for judge, answer in said.items())
    return PairTruth(generator, topic, contradictory, verdicts)


def test_a_judge_is_shown_no_label() -> None:
    shown = {field.name for field in fields(PairQuestion)}
    assert shown == {"topic", "prompt", "prefix", "triple", "original", "alternative"}


def test_only_pairs_that_the_paper_counts_are_read() -> None:
    rows = [read_pair(Fields(row, "here")) for row in PAIRS]
    assert [row is None for row in rows] == [False, False, False, False, True]


def test_recorded_ablations_are_read_as_judges() -> None:
    row = read_pair(
        Fields(pair("A.", "B.", contradictory=True, ablations={"direct": {"score": 0, "contradictory": False}}), "here")
    )
    assert row is not None
    assert row.truth.verdicts == (RecordedVerdict("chatgpt", True), RecordedVerdict("chatgpt, asked directly", False))


def test_figures_are_pooled_and_by_generator() -> None:
    truths = [truth(True), truth(False), truth(True, generator="b", topic="y"), truth(True, generator="b", topic="y")]
    answers = [PairAnswer(0.9, True), PairAnswer(0.7, True), PairAnswer(0.75, True), PairAnswer(0.1, False)]
    measured = measure_pairs(truths, answers)
    metrics = measured.overall.metrics
    assert isinstance(metrics, PairMetrics)
    # 2 of the 3 predicted pairs are contradictory, and 2 of the 3 contradictory pairs are found.
    assert metrics.f1 == metrics.precision == metrics.recall == pytest.approx(200 / 3)
    assert metrics.f1_low == pytest.approx(200 / 3)
    # x has the threshold 0.1, which is best for y, and y has 0.8: 1 of the 2 found is right, 2 are missed.
    assert metrics.f1_cross_validated == pytest.approx(40.0)
    by_name = {group.name: group for group in measured.groups}
    assert {name: group.rows for name, group in by_name.items()} == {"a": 2, "b": 2}
    assert by_name["b"].metrics.values()["precision"] == 100.0
    assert by_name["b"].metrics.values()["recall"] == 50.0
    assert "f1_cross_validated" not in by_name["a"].metrics.values()


def test_topics_that_the_model_has_not_seen_are_a_group_of_their_own(nli_folder: Path) -> None:
    held_out = HeldOutTopics(folds=3, fold=0)
    save_held_out(held_out, nli_folder)
    topics = [f"topic {number}" for number in range(12)]
    new = [topic for topic in topics if topic in held_out]
    assert 0 < len(new) < len(topics)
    # The judge is right about all held-out pairs, and wrong about the others.
    measured = measure_pairs(
        [truth(True, topic=topic) for topic in topics], [PairAnswer(0.5, topic in new) for topic in topics]
    )
    group = measured.groups[-1]
    assert (group.name, group.rows) == ("topics new to the NLI model", len(new))
    assert group.metrics.values()["recall"] == 100.0


def test_a_recorded_judge_stands_beside_groups_that_it_judged_whole() -> None:
    truths = [truth(True, gpt4=True), truth(False, gpt4=True), truth(True, generator="chatgpt")]
    measured = measure_pairs(truths, [PairAnswer(1.0, True)] * 3)
    recorded = {
        group.name: [baseline.name for baseline in group.baselines if baseline.origin is Origin.RECORDED]
        for group in (measured.overall, *measured.groups)
    }
    assert recorded == {"all": [], "a": ["gpt4"], "chatgpt": []}
    assert measured.groups[0].baselines[0].metrics.values()["precision"] == 50.0
    published = [baseline for baseline in measured.groups[1].baselines if baseline.origin is Origin.PUBLISHED]
    assert ("chatgpt", 83.7) in [(baseline.name, baseline.metrics.values()["f1"]) for baseline in published]


async def test_the_local_judge_tells_contradictions_from_other_pairs(local_models: InProcessModels) -> None:
    answers = await LocalPairJudge(Ports(local_models)).judge(
        [
            question("The Sorrel Bridge was opened in May 1911.", "The Sorrel Bridge was opened in October 1925."),
            question("The Sorrel Bridge was opened in May 1911.", "The Sorrel Bridge opened in May 1911."),
            question("The Sorrel Bridge was opened in May 1911.", "The Sorrel Bridge crosses the river Tell."),
        ]
    )
    assert [answer.contradictory for answer in answers] == [True, False, False]
    assert all(answer.contradictory == (answer.score >= CONTRADICTORY) for answer in answers)


async def test_the_same_sentence_twice_is_no_contradiction(local_models: InProcessModels) -> None:
    sentence = "The bridge was never opened, and it was opened in 1911."
    assert await LocalPairJudge(Ports(local_models)).judge([question(sentence, sentence)]) == [PairAnswer(0.0, False)]


async def test_texts_without_a_sentence_are_no_contradiction(local_models: InProcessModels) -> None:
    [answer] = await LocalPairJudge(Ports(local_models)).judge([question("The Sorrel Bridge is long.", " ")])
    assert not answer.contradictory
