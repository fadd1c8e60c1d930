"""Reports of the writer. A sentence is first held, then settled or dropped."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from .types import Ending, WrittenSentence


@dataclass(frozen=True, slots=True)
class SentenceHeld:
    """A sentence is written, and validated now. ``index`` counts all sentences, those that are left out as well."""

    index: int
    sentence: WrittenSentence


@dataclass(frozen=True, slots=True)
class SentenceSettled:
    """The outcome of a sentence is final: ``state`` holds it."""

    index: int
    sentence: WrittenSentence


@dataclass(frozen=True, slots=True)
class DraftsDropped:
    """The sentences from ``first`` on followed a sentence that was changed, and are discarded."""

    first: int


@dataclass(frozen=True, slots=True)
class WritingEnded:
    """The writing has ended. ``reason`` is a sentence for the reader."""

    ending: Ending
    reason: str


WritingEvent = SentenceHeld | SentenceSettled | DraftsDropped | WritingEnded

#: What it raises ends the writing.
Report = Callable[[WritingEvent], Awaitable[None]]
