"""Sets ``conli-*``: is a response hallucinated, given its source? One label for a whole response (METHODS B)."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from detection.core import pipeline
from detection.core.collector import Collector
from detection.core.control import never
from detection.core.detectors.base import Ports
from detection.core.detectors.grounding import Grounding
from detection.core.types import Engine, GroundingLevel, SourceText, Strictness, Verdict

from .base import Baseline, EvaluationSet, Group, Judges, Measured, Origin
from .metrics import Counts, ResponseMetrics, percentage
from .rows import Fields, Row, read_rows

ALL_LEVELS = frozenset(GroundingLevel)
_UNSUPPORTED = (Verdict.CONFLICTS_WITH_SOURCE, Verdict.NOT_IN_SOURCE)
_NO_FIGURES = "The CoNLI paper's figures for these sets are images and not in its text: there are none to print beside."


@dataclass(frozen=True, slots=True)
class ResponseQuestion:
    """A response, as a text and as its sentences, and the source that it should keep to."""

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


class ResponseJudge:
    """A response is hallucinated when the detector warns of one of its sentences, at balanced strictness.

    The engine is that of the ports.
    """

    def __init__(self, ports: Ports, *, levels: frozenset[GroundingLevel] = ALL_LEVELS) -> None:
        self._ports = ports
        self._levels = levels

    async def judge(self, questions: Sequence[ResponseQuestion]) -> list[ResponseAnswer]:
        return await asyncio.gather(*map(self._answer, questions))

    async def _answer(self, question: ResponseQuestion) -> ResponseAnswer:
        request = pipeline.CheckRequest(
            text=question.response,
            sources=(SourceText(id="source", name="source", text=question.source),),
            strictness=Strictness.BALANCED,
            detectors=(Grounding.id,),
            levels=self._levels,
        )
        collector = Collector()
        await pipeline.run(request, self._ports, collector.report, cancelled=never)
        verdicts = [collector.verdict(sentence.index) for sentence in collector.sentences]
        return ResponseAnswer(
            hallucinated=any(verdict in _UNSUPPORTED for verdict in verdicts),
            checked=collector.checked,
            sentences=len(verdicts),
        )


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


def judges_at(levels: frozenset[GroundingLevel]) -> Judges[ResponseQuestion, ResponseAnswer]:
    """The judges that look at these levels only."""
    judge = partial(ResponseJudge, levels=levels)
    return {Engine.LOCAL: {"nli": judge}, Engine.LLM: {"chain": judge}}


def _conli(name: str, file: str) -> EvaluationSet[ResponseQuestion, ResponseTruth, ResponseAnswer]:
    return EvaluationSet(
        name=name,
        load=partial(read_rows, name=file, read=read_response),
        judges=judges_at(ALL_LEVELS),
        judges_at=judges_at,
        measure=measure_responses,
        chunk=8,
    )


CONLI_SUMMEVAL = _conli("conli-summeval", "conli_summeval")
CONLI_QAGS_CNNDM = _conli("conli-qags-cnndm", "conli_qags_cnndm")
CONLI_QAGS_XSUM = _conli("conli-qags-xsum", "conli_qags_xsum")
