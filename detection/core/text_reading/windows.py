"""Split a text into windows for one prompt each, with facts from earlier sentences.

Sentences of different windows are compared in two ways: neighbouring windows overlap, and each window has the facts of
earlier sentences on the same topic (who, what, when, how many). The facts come from the parse and need no call of the
model, so that all windows are read in parallel.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from ..comparing.sentence import ComparableSentence, stem
from ..decomposition.subclaims import whole_claims

#: Sentences of a window. Models overlook more in longer lists.
WINDOW = 80
#: Sentences that neighbouring windows share.
OVERLAP = 6
#: Maximum share of the earlier facts in the characters of a window.
FACTS_SHARE = 0.12
#: Minimum characters for the facts in the second half of a split window, which lacks the first half.
MIN_ROOM_IN_HALVES = 800
#: No detector judges longer sentences, so they are not read.
LONGEST_SENTENCE = 1_200

#: Minimum weight of the words of a sentence; below it, nearly all its words are common in the text.
_MIN_WEIGHT = 4.0
_WORD = re.compile(r"\w{3,}")
_LEFT_OUT = "[…]"
_FACTS = "Said before:"
_TEXT = "Now:"
#: A fact is included if it has a value or a name.
_VALUE = re.compile(r"\d|\b[A-Z]\w+ [A-Z]\w+")


@dataclass(frozen=True, slots=True)
class Window:
    """The sentences of a window, by index, and the earlier ones whose facts it has."""

    sentences: range
    facts: tuple[int, ...] = ()

    @property
    def known(self) -> frozenset[int]:
        """All sentences that an answer may name."""
        return frozenset(self.sentences) | frozenset(self.facts)


class Windows:
    """The windows of one text."""

    def __init__(self, sentences: Sequence[ComparableSentence], topic: str | None) -> None:
        self._sentences = sentences
        self._topic = topic

    def all(self) -> list[Window]:
        """Windows that cover the text."""
        return [self._with_facts(part) for part in _parts(range(len(self._sentences)), WINDOW)]

    def halves(self, window: Window) -> list[Window]:
        """Split a window in two, the second with the facts of the first."""
        size = -(-len(window.sentences) // 2)
        return [self._with_facts(part, MIN_ROOM_IN_HALVES) for part in _parts(window.sentences, size, overlap=0)]

    def render(self, window: Window) -> str:
        """The window for the prompt: a line for each sentence, with its number from 1."""
        text = "\n".join(f"{index + 1} {self._line(index)}" for index in window.sentences)
        if not window.facts:
            return text
        facts = "\n".join(f"{index + 1} {self._facts[index]}" for index in window.facts)
        return f"{_FACTS}\n{facts}\n{_TEXT}\n{text}"

    def told(self, window: Window) -> dict[int, str]:
        """The facts of earlier sentences in the window, by their index."""
        return {index: self._facts[index] for index in window.facts}

    def _line(self, index: int) -> str:
        """Line breaks are removed, so that text of a user cannot pretend to be another sentence."""
        text = self._sentences[index].text
        return _LEFT_OUT if len(text) > LONGEST_SENTENCE else " ".join(text.split())

    @cached_property
    def _facts(self) -> list[str]:
        """The facts of each sentence, with names for its pronouns; "" for one without facts to compare."""
        claims = whole_claims([sentence.parsed for sentence in self._sentences], self._topic)
        texts = [" ".join(claim.text.split()) if claim else "" for claim in claims]
        return [text if len(text) <= LONGEST_SENTENCE and _VALUE.search(text) else "" for text in texts]

    def _with_facts(self, part: range, least_room: int = 0) -> Window:
        window = Window(part)
        if not part.start:
            return window
        room = max(least_room, int(FACTS_SHARE * sum(len(self._line(index)) for index in part)))
        return replace(window, facts=tuple(sorted(self._nearest(part, room))))

    def _nearest(self, part: range, room: int) -> Iterator[int]:
        """The sentences before ``part`` that are nearest to one of its sentences, as many as fit."""
        nearness = {
            index: max(self._nearness(index, other) for other in part)
            for index in range(part.start)
            if self._facts[index]
        }
        for index in sorted(nearness, key=lambda index: nearness[index], reverse=True):
            if not nearness[index] or len(self._facts[index]) > room:
                continue
            room -= len(self._facts[index])
            yield index

    def _nearness(self, one: int, other: int) -> float:
        """The share of the words of the shorter sentence that the other one has, weighted by their rarity."""
        shared = self._weight(self._words[one] & self._words[other])
        shorter = min(self._weights[one], self._weights[other])
        return shared / max(shorter, _MIN_WEIGHT) if shared else 0.0

    def _weight(self, words: Iterable[str]) -> float:
        return sum(map(self._rarity.__getitem__, words))

    @cached_property
    def _words(self) -> list[frozenset[str]]:
        """The stems of each sentence, including the names that its pronouns refer to."""
        return [
            sentence.stems.union(stem(word) for word in _WORD.findall(fact.casefold()))
            for sentence, fact in zip(self._sentences, self._facts, strict=True)
        ]

    @cached_property
    def _weights(self) -> list[float]:
        """The weight of all words of each sentence."""
        return [self._weight(words) for words in self._words]

    @cached_property
    def _rarity(self) -> dict[str, float]:
        """The weight of a shared word: 0 for a word of every sentence."""
        counts = Counter(word for words in self._words for word in words)
        return {word: math.log(len(self._sentences) / count) for word, count in counts.items()}


def _parts(whole: range, size: int, overlap: int = OVERLAP) -> Iterator[range]:
    """Ranges of at most ``size`` and about equal length that cover ``whole``."""
    count = max(1, -(-(len(whole) - overlap) // (size - overlap)))
    step = -(-(len(whole) - overlap) // count)
    for number in range(count):
        start = whole.start + number * step
        yield range(start, min(whole.stop, start + step + overlap))
