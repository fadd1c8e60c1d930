from __future__ import annotations

import pytest

from detection.core.grounding.model import GroundingModel
from detection.core.llm.client import Endpoint, ModelClient
from detection.core.local_models.process import InProcessModels
from detection.core.ports import Ports
from detection.core.types import Engine
from detection.lab.evaluation.metrics import ResponseMetrics
from detection.lab.evaluation.responses import (
    CONLI_SUMMEVAL,
    ResponseAnswer,
    ResponseJudge,
    ResponseQuestion,
    ResponseTruth,
    measure_responses,
)
from tests.fakes.grounding import answering
from tests.fakes.model_server import ModelServer

from .conftest import RESPONSES


def test_figures_by_hand() -> None:
    truths = [ResponseTruth(value) for value in (True, True, True, False, False, False, False, False)]
    said = (True, True, False, True, False, False, False, False)
    measured = measure_responses(truths, [ResponseAnswer(value, checked=1, sentences=2) for value in said])
    metrics = measured.overall.metrics
    assert isinstance(metrics, ResponseMetrics)
    assert metrics.f1_hallucinated == pytest.approx(200 / 3)
    assert metrics.f1_consistent == pytest.approx(80.0)
    assert metrics.macro_f1 == pytest.approx((200 / 3 + 80) / 2)
    assert metrics.balanced_accuracy == pytest.approx((200 / 3 + 80) / 2)
    assert metrics.checked == 50.0


def test_trivial_answers_stand_beside() -> None:
    measured = measure_responses(
        [ResponseTruth(True), ResponseTruth(False), ResponseTruth(False)], [ResponseAnswer(True, 1, 1)] * 3
    )
    figures = {baseline.name: baseline.metrics.values() for baseline in measured.overall.baselines}
    assert figures["all consistent"] == {
        "macro_f1": pytest.approx(40.0),
        "f1_hallucinated": 0.0,
        "f1_consistent": pytest.approx(80.0),
        "balanced_accuracy": 50.0,
    }
    assert figures["all hallucinated"]["macro_f1"] == pytest.approx(25.0)


async def test_the_local_judge_says_what_the_detector_says(local_models: InProcessModels) -> None:
    questions = [
        ResponseQuestion(str(row["source"]), str(row["response"]), (str(row["response"]),)) for row in RESPONSES
    ]
    answers = await ResponseJudge(Ports(local_models)).judge(questions)
    assert answers == [ResponseAnswer(False, 1, 1), ResponseAnswer(True, 1, 1), ResponseAnswer(True, 1, 1)]


async def test_what_could_not_be_judged_is_counted(local_models: InProcessModels) -> None:
    question = ResponseQuestion("The bridge was opened in 1911.", "Who opened the bridge?", ())
    assert await ResponseJudge(Ports(local_models)).judge([question]) == [ResponseAnswer(False, 0, 1)]


async def test_the_same_judge_asks_a_language_model_where_the_ports_have_one(local_models: InProcessModels) -> None:
    questions = [
        ResponseQuestion("The library in Holm was opened in 1931.", response, ())
        for response in ("The library in Holm was opened in 1931.", "The library in Holm was opened in 1941.")
    ]
    with ModelServer(answering).running() as server:
        async with ModelClient(Endpoint(server.base_url, "key", 10, 20)) as client:
            judge = CONLI_SUMMEVAL.judges[Engine.LLM]["chain"](
                Ports(local_models, grounding=GroundingModel(client, "analyzer"))
            )
            answers = await judge.judge(questions)
        assert server.asked
    assert answers == [ResponseAnswer(False, 1, 1), ResponseAnswer(True, 1, 1)]
