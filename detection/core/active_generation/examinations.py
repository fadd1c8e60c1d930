"""Examinations under way: one whose sentence was thrown away serves again where the model writes the same once more."""

from __future__ import annotations

import asyncio
import re
import sys
from collections.abc import Callable, Coroutine
from typing import Any

from .examination import Held
from .types import WrittenSentence

_WORD = re.compile(r"\w+")

#: Examines a sentence; is given whom to tell of each correction before that is validated in its turn.
Examine = Callable[[Callable[[str], None]], Coroutine[Any, Any, WrittenSentence]]


class Examination:
    """The examination of one held sentence, as a task.

    ``on_repair`` is told of each correction. Somebody else may be told when the examination changes hands.
    """

    def __init__(self, held: Held, examine: Examine, on_repair: Callable[[str], None]) -> None:
        self.held = held
        self.correction: str | None = None
        """The newest one, also where it is still to be validated."""
        self.on_repair = on_repair
        self.task = asyncio.create_task(examine(self._correct))

    def _correct(self, wording: str) -> None:
        self.correction = wording
        self.on_repair(wording)


class FormerExaminations:
    """Those of sentences that were thrown away because one before them was corrected.

    The model often goes on with the same sentences. What was asked about such a one is asked only once, unless it rests
    on words that the correction has taken out of the text.
    """

    def __init__(self) -> None:
        self._kept: list[tuple[int, Examination]] = []
        self._ended: list[asyncio.Task[WrittenSentence]] = []
        self._gone: list[tuple[int, set[str]]] = []

    def keep(self, index: int, examination: Examination) -> None:
        """Let that of the sentence at ``index`` go on, for nobody yet."""
        examination.on_repair = _tell_nobody
        self._kept.append((index, examination))

    def end_before(self, index: int) -> None:
        """End those of sentences before ``index``, which were not written again."""
        self._ended += [examination.task for place, examination in self._kept if place < index]
        self._kept = [(place, examination) for place, examination in self._kept if place >= index]
        for task in self._ended:
            task.cancel()

    def take_out(self, index: int, former: str, text: str) -> None:
        """The sentence at ``index`` read ``former``: words of it are no longer part of the text, which is ``text``."""
        self._gone.append((index, _words_of(former) - _words_of(text)))

    def has(self, index: int) -> bool:
        """Whether the sentence at ``index`` was written before."""
        return any(place == index for place, _ in self._kept)

    def find(self, held: Held, threshold: float) -> Examination | None:
        """The one of the same sentence, where it was in doubt about no less than now."""
        for kept in self._kept:
            former = kept[1].held
            is_same = (former.sentence.text, former.sentence.kind) == (held.sentence.text, held.sentence.kind)
            if is_same and former.draft.covers(held.draft, threshold):
                self._kept.remove(kept)
                return kept[1]
        return None

    def holds(self, index: int, sentence: WrittenSentence) -> bool:
        """Whether what came of the examination of the sentence at ``index`` rests on nothing that is gone before it."""
        asked = [validation.question.text for validation in sentence.validations]
        words = _words_of(" ".join([sentence.text, *asked]))
        return not any(words & gone for place, gone in self._gone if place < index)

    async def end_all(self) -> None:
        """End those that serve nobody, whatever comes of that."""
        self.end_before(sys.maxsize)
        await asyncio.gather(*self._ended, return_exceptions=True)


def _words_of(text: str) -> set[str]:
    return {word.casefold() for word in _WORD.findall(text)}


def _tell_nobody(wording: str) -> None:
    """For an examination that serves nobody at the moment."""
