"""Hypotheses for a language model about sentences and sources, and its judgements."""

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
    """A sentence to judge. At the entity level ``[ words ]`` marks the entity.

    ``context`` is the previous sentence if it resolves a pronoun.
    """

    text: str
    context: str = ""


@dataclass(frozen=True, slots=True)
class Judgement:
    """A model's judgement of a hypothesis."""

    mark: Mark
    quotes: tuple[str, ...]
    """The supporting quotes from the premise, as the model copied them; they may be made up."""
    reason: str
    wrong_words: str = ""
    """The wrong words of the hypothesis; empty if none are named."""
    source_words: str = ""
    """The conflicting words of the premise; empty if none are named."""


@dataclass(frozen=True, slots=True)
class Unjudged:
    """A hypothesis without a usable judgement. ``reason`` is for the reader."""

    reason: str


Outcome = Judgement | Unjudged


@dataclass(frozen=True, slots=True)
class Flaw:
    """An unsupported sentence of a response. ``sentence`` is its position in the request."""

    sentence: int
    reason: str


@dataclass(frozen=True, slots=True)
class Repair:
    """New wordings of flawed sentences, by position; "" if the source cannot repair one.

    ``keeps_the_rest`` is False if the model changed a sentence that should stay word for word.
    """

    wordings: dict[int, str]
    keeps_the_rest: bool
