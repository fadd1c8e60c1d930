"""Running examinations, which are reused if the model writes a discarded sentence again."""

from __future__ import annotations

import asyncio
import re
import sys
from collections.abc import Callable, Coroutine
from typing import Any

from .examination import Held
from .types import WrittenSentence

_WORD = re.compile(r"\w+")

#: Examines a sentence; its argument is a callback for each correction before its validation.
Examine = Callable[[Callable[[str], None]], Coroutine[Any, Any, WrittenSentence]]


class Examination:
    """The examination of one held sentence, as a task.

    ``on_repair`` is called with each correction. It may be replaced when the examination is reused.
    """

    def __init__(self, held: Held, examine: Examine, on_repair: Callable[[str], None]) -> None:
        self.held = held
        self.correction: str | None = None
        """The newest correction, possibly before its validation."""
        self.on_repair = on_repair
        self.task = asyncio.create_task(examine(self._correct))

    def _correct(self, wording: str) -> None:
        self.correction = wording
        self.on_repair(wording)


class FormerExaminations:
    """Examinations of sentences that were discarded because an earlier one was corrected.

    The model often writes the same sentences again. Their examinations are reused, unless they depend on words that the
    correction removed.
    """

    def __init__(self) -> None:
        self._kept: list[tuple[int, Examination]] = []
        self._ended: list[asyncio.Task[WrittenSentence]] = []
        self._gone: list[tuple[int, set[str]]] = []

    def keep(self, index: int, examination: Examination) -> None:
        """Keep the examination of the sentence at ``index`` running without a callback."""
        examination.on_repair = _ignore
        self._kept.append((index, examination))

    def end_before(self, index: int) -> None:
        """Cancel the examinations of sentences before ``index``, which were not written again."""
        self._ended += [examination.task for place, examination in self._kept if place < index]
        self._kept = [(place, examination) for place, examination in self._kept if place >= index]
        for task in self._ended:
            task.cancel()

    def take_out(self, index: int, former: str, text: str) -> None:
        """Record the words that are lost because ``text`` replaced ``former`` at ``index``."""
        self._gone.append((index, _words_of(former) - _words_of(text)))

    def has(self, index: int) -> bool:
        """Whether the sentence at ``index`` was written before."""
        return any(place == index for place, _ in self._kept)

    def find(self, held: Held, threshold: float) -> Examination | None:
        """Take the examination of the same sentence, if it covered all words that are doubtful now."""
        for kept in self._kept:
            former = kept[1].held
            is_same = (former.sentence.text, former.sentence.kind) == (held.sentence.text, held.sentence.kind)
            if is_same and former.draft.covers(held.draft, threshold):
                self._kept.remove(kept)
                return kept[1]
        return None

    def holds(self, index: int, sentence: WrittenSentence) -> bool:
        """Whether the examination of the sentence at ``index`` depends on no word that was removed before it."""
        asked = [validation.question.text for validation in sentence.validations]
        words = _words_of(" ".join([sentence.text, *asked]))
        return not any(words & gone for place, gone in self._gone if place < index)

    async def end_all(self) -> None:
        """Cancel all unused examinations and ignore their errors."""
        self.end_before(sys.maxsize)
        await asyncio.gather(*self._ended, return_exceptions=True)


def _words_of(text: str) -> set[str]:
    return {word.casefold() for word in _WORD.findall(text)}


def _ignore(wording: str) -> None:
    """The callback of an unused examination."""
