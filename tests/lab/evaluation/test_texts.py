"""The paper's definitions for whole texts, on invented texts with manual counts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from detection.core.llm.client import Endpoint, ModelClient
from detection.core.local_models.process import InProcessModels
from detection.core.ports import Ports
from detection.core.self_contradiction.model import Contradictions
from detection.lab.evaluation.base import Measured
from detection.lab.evaluation.text_judges import (
    PipelineTextJudge,
    ScoringTextJudge,
    TextAnswer,
    TextQuestion,
    TriggeringTextJudge,
)
from detection.lab.evaluation.texts import load_texts, measure_texts
from detection.lab.evaluation.triggers import Trigger, continuation, questions_and_answers, rephrasing
from tests.fakes.model_server import Asked, ModelServer, Reply, Script
from tests.fakes.scripts import contradicting

from .conftest import TEXT_PAIRS, TEXTS, WriteRows


@pytest.fixture
def folder(write_rows: WriteRows) -> Path:
    write_rows("chatprotect_pairs", TEXT_PAIRS)
    return write_rows("chatprotect_texts", TEXTS)


def measured(folder: Path, *answers: TextAnswer) -> Measured:
    return measure_texts([row.truth for row in load_texts(folder)], answers)


def answer(flagged: Iterable[int], *sentences: str) -> TextAnswer:
    return TextAnswer(frozenset(flagged), sentences)


def test_a_judge_is_shown_no_label() -> None:
    assert {field.name for field in fields(TextQuestion)} == {"topic", "prompt", "text", "sentences"}


def test_sentences_are_found_and_removed_as_the_paper_counts(folder: Path) -> None:
    # Sentence 1 is contradicted; 0 has two facts, 2 has one; the revision keeps 0 and rewords 1.
    metrics = measured(
        folder, answer([1, 2], TEXTS[0]["sentences"][0], "She was born in the thirties.")
    ).overall.metrics
    assert metrics.values() | {"f1_low": 0, "f1_high": 0} == {
        "precision": 50.0,
        "recall": 100.0,
        "f1": pytest.approx(200 / 3),
        "f1_low": 0,
        "f1_high": 0,
        "found": pytest.approx(200 / 3),
        "removed": 100.0,
        "facts_kept": pytest.approx(200 / 3),
        "new": 50.0,
    }


def test_a_wording_that_people_called_contradictory_is_not_removed(folder: Path) -> None:
    relapse = "Marta Lindqvist was born in spring 1932."
    metrics = measured(folder, answer([1], TEXTS[0]["sentences"][0], relapse)).overall.metrics.values()
    assert (metrics["removed"], metrics["new"]) == (0.0, 0.0)


def test_a_judge_that_does_not_revise_has_no_figures_for_it(folder: Path) -> None:
    metrics = measured(folder, TextAnswer(frozenset([1]))).overall.metrics.values()
    assert metrics["precision"] == 100.0
    assert not {"removed", "facts_kept", "new"} & metrics.keys()


def test_recorded_revisions_stand_beside(folder: Path) -> None:
    (group,) = measured(folder, TextAnswer(frozenset())).groups
    recorded = {
        baseline.name: baseline.metrics.values() for baseline in group.baselines if baseline.origin == "recorded"
    }
    assert recorded["chatgpt"]["removed"] == 100.0
    assert recorded["chatgpt"]["facts_kept"] == 100.0
    assert recorded["chatgpt"]["recall"] == 100.0
    assert recorded["chatgpt, iteration1"] == {"removed": 0.0, "facts_kept": 100.0, "new": 0.0}


# --- Judges -------------------------------------------------------------------------------------------------------

QUESTION = TextQuestion(
    "the mill",
    "Please tell me about the mill",
    "The mill was built in 1894 by Ada Lind. It has twelve rooms.",
    ("The mill was built in 1894 by Ada Lind.", "It has twelve rooms."),
)


async def ask(
    script: Script, local_models: InProcessModels, make: Any, **options: Any
) -> tuple[TextAnswer, list[Asked]]:
    with ModelServer(script).running() as server:
        async with ModelClient(Endpoint(server.base_url, "key", 10, 20)) as client:
            models = Contradictions(client, generator="generator", analyzer="analyzer")
            (given,) = await make(Ports(local_models, models, client=client), **options).judge([QUESTION])
        return given, server.asked


async def test_the_product_flags_and_revises(local_models: InProcessModels) -> None:
    given, _ = await ask(contradicting, local_models, PipelineTextJudge)
    assert given == TextAnswer(frozenset([0]), ("The mill was built by Ada Lind.", "It has twelve rooms."))


def triggered(asked: Asked) -> Reply:
    """Answers 1849 to every prompt for the sentence."""
    if asked.last.startswith("Text: ") and asked.last.endswith("Next sentence:"):
        return Reply(("The mill was built in 1849.",) * asked.samples)
    if "Rephrase this" in asked.last:
        return Reply(("It was built in 1849, the mill.",))
    if "Write one question" in asked.last:
        return Reply(("When was the mill built?" if "1894" in asked.last else "How many rooms has it?",))
    if "Answer this question" in asked.last:
        return Reply(("The mill was built in 1849." if "When" in asked.last else "It has rooms.",))
    return contradicting(asked)


@pytest.mark.parametrize("trigger", [continuation, rephrasing, questions_and_answers])
async def test_other_triggers_lead_to_the_same_comparison(local_models: InProcessModels, trigger: Trigger) -> None:
    given, asked = await ask(triggered, local_models, TriggeringTextJudge, trigger=trigger)
    assert 0 in given.flagged
    assert given.sentences is None
    assert not [question for question in asked if "Fill the gap" in question.last]


@pytest.mark.parametrize(
    ("score", "flagged", "failed"), [("2", {0, 1}, 0), ("Score: 8.5", set(), 0), ("high", set(), 2)]
)
async def test_many_alternatives_give_a_score(
    local_models: InProcessModels, score: str, flagged: set[int], failed: int
) -> None:
    def script(asked: Asked) -> Reply:
        if "from 0 (wrong" in asked.last:
            return Reply((score,))
        if "Fill the gap" in asked.last:
            return Reply(tuple(f"The mill was built in {1800 + number}." for number in range(asked.samples)))
        return Reply(("They differ.",))

    given, asked = await ask(script, local_models, ScoringTextJudge)
    assert (given.flagged, given.failed) == (flagged, failed)
    weighed = [question.last for question in asked if "was written anew several times" in question.last]
    assert all("\n20. " in last for last in weighed)
