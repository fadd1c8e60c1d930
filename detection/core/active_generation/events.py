"""What is reported while a text is written. A sentence is held first, and then settled, or dropped."""

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
    """It is clear what becomes of a sentence: its state says what."""

    index: int
    sentence: WrittenSentence


@dataclass(frozen=True, slots=True)
class DraftsDropped:
    """The sentences from ``first`` on were written after one that was changed: they are thrown away."""

    first: int


@dataclass(frozen=True, slots=True)
class WritingEnded:
    """No more is written. ``reason`` is a sentence for the reader."""

    ending: Ending
    reason: str


WritingEvent = SentenceHeld | SentenceSettled | DraftsDropped | WritingEnded

#: What it raises ends the writing.
Report = Callable[[WritingEvent], Awaitable[None]]
