"""What a language model is asked about sentences and sources, and what it says."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Mark(StrEnum):
    """How a premise relates to a hypothesis."""

    ENTAILMENT = "entailment"
    CONTRADICTION = "contradiction"
    NEUTRAL = "neutral"


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """A sentence to be judged. At the entity level the words in question stand in it as ``[ words ]``.

    ``context`` is the sentence before it, where one is needed to tell who or what it speaks of.
    """

    text: str
    context: str = ""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a model says of a hypothesis."""

    mark: Mark
    quotes: tuple[str, ...]
    """The parts of the premise that it rests on, in the model's copy: they may be made up."""
    reason: str
    wrong_words: str = ""
    """The words of the hypothesis that are wrong; empty when none are named."""
    source_words: str = ""
    """The words of the premise that stand against them; empty when none are named."""


@dataclass(frozen=True, slots=True)
class Unjudged:
    """A hypothesis that the model gave no usable judgement of. ``reason`` is for the reader."""

    reason: str


Outcome = Judgement | Unjudged


@dataclass(frozen=True, slots=True)
class Flaw:
    """A sentence of a response that its source does not support. ``sentence`` is its position among those given."""

    sentence: int
    reason: str


@dataclass(frozen=True, slots=True)
class Repair:
    """New wordings of flawed sentences, by position; "" where the source cannot repair it.

    ``keeps_the_rest`` is False when the model changed a sentence that was to stay word for word.
    """

    wordings: dict[int, str]
    keeps_the_rest: bool
