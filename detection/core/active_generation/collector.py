"""Collect the reports of the writer, for callers that need only the result."""

from __future__ import annotations

from .events import DraftsDropped, SentenceHeld, SentenceSettled, WritingEnded, WritingEvent
from .types import WrittenSentence, text_of


class WritingCollector:
    """Pass :meth:`report` to :func:`writer.write`; afterwards this object has the text."""

    def __init__(self) -> None:
        self.sentences: list[WrittenSentence] = []
        """Settled sentences, in order."""
        self.held: dict[int, WrittenSentence] = {}
        """Held sentences, by index."""
        self.end: WritingEnded | None = None
        self.dropped = 0
        """Number of discarded sentences."""

    async def report(self, event: WritingEvent) -> None:
        match event:
            case SentenceHeld():
                self.held[event.index] = event.sentence
            case SentenceSettled():
                self.held.pop(event.index, None)
                self.sentences.append(event.sentence)
            case DraftsDropped():
                gone = [index for index in self.held if index >= event.first]
                self.dropped += len(gone)
                for index in gone:
                    del self.held[index]
            case WritingEnded():
                self.end = event

    @property
    def text(self) -> str:
        """The settled part of the text."""
        return text_of(self.sentences)
