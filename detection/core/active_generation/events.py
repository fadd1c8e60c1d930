"""Reports of the writer. A sentence is first held, then settled or dropped."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from .types import Ending, WrittenSentence


@dataclass(frozen=True, slots=True)
class SentenceHeld:
    """A sentence was generated and is validated now. ``index`` counts all sentences, including omitted ones."""

    index: int
    sentence: WrittenSentence


@dataclass(frozen=True, slots=True)
class SentenceSettled:
    """The outcome of a sentence is final and stored in ``state``."""

    index: int
    sentence: WrittenSentence


@dataclass(frozen=True, slots=True)
class DraftsDropped:
    """The sentences from ``first`` on are discarded because a sentence before them changed."""

    first: int


@dataclass(frozen=True, slots=True)
class WritingEnded:
    """The generation has ended. ``reason`` is a sentence for the reader."""

    ending: Ending
    reason: str


WritingEvent = SentenceHeld | SentenceSettled | DraftsDropped | WritingEnded

#: An error that it raises ends the generation.
Report = Callable[[WritingEvent], Awaitable[None]]
