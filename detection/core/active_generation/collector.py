"""Collects the reports of the writer, for callers that need the result and not the stream."""

from __future__ import annotations

from .events import DraftsDropped, SentenceHeld, SentenceSettled, WritingEnded, WritingEvent
from .types import WrittenSentence, text_of


class WritingCollector:
    """Pass :meth:`report` to :func:`writer.write`; afterwards the text is here."""

    def __init__(self) -> None:
        self.sentences: list[WrittenSentence] = []
        """Those that are settled, in order."""
        self.held: dict[int, WrittenSentence] = {}
        """Those that are not, by index."""
        self.end: WritingEnded | None = None
        self.dropped = 0
        """How many sentences were written in vain."""

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
        """The text as far as it is settled."""
        return text_of(self.sentences)
