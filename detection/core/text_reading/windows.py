"""Cut a text into windows that a model can read at once, each with what the text said before.

Sentences of different windows meet in two ways: neighbouring windows overlap, and each window is given the facts of
earlier sentences that speak of the same things (who, what, when, how many). The facts are made from the parse. That
costs no answer of the model, so that all windows are read at the same time.
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

#: Sentences that are read at once. Models overlook more in longer lists.
WINDOW = 80
#: So many sentences at the end of a window are read again at the beginning of the next one.
OVERLAP = 6
#: The facts from before may take this share of the characters of a window.
FACTS_SHARE = 0.12
#: In the second half of a window that was cut they get so many characters at least: it has to make up for the first.
LEAST_ROOM_IN_HALVES = 800
#: Longer sentences are not judged by any detector, and not read.
LONGEST_SENTENCE = 1_200

#: A sentence whose words weigh less is nearly nothing but words that the others have too.
_LEAST_WEIGHT = 4.0
_WORD = re.compile(r"\w{3,}")
_LEFT_OUT = "[…]"
_FACTS = "Said before:"
_TEXT = "Now:"
#: A fact is worth telling when it has a value, or names someone or something.
_VALUE = re.compile(r"\d|\b[A-Z]\w+ [A-Z]\w+")


@dataclass(frozen=True, slots=True)
class Window:
    """Sentences that are read at once, by index, and earlier ones whose facts are told."""

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
        """The windows that together cover the text."""
        return [self._with_facts(part) for part in _parts(range(len(self._sentences)), WINDOW)]

    def halves(self, window: Window) -> list[Window]:
        """Two windows in the place of one, the second with the facts of the first."""
        size = -(-len(window.sentences) // 2)
        return [self._with_facts(part, LEAST_ROOM_IN_HALVES) for part in _parts(window.sentences, size, overlap=0)]

    def render(self, window: Window) -> str:
        """The window as a model reads it: a line for each sentence, with its number from 1."""
        text = "\n".join(f"{index + 1} {self._line(index)}" for index in window.sentences)
        if not window.facts:
            return text
        facts = "\n".join(f"{index + 1} {self._facts[index]}" for index in window.facts)
        return f"{_FACTS}\n{facts}\n{_TEXT}\n{text}"

    def told(self, window: Window) -> dict[int, str]:
        """What the window is told of earlier sentences, by their index."""
        return {index: self._facts[index] for index in window.facts}

    def _line(self, index: int) -> str:
        """Text of a user cannot begin a line of its own, and so no sentence of another number."""
        text = self._sentences[index].text
        return _LEFT_OUT if len(text) > LONGEST_SENTENCE else " ".join(text.split())

    @cached_property
    def _facts(self) -> list[str]:
        """For each sentence what it states, with names for its pronouns; "" for one that states nothing to compare."""
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
        """The sentences before ``part`` that share most with one of its sentences, as many as have room."""
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
        """The share of the words of the shorter sentence that the other one has too, rare words before common ones."""
        shared = self._weight(self._words[one] & self._words[other])
        shorter = min(self._weight(self._words[one]), self._weight(self._words[other]))
        return shared / max(shorter, _LEAST_WEIGHT) if shared else 0.0

    def _weight(self, words: Iterable[str]) -> float:
        return sum(map(self._rarity.__getitem__, words))

    @cached_property
    def _words(self) -> list[frozenset[str]]:
        """The stems of each sentence, with the names that its pronouns stand for."""
        return [
            sentence.stems.union(stem(word) for word in _WORD.findall(fact.casefold()))
            for sentence, fact in zip(self._sentences, self._facts, strict=True)
        ]

    @cached_property
    def _rarity(self) -> dict[str, float]:
        """What it says that two sentences share a word: nothing for one that stands in every sentence."""
        counts = Counter(word for words in self._words for word in words)
        return {word: math.log(len(self._sentences) / count) for word, count in counts.items()}


def _parts(whole: range, size: int, overlap: int = OVERLAP) -> Iterator[range]:
    """Ranges of at most ``size`` that cover ``whole``, about equally long."""
    count = max(1, -(-(len(whole) - overlap) // (size - overlap)))
    step = -(-(len(whole) - overlap) // count)
    for number in range(count):
        start = whole.start + number * step
        yield range(start, min(whole.stop, start + step + overlap))
