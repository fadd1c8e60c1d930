"""The stored forms of the questions about written sentences, and of the check of a premise."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from ..core.active_generation.premise import PremiseCheck
from ..core.active_generation.types import Answer, Question, Validation
from .codec import Codec, Formed, Pair
from .evidence import FormedEvidence


@dataclass(frozen=True, slots=True)
class _ValidationForm:
    concept: str
    span: Pair
    probability: float | None
    text: Annotated[str, Field(alias="question")]
    answer: Answer
    reason: str
    evidence: tuple[FormedEvidence, ...]


VALIDATIONS: Codec[tuple[Validation, ...]] = Codec(
    tuple[Annotated[Validation, Formed(_ValidationForm, flat={"question": Question})], ...]
)


@dataclass(frozen=True, slots=True)
class _PremiseForm:
    question: str
    answer: Answer
    assumption: str
    reason: str
    evidence: tuple[FormedEvidence, ...]
    rectified: str


PREMISE: Codec[PremiseCheck] = Codec(Annotated[PremiseCheck, Formed(_PremiseForm)])
