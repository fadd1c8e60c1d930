"""Written sentences and the check of a question as JSON and back: what is stored of a text that a model writes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypedDict

from ..core.active_generation.premise import PremiseCheck
from ..core.active_generation.types import Answer, Question, Validation
from ..core.types import Span
from .evidence import EvidenceJson, evidence_from_json, evidence_to_json


class ValidationJson(TypedDict):
    concept: str
    span: list[int]
    question: str
    probability: float | None
    answer: str
    reason: str
    evidence: list[EvidenceJson]


class PremiseJson(TypedDict):
    question: str
    answer: str
    assumption: str
    reason: str
    evidence: list[EvidenceJson]
    rectified: str


def validations_to_json(validations: Iterable[Validation]) -> list[ValidationJson]:
    return [
        ValidationJson(
            concept=validation.question.concept,
            span=[validation.question.span.start, validation.question.span.end],
            question=validation.question.text,
            probability=validation.question.probability,
            answer=validation.answer,
            reason=validation.reason,
            evidence=evidence_to_json(validation.evidence),
        )
        for validation in validations
    ]


def validations_from_json(stored: Iterable[ValidationJson]) -> tuple[Validation, ...]:
    return tuple(
        Validation(
            Question(item["concept"], Span(*item["span"]), item["question"], item["probability"]),
            Answer(item["answer"]),
            item["reason"],
            evidence_from_json(item["evidence"]),
        )
        for item in stored
    )


def premise_to_json(premise: PremiseCheck) -> PremiseJson:
    return PremiseJson(
        question=premise.question,
        answer=premise.answer,
        assumption=premise.assumption,
        reason=premise.reason,
        evidence=evidence_to_json(premise.evidence),
        rectified=premise.rectified,
    )


def premise_from_json(stored: PremiseJson) -> PremiseCheck:
    return PremiseCheck(
        question=stored["question"],
        answer=Answer(stored["answer"]),
        assumption=stored["assumption"],
        reason=stored["reason"],
        evidence=evidence_from_json(stored["evidence"]),
        rectified=stored["rectified"],
    )
