"""Views of a text that is checked while a model writes it, and of a question with a false premise."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from .. import wording
from ..core.active_generation.types import Answer, SentenceState, Validation
from ..core.language.code_blocks import CodeBlock, code_block_of
from ..core.reasons import Reason, is_reason
from ..core.rewriting import revise
from ..core.rewriting.revise import DiffPart
from ..core.types import BlockKind, Evidence
from ..models import WrittenSentence
from ..storage.generation import PREMISE
from .quotes import QuoteView

#: The reason of a sentence with nothing to ask about.
_NOTHING_TO_ASK = (Reason.IS_HEADING, Reason.IS_CODE, Reason.IS_TABLE_ROW, Reason.STATES_NO_FACT)

#: Turns evidence into a view.
ShowQuote = Callable[[Evidence], QuoteView]


@dataclass(frozen=True, slots=True)
class ValidationView:
    """One question about a sentence, and the answer with its evidence."""

    concept: str
    question: str
    sure: str
    """The model's probability of these words; "" if unknown."""
    answer: str
    reason: str
    is_refuted: bool
    quotes: tuple[QuoteView, ...]


@dataclass(frozen=True, slots=True)
class WrittenView:
    """A sentence that a model wrote, in its present state."""

    index: int
    lead: str
    text: str
    first_version: str
    parts: tuple[DiffPart, ...]
    """The changes from the first version, if any; for a restored first version, those from the correction."""
    state: str
    label: str
    reason: str
    had_something_to_ask: bool
    """False if it has nothing to ask about."""
    validations: tuple[ValidationView, ...]
    written_before: tuple[int, ...]
    """Numbers of the later sentences that were settled before the reader chose its wording."""
    has_correction: bool
    """Whether the restored first version had been corrected rather than left out."""
    settled_behind: int
    """Number of later sentences that are settled and based on its wording."""
    code: CodeBlock | None
    """The kind of a block that is no sentence, such as code."""

    @property
    def is_restored(self) -> bool:
        return self.state == SentenceState.RESTORED

    @property
    def is_decided(self) -> bool:
        """Whether it was found wrong and its replacement is settled."""
        return self.is_restored or self.state in (SentenceState.REPAIRED, SentenceState.LEFT_OUT)

    @property
    def is_told_of(self) -> bool:
        """Whether it has more details than that there was nothing to ask."""
        is_unchecked = self.state == SentenceState.NOT_CHECKED and self.had_something_to_ask
        return bool(self.validations) or self.is_decided or is_unchecked

    @property
    def refutations(self) -> tuple[ValidationView, ...]:
        """The validations that found it wrong."""
        return tuple(validation for validation in self.validations if validation.is_refuted)

    @property
    def number(self) -> int:
        return self.index + 1

    @property
    def is_changed(self) -> bool:
        return bool(self.parts)


@dataclass(frozen=True, slots=True)
class PremiseView:
    """A question with a false premise, and a corrected question."""

    question: str
    assumption: str
    reason: str
    rectified: str
    quotes: tuple[QuoteView, ...]


def written_views(rows: Sequence[WrittenSentence], show: ShowQuote) -> tuple[WrittenView, ...]:
    """The sentences in their order."""
    views: list[WrittenView] = []
    settled = [row.index for row in rows if row.state != SentenceState.HELD]
    for row in rows:
        view = _written_view(row, show, settled_behind=sum(index > row.index for index in settled))
        # A block of code has its own element: the empty lines around it are not shown.
        is_behind_code = bool(views) and views[-1].code is not None
        views.append(replace(view, lead=view.lead.lstrip("\n")) if is_behind_code else view)
    return tuple(views)


def counts_of_written(sentences: Iterable[WrittenView]) -> tuple[str, ...]:
    """The number of sentences in each state, one line each."""
    numbers = Counter(sentence.state for sentence in sentences)
    return tuple(
        f"{wording.count_of(numbers[state], 'sentence')}: {label}"
        for state, label in wording.SENTENCE_STATE_LABELS.items()
        if numbers[state]
    )


def _written_view(row: WrittenSentence, show: ShowQuote, *, settled_behind: int) -> WrittenView:
    value = row.as_value()
    other = value.first_version if value.state is not SentenceState.RESTORED else value.correction
    is_changed = value.text != other
    return WrittenView(
        index=row.index,
        lead=value.lead,
        text=value.text,
        first_version=value.first_version,
        parts=revise.diff(other, value.text) if is_changed else (),
        state=value.state,
        label=_label(value.state, is_changed=is_changed),
        reason=wording.reason_words(value.reason),
        had_something_to_ask=not is_reason(value.reason, *_NOTHING_TO_ASK),
        validations=tuple(_validation_view(validation, show) for validation in value.validations),
        written_before=tuple(range(row.index + 2, (row.chosen_at or 0) + 1)),
        has_correction=bool(value.correction),
        settled_behind=settled_behind,
        code=code_block_of(value.text) if value.kind is BlockKind.CODE else None,
    )


def premise_view(stored: dict[str, Any], show: ShowQuote) -> PremiseView:
    premise = PREMISE.from_json(stored)
    return PremiseView(
        question=premise.question,
        assumption=premise.assumption,
        reason=wording.reason_words(premise.reason),
        rectified=premise.rectified,
        quotes=tuple(map(show, premise.evidence)),
    )


def _label(state: SentenceState, *, is_changed: bool) -> str:
    if state is SentenceState.HELD and is_changed:
        return str(wording.CORRECTION_HELD)
    return str(wording.SENTENCE_STATE_LABELS[state])


def _validation_view(validation: Validation, show: ShowQuote) -> ValidationView:
    probability = validation.question.probability
    return ValidationView(
        concept=validation.question.concept,
        question=validation.question.text,
        sure="" if probability is None else wording.percent(probability),
        answer=str(wording.ANSWER_LABELS[validation.answer]),
        reason=wording.reason_words(validation.reason),
        is_refuted=validation.answer is Answer.NO,
        quotes=tuple(map(show, validation.evidence)),
    )
