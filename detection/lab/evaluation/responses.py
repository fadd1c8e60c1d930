"""Sets ``conli-*``: is a response hallucinated, given its source? One label for a whole response (METHODS B)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial

from detection.core.detectors.grounding import Grounding
from detection.core.ports import Ports
from detection.core.types import Engine

from .base import Baseline, Conditions, EvaluationSet, Group, Judges, Measured, Origin
from .checked import CheckJudge, CheckQuestion
from .metrics import Counts, ResponseMetrics, percentage
from .rows import Fields, Row, read_rows

_NO_FIGURES = "The CoNLI paper's figures for these sets are images and not in its text: there are none to print beside."


@dataclass(frozen=True, slots=True)
class ResponseQuestion:
    """A response, as a text and as its sentences, and its source."""

    source: str
    response: str
    sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ResponseTruth:
    hallucinated: bool


@dataclass(frozen=True, slots=True)
class ResponseAnswer:
    """``checked`` of ``sentences`` could be judged."""

    hallucinated: bool
    checked: int
    sentences: int


@dataclass(frozen=True, slots=True)
class ResponseJudge:
    """A response is hallucinated when the detector warns of one of its sentences.

    The engine is that of the ports.
    """

    ports: Ports
    conditions: Conditions = field(default_factory=Conditions)

    async def judge(self, questions: Sequence[ResponseQuestion]) -> list[ResponseAnswer]:
        judge = CheckJudge(self.ports, Grounding.id, self.conditions)
        answers = await judge.judge([CheckQuestion(question.response, question.source) for question in questions])
        return [ResponseAnswer(answer.is_unsupported, answer.checked, len(answer.sentences)) for answer in answers]


def read_response(fields: Fields) -> Row[ResponseQuestion, ResponseTruth]:
    question = ResponseQuestion(fields.text("source"), fields.text("response"), fields.texts("sentences"))
    return Row(question, ResponseTruth(fields.flag("hallucinated")))


def measure_responses(truths: Sequence[ResponseTruth], answers: Sequence[ResponseAnswer]) -> Measured:
    checked = percentage(sum(answer.checked for answer in answers), sum(answer.sentences for answer in answers))
    metrics = response_metrics(truths, [answer.hallucinated for answer in answers], checked)
    baselines = (_always(truths, "all consistent", False), _always(truths, "all hallucinated", True))
    return Measured(Group("all", len(truths), metrics, baselines), notes=(_NO_FIGURES,))


def response_metrics(
    truths: Sequence[ResponseTruth], predicted: Sequence[bool], checked: float | None = None
) -> ResponseMetrics:
    counts = Counts.of([truth.hallucinated for truth in truths], predicted)
    return ResponseMetrics(
        macro_f1=(counts.f1 + counts.of_no.f1) / 2,
        f1_hallucinated=counts.f1,
        f1_consistent=counts.of_no.f1,
        balanced_accuracy=(counts.recall + counts.of_no.recall) / 2,
        checked=checked,
    )


def _always(truths: Sequence[ResponseTruth], name: str, hallucinated: bool) -> Baseline:
    return Baseline(name, Origin.TRIVIAL, response_metrics(truths, [hallucinated] * len(truths)))


def judges_at(conditions: Conditions) -> Judges[ResponseQuestion, ResponseAnswer]:
    judge = partial(ResponseJudge, conditions=conditions)
    return {Engine.LOCAL: {"nli": judge}, Engine.LLM: {"chain": judge}}


def _conli(name: str, file: str) -> EvaluationSet[ResponseQuestion, ResponseTruth, ResponseAnswer]:
    return EvaluationSet(
        name=name,
        load=partial(read_rows, name=file, read=read_response),
        judges=judges_at(Conditions()),
        judges_at=judges_at,
        has_levels=True,
        measure=measure_responses,
        chunk=8,
    )


CONLI_SUMMEVAL = _conli("conli-summeval", "conli_summeval")
CONLI_QAGS_CNNDM = _conli("conli-qags-cnndm", "conli_qags_cnndm")
CONLI_QAGS_XSUM = _conli("conli-qags-xsum", "conli_qags_xsum")
