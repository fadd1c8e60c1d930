"""Types of active generation: sentences, validation questions, and their outcomes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum

from ..types import BlockKind, Evidence, Span

#: METHODS D.2: a concept whose least probable token is less probable is validated.
THRESHOLD = 0.55


class SentenceState(StrEnum):
    """How far a sentence of a text that is being written has come."""

    HELD = "held"  # written, and not decided on
    PASSED = "passed"  # the model was sure of every concept in it, so nothing was asked
    CHECKED = "checked"  # what was asked about it was answered with yes
    UNSETTLED = "unsettled"  # something that was asked could not be answered
    REPAIRED = "repaired"  # something was answered with no, and the sentence corrected
    LEFT_OUT = "left_out"  # something was answered with no, and no correction held
    RESTORED = "restored"  # corrected or left out, and its reader had the first version put back
    NOT_CHECKED = "not_checked"


class Answer(StrEnum):
    """The answer to a validation question."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"


class ValidationMode(StrEnum):
    """How the sentences of a text are validated while it is written."""

    SEARCH = "search"
    SELF = "self"  # what the model remembers: weaker
    NONE = "none"


class ConceptChoice(StrEnum):
    """Who says what is worth asking about a sentence."""

    MODEL = "model"
    LOCAL = "local"  # the language pipeline: a call less for each sentence


class Style(StrEnum):
    """How a prompt is answered: with a text, or step by step, one fact a sentence."""

    TEXT = "text"
    STEPS = "steps"


class Ending(StrEnum):
    """Why the writing ended."""

    COMPLETE = "complete"  # the model had no more to say
    LENGTH = "length"
    BUDGET = "budget"
    REPEATED = "repeated"  # the model began to say the same again
    STUCK = "stuck"  # several sentences in a row had to be left out
    REFUSED = "refused"
    EMPTY = "empty"  # the model wrote nothing at all


@dataclass(frozen=True, slots=True)
class Question:
    """A validation question about a concept. ``span`` are the words of the concept, counted in the sentence.

    ``probability`` is that of the least probable token of these words; None where no probabilities are told.
    """

    concept: str
    span: Span
    text: str
    probability: float | None


@dataclass(frozen=True, slots=True)
class Validation:
    """A question, the answer, and what it rests on. ``reason`` is the model's, in a sentence."""

    question: Question
    answer: Answer
    reason: str
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True)
class WrittenSentence:
    """A sentence of the text. ``lead`` is what stands between it and the one before: space, the marker of an item.

    ``first_version`` is what the model wrote first; ``text`` is what the text goes on from, and "" for a sentence that
    was left out. ``reason`` says why a sentence was not checked, or left out. ``correction`` is what stood in the place
    of a first version that was put back; "" where it had been left out.
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
        """What it adds to the text."""
        return self.lead + self.text if self.text else ""

    @property
    def refutations(self) -> tuple[Validation, ...]:
        """What was found wrong with it."""
        return tuple(validation for validation in self.validations if validation.answer is Answer.NO)


def text_of(sentences: Iterable[WrittenSentence]) -> str:
    """The text that the sentences make."""
    return "".join(sentence.written for sentence in sentences)


@dataclass(frozen=True, slots=True)
class WritingOptions:
    """How closely a text is looked at. ``most_concepts`` of a sentence are validated where no probabilities are told;
    None is all of them.
    """

    mode: ValidationMode = ValidationMode.SELF
    concepts: ConceptChoice = ConceptChoice.MODEL
    threshold: float = THRESHOLD
    most_concepts: int | None = None
    drafts_ahead: bool = True
    """Whether the sentences that follow are written and validated while one is; a repair throws them away. Otherwise
    each sentence is asked for when the one before is settled."""
    most_characters: int = 20_000
    most_sentences: int | None = None


@dataclass(frozen=True, slots=True)
class WritingRequest:
    """A prompt to write a text for. ``written`` is what an earlier run has settled: the text goes on from there."""

    prompt: str
    topic: str | None = None
    style: Style = Style.TEXT
    written: tuple[WrittenSentence, ...] = ()
    options: WritingOptions = field(default_factory=WritingOptions)
