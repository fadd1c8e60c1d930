"""Views of a text that is checked while a model writes it, and of a question that waits for a decision."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from . import generation_codec, wording
from .core import revise
from .core.active_generation.types import Answer, SentenceState, Validation
from .core.revise import DiffPart
from .core.types import Evidence
from .models import WrittenSentence

if TYPE_CHECKING:
    from .selectors import QuoteView

#: Makes of evidence what a page shows.
ShowQuote = Callable[[Evidence], "QuoteView"]


@dataclass(frozen=True, slots=True)
class ValidationView:
    """One question about a sentence, and the answer with what it rests on."""

    concept: str
    question: str
    sure: str
    """How sure the model was of these words; "" where that is not told."""
    answer: str
    reason: str
    is_refuted: bool
    quotes: tuple[QuoteView, ...]


@dataclass(frozen=True, slots=True)
class WrittenView:
    """A sentence that a model wrote, as far as it has come."""

    index: int
    lead: str
    text: str
    first_version: str
    parts: tuple[DiffPart, ...]
    """The changes from the first version, where there are any."""
    state: str
    label: str
    reason: str
    validations: tuple[ValidationView, ...]

    @property
    def number(self) -> int:
        return self.index + 1

    @property
    def is_changed(self) -> bool:
        return self.text != self.first_version


@dataclass(frozen=True, slots=True)
class PremiseView:
    """A question that takes something false for granted, and how it could be asked instead."""

    question: str
    assumption: str
    reason: str
    rectified: str
    quotes: tuple[QuoteView, ...]


def written_view(row: WrittenSentence, show: ShowQuote) -> WrittenView:
    value = row.as_value()
    is_changed = value.text != value.first_version
    return WrittenView(
        index=row.index,
        lead=value.lead,
        text=value.text,
        first_version=value.first_version,
        parts=revise.diff(value.first_version, value.text) if is_changed else (),
        state=value.state,
        label=_label(value.state, is_changed=is_changed),
        reason=value.reason,
        validations=tuple(_validation_view(validation, show) for validation in value.validations),
    )


def premise_view(stored: generation_codec.PremiseJson, show: ShowQuote) -> PremiseView:
    premise = generation_codec.premise_from_json(stored)
    return PremiseView(
        question=premise.question,
        assumption=premise.assumption,
        reason=premise.reason,
        rectified=premise.rectified,
        quotes=tuple(map(show, premise.evidence)),
    )


def _label(state: SentenceState, *, is_changed: bool) -> str:
    if state is SentenceState.HELD and is_changed:
        return wording.CORRECTION_HELD
    return wording.SENTENCE_STATE_LABELS[state]


def _validation_view(validation: Validation, show: ShowQuote) -> ValidationView:
    probability = validation.question.probability
    return ValidationView(
        concept=validation.question.concept,
        question=validation.question.text,
        sure="" if probability is None else wording.percent(probability),
        answer=wording.ANSWER_LABELS[validation.answer],
        reason=validation.reason,
        is_refuted=validation.answer is Answer.NO,
        quotes=tuple(map(show, validation.evidence)),
    )
