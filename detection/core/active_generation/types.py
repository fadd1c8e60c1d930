"""Types of active generation: sentences, validation questions, and their outcomes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum

from ..types import BlockKind, Evidence, Span

#: METHODS D.2: a concept whose least probable token is below this is validated.
THRESHOLD = 0.55


class SentenceState(StrEnum):
    """The state of a generated sentence."""

    HELD = "held"  # generated but undecided
    PASSED = "passed"  # the model was sure of every concept, so none was validated
    CHECKED = "checked"  # every question was answered with yes
    UNSETTLED = "unsettled"  # a question could not be answered
    REPAIRED = "repaired"  # a question was answered with no, and the sentence was corrected
    LEFT_OUT = "left_out"  # a question was answered with no, and no correction held
    RESTORED = "restored"  # corrected or left out, then restored by the reader
    NOT_CHECKED = "not_checked"


class Answer(StrEnum):
    """The answer to a validation question."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"


class ValidationMode(StrEnum):
    """How sentences are validated during the generation."""

    SEARCH = "search"
    SELF = "self"  # the memory of the model: weaker
    NONE = "none"


class ConceptChoice(StrEnum):
    """What chooses the concepts of a sentence to validate."""

    MODEL = "model"
    LOCAL = "local"  # the language pipeline: saves a call for each sentence


class Style(StrEnum):
    """How a prompt is answered: with a text, or step by step, one fact a sentence."""

    TEXT = "text"
    STEPS = "steps"


class Ending(StrEnum):
    """Why the generation ended."""

    COMPLETE = "complete"  # the model finished
    LENGTH = "length"
    BUDGET = "budget"
    REPEATED = "repeated"  # the model began to repeat itself
    STUCK = "stuck"  # several sentences in a row had to be left out
    REFUSED = "refused"
    EMPTY = "empty"  # the model wrote nothing at all


@dataclass(frozen=True, slots=True)
class Question:
    """A validation question about a concept. ``span`` is the position of the concept in the sentence.

    ``probability`` is that of the least probable token of these words; None if unknown.
    """

    concept: str
    span: Span
    text: str
    probability: float | None


@dataclass(frozen=True, slots=True)
class Validation:
    """A question, the answer, and its evidence. ``reason`` is a sentence of the model."""

    question: Question
    answer: Answer
    reason: str
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True)
class WrittenSentence:
    """A sentence of the text. ``lead`` is the text between it and the previous one: space, the marker of an item.

    ``first_version`` is the original of the model; ``text`` is the version in the text, "" for an omitted sentence.
    ``reason`` says why a sentence was not checked or was left out. ``correction`` is the correction that a restored
    first version replaced; "" if the sentence had been left out.
    """

    lead: str
    text: str
    first_version: str
    kind: BlockKind
    state: SentenceState
    reason: str = ""
    validations: tuple[Validation, ...] = ()
    correction: str = ""

    @property
    def written(self) -> str:
        """The characters that it adds to the text."""
        return self.lead + self.text if self.text else ""

    @property
    def refutations(self) -> tuple[Validation, ...]:
        """The validations that refuted it."""
        return tuple(validation for validation in self.validations if validation.answer is Answer.NO)


def text_of(sentences: Iterable[WrittenSentence]) -> str:
    """The text of the sentences."""
    return "".join(sentence.written for sentence in sentences)


@dataclass(frozen=True, slots=True)
class WritingOptions:
    """How strictly a text is examined. Without token probabilities, ``most_concepts`` of a sentence are validated; None
    means all.
    """

    mode: ValidationMode = ValidationMode.SELF
    concepts: ConceptChoice = ConceptChoice.MODEL
    threshold: float = THRESHOLD
    most_concepts: int | None = None
    drafts_ahead: bool = True
    """Whether following sentences are generated and validated during an examination; a repair discards them. Otherwise
    each sentence is requested after the previous one is settled."""
    most_characters: int = 20_000
    most_sentences: int | None = None


@dataclass(frozen=True, slots=True)
class WritingRequest:
    """A prompt to write a text for. ``written`` has the settled sentences of an earlier run, to be continued."""

    prompt: str
    topic: str | None = None
    style: Style = Style.TEXT
    written: tuple[WrittenSentence, ...] = ()
    options: WritingOptions = field(default_factory=WritingOptions)
