"""Local models with a cache, so that a recheck after a small edit computes little more than the edited sentence."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable, Iterable, Sequence
from dataclasses import replace
from itertools import chain, count
from typing import Generic, TypeVar

from ..types import NliPair, NliScore, ParsedSentence, ParsedText, Stretch
from .decision import Decision, LogisticDecision
from .process import LocalModels
from .vectors import Vector

#: A score needs about one kilobyte with its two texts, a parsed stretch about ten.
MAX_SCORES = 20_000
MAX_STRETCHES = 2_000
#: A vector needs 1.5 kilobytes.
MAX_VECTORS = 5_000

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class RememberingModels:
    """Caches the results of ``models``. Thread-safe.

    Beyond the given numbers of scores and stretches, and beyond ``MAX_VECTORS``, the least recently used ones are
    evicted; ``math.inf`` means no limit.
    """

    def __init__(
        self, models: LocalModels, *, most_scores: float = MAX_SCORES, most_stretches: float = MAX_STRETCHES
    ) -> None:
        self._models = models
        self._scores: _Memory[NliPair, NliScore] = _Memory(most_scores)
        self._vectors: _Memory[str, Vector] = _Memory(MAX_VECTORS)
        self._stretches: _Memory[_StretchKey, tuple[int, tuple[ParsedSentence, ...]]] = _Memory(most_stretches)

    async def parse(self, text: str) -> ParsedText:
        return ParsedText(text, tuple(chain.from_iterable(await self.parse_stretches(await self.cut(text)))))

    async def cut(self, text: str) -> tuple[Stretch, ...]:
        return await self._models.cut(text)

    async def parse_stretches(self, stretches: Sequence[Stretch]) -> list[tuple[ParsedSentence, ...]]:
        unknown = list({_key_of(stretch): stretch for stretch in self._unknown(stretches)}.values())
        if unknown:
            for stretch, parsed in zip(unknown, await self._models.parse_stretches(unknown), strict=True):
                self._stretches.put(_key_of(stretch), (stretch.span.start, parsed))
        numbers = count()
        found = []
        for stretch in stretches:
            known = self._stretches.get(_key_of(stretch))
            if known is None:  # already evicted: the text is larger than the cache
                known = stretch.span.start, (await self._models.parse_stretches([stretch]))[0]
            start, parsed = known
            offset = stretch.span.start - start
            found.append(tuple(_moved(sentence, offset, stretch.block, next(numbers)) for sentence in parsed))
        return found

    async def score(self, pairs: Sequence[NliPair]) -> list[NliScore]:
        return await self._scores.get_all(pairs, self._models.score)

    async def vectors(self, texts: Sequence[str]) -> list[Vector]:
        return await self._vectors.get_all(texts, self._models.vectors)

    def decision(self, about: Decision) -> LogisticDecision:
        return self._models.decision(about)

    def _unknown(self, stretches: Iterable[Stretch]) -> Iterable[Stretch]:
        return (stretch for stretch in stretches if self._stretches.get(_key_of(stretch)) is None)


_StretchKey = tuple[str, str, tuple[int, ...]]


def _key_of(stretch: Stretch) -> _StretchKey:
    return stretch.text, stretch.block_kind, stretch.places


class _Memory(Generic[Key, Value]):
    """A thread-safe least-recently-used cache."""

    def __init__(self, most: float) -> None:
        self._most = most
        self._values: OrderedDict[Key, Value] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: Key) -> Value | None:
        with self._lock:
            if key not in self._values:
                return None
            self._values.move_to_end(key)
            return self._values[key]

    async def get_all(
        self, keys: Sequence[Key], compute: Callable[[Sequence[Key]], Awaitable[Sequence[Value]]]
    ) -> list[Value]:
        """The values of the keys in order. Those that are not cached are computed in one call."""
        known = {key: value for key in keys if (value := self.get(key)) is not None}
        unknown = [key for key in dict.fromkeys(keys) if key not in known]
        if unknown:
            known.update(zip(unknown, await compute(unknown), strict=True))
            self.put_all((key, known[key]) for key in unknown)
        return [known[key] for key in keys]

    def put(self, key: Key, value: Value) -> None:
        self.put_all([(key, value)])

    def put_all(self, items: Iterable[tuple[Key, Value]]) -> None:
        with self._lock:
            for key, value in items:
                self._values[key] = value
                self._values.move_to_end(key)
            while len(self._values) > self._most:
                self._values.popitem(last=False)


def _moved(parsed: ParsedSentence, offset: int, block: int, index: int) -> ParsedSentence:
    """A parsed sentence moved to another position of another text."""
    own = parsed.sentence
    sentence = replace(own, index=index, start=own.start + offset, end=own.end + offset, block=block)
    if not offset:
        return replace(parsed, sentence=sentence)
    return replace(
        parsed,
        sentence=sentence,
        tokens=tuple(replace(token, span=token.span.shifted(offset)) for token in parsed.tokens),
        entities=tuple(replace(entity, span=entity.span.shifted(offset)) for entity in parsed.entities),
    )
