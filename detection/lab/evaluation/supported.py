"""Sets ``ragtruth-qa``, ``faithbench``, ``storysumm`` and ``factscore``: does a response agree with its source?

A response is called bad if one of its sentences has a warning that it does not agree with the source.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from detection.core.types import Span

from .base import Baseline, Conditions, EvaluationSet, Measured, Origin
from .checked import UNSUPPORTED, CheckAnswer, CheckQuestion, joined, source_judges
from .rows import Fields, Row, read_rows
from .tallies import Figures, Formula, Tally, balanced_accuracy, f1, figures, measure, share

#: Between the sections of an encyclopedia article in ``factscore``.
_SECTION_BREAK = "####SPECIAL####SEPARATOR####"

#: A system on record in ``faithbench`` calls a summary good from this score on.
_GOOD_FROM = 0.5
_RECORDED = {"gpt_4o": "GPT-4o", "gpt-4-turbo": "GPT-4-turbo", "gpt-3.5-turbo": "GPT-3.5-turbo", "hhemv1": "HHEM-1"}
_RECORDED |= {"hhem-2.1": "HHEM-2.1", "hhem-2.1-english": "HHEM-2.1 English", "trueteacher": "TrueTeacher"}

#: RAGTruth (Niu et al. 2024) and Granite's card: questions and answers, response level, on the test part.
_PUBLISHED_RAGTRUTH = {"GPT-4-turbo": 45.6, "Llama-2-13B, fine-tuned": 68.2, "Granite with LoRA": 72.2}

_BALANCED = balanced_accuracy("found", "bad", "passed", "good")
_RESPONSES: dict[str, Formula] = {
    "balanced_accuracy": _BALANCED,
    "recall": share("found", "bad"),
    "passed": share("passed", "good"),
}
_RAGTRUTH: dict[str, Formula] = {
    "f1": f1("found", "predicted", "bad"),
    "precision": share("found", "predicted"),
    "recall": share("found", "bad"),
    "span_f1": f1("marked_bad", "marked", "characters"),
    "sentence_span_f1": f1("flagged_bad", "flagged", "characters"),
    "balanced_accuracy": _BALANCED,
}
_SPAN_NOTE = (
    "span_f1 counts the characters that are marked as wrong, sentence_span_f1 those of whole sentences with a warning, "
    "against the characters that people marked. The published figures are for the test part, which is kept apart here."
)
_CLAIMS_NOTE = (
    "The claims of a biography are checked as one text against the person's encyclopedia article; a row is one text."
)


@dataclass(frozen=True, slots=True)
class ResponseTruth:
    """``spans`` are the parts that people marked in a bad response; ``recorded`` names those that called it good."""

    source: str
    model: str
    is_bad: bool
    spans: tuple[Span, ...] = ()
    recorded: Mapping[str, bool] = field(default_factory=dict)
    groups: tuple[str, ...] = ()


ResponseRow = Row[CheckQuestion, ResponseTruth]


def read_response(fields: Fields) -> ResponseRow:
    truth = ResponseTruth(
        source=fields.text("group"),
        model=fields.text("model"),
        is_bad=fields.number("label") == 1,
        spans=fields.spans("spans"),
        recorded={name: score >= _GOOD_FROM for name, score in fields.numbers("detectors").items()},
        groups=(f"model: {fields.text('model')}",),
    )
    return Row(CheckQuestion(fields.text("response"), fields.text("source")), truth)


# --- Responses as a whole ---------------------------------------------------------------------------------------


def measure_responses(truths: Sequence[ResponseTruth], answers: Sequence[CheckAnswer]) -> Measured:
    """Balanced accuracy of all responses, and by the model that wrote them."""
    tallies = [_tally(truth, answer.is_unsupported) for truth, answer in zip(truths, answers, strict=True)]
    return measure(tallies, _RESPONSES, rows=len(tallies), baselines=(*_recorded(truths), _always_bad(truths)))


def _tally(truth: ResponseTruth, is_called_bad: bool, others: Mapping[str, float] | None = None) -> Tally:
    counts = outcome(truth.is_bad, is_called_bad)
    return Tally(truth.source, {**counts, **(others or {})}, truth.groups)


def outcome(is_bad: bool, is_called_bad: bool) -> dict[str, float]:
    """The counts of one item by its label and its verdict."""
    return {
        "bad": is_bad,
        "good": not is_bad,
        "predicted": is_called_bad,
        "found": is_bad and is_called_bad,
        "passed": not is_bad and not is_called_bad,
    }


def _recorded(truths: Sequence[ResponseTruth]) -> list[Baseline]:
    """The systems on record that judged all of the responses."""
    return [
        Baseline(_RECORDED[name], Origin.RECORDED, _figures_of(truths, [not truth.recorded[name] for truth in truths]))
        for name in _RECORDED
        if all(name in truth.recorded for truth in truths)
    ]


def _always_bad(truths: Sequence[ResponseTruth]) -> Baseline:
    return Baseline("always bad", Origin.TRIVIAL, _figures_of(truths, [True] * len(truths)))


def _figures_of(truths: Sequence[ResponseTruth], called_bad: Sequence[bool]) -> Figures:
    """What answers to whole responses reach."""
    tallies = [_tally(truth, is_called_bad) for truth, is_called_bad in zip(truths, called_bad, strict=True)]
    return figures(tallies, {**_RAGTRUTH, **_RESPONSES}, intervals=False)


# --- RAGTruth: also the characters ------------------------------------------------------------------------------


def measure_ragtruth(truths: Sequence[ResponseTruth], answers: Sequence[CheckAnswer]) -> Measured:
    """F1 of responses and of characters, of all and by the model that wrote them."""
    tallies = [
        _tally(truth, answer.is_unsupported, _characters(truth, answer))
        for truth, answer in zip(truths, answers, strict=True)
    ]
    published = [
        Baseline(name, Origin.PUBLISHED, Figures({"f1": value})) for name, value in _PUBLISHED_RAGTRUTH.items()
    ]
    baselines = (*published, _always_bad(truths))
    return measure(tallies, _RAGTRUTH, rows=len(tallies), notes=(_SPAN_NOTE,), baselines=baselines)


def _characters(truth: ResponseTruth, answer: CheckAnswer) -> dict[str, float]:
    wrong = _places(truth.spans)
    marked = _places([finding.span for finding in answer.findings])
    flagged = _places([answer.sentences[finding.sentence].span for finding in answer.findings])
    return {
        "characters": len(wrong),
        "marked": len(marked),
        "marked_bad": len(marked & wrong),
        "flagged": len(flagged),
        "flagged_bad": len(flagged & wrong),
    }


def _places(spans: Sequence[Span]) -> set[int]:
    return {place for span in spans for place in range(span.start, span.end)}


# --- FActScore: claim by claim ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ClaimsTruth:
    """The span of each claim, and whether the source supports it."""

    source: str
    model: str
    spans: tuple[Span, ...]
    are_bad: tuple[bool, ...]


def read_claims(fields: Fields) -> Row[CheckQuestion, ClaimsTruth] | None:
    claims = fields.labelled("claims")
    if not claims:
        return None
    text, spans = joined([claim for claim, _ in claims])
    are_bad = tuple(label != "entailment" for _, label in claims)
    truth = ClaimsTruth(fields.text("group"), fields.text("model"), spans, are_bad)
    return Row(CheckQuestion(text, fields.text("source").replace(_SECTION_BREAK, " ")), truth)


def measure_claims(truths: Sequence[ClaimsTruth], answers: Sequence[CheckAnswer]) -> Measured:
    """Balanced accuracy of all claims, and by the model that wrote the biographies."""
    tallies = [
        Tally(truth.source, outcome(is_bad, answer.verdict_at(span) in UNSUPPORTED), (f"model: {truth.model}",))
        for truth, answer in zip(truths, answers, strict=True)
        for span, is_bad in zip(truth.spans, truth.are_bad, strict=True)
    ]
    always = [Tally(truth.source, outcome(is_bad, True)) for truth in truths for is_bad in truth.are_bad]
    baseline = Baseline("always bad", Origin.TRIVIAL, figures(always, _RESPONSES, intervals=False))
    return measure(tallies, _RESPONSES, rows=len(truths), notes=(_CLAIMS_NOTE,), baselines=(baseline,))


# --- The sets ---------------------------------------------------------------------------------------------------


def _responses(
    name: str, measure_answers: Callable[[Sequence[ResponseTruth], Sequence[CheckAnswer]], Measured]
) -> EvaluationSet[CheckQuestion, ResponseTruth, CheckAnswer]:
    return EvaluationSet(
        name=name,
        load=partial(read_rows, name=name.replace("-", "_"), read=read_response),
        judges=source_judges(Conditions()),
        judges_at=source_judges,
        measure=measure_answers,
        chunk=4,
        has_levels=True,
    )


RAGTRUTH_QA = _responses("ragtruth-qa", measure_ragtruth)
FAITHBENCH = _responses("faithbench", measure_responses)
STORYSUMM = _responses("storysumm", measure_responses)
FACTSCORE = EvaluationSet(
    name="factscore",
    load=partial(read_rows, name="factscore_qcnli", read=read_claims),
    judges=source_judges(Conditions()),
    judges_at=source_judges,
    measure=measure_claims,
    chunk=2,
    has_levels=True,
)
