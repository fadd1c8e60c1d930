"""The sources of a check, cut into passages that the NLI model can read, and found by what a sentence speaks of."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..comparing.sentence import ComparableSentence
from ..local_models.process import LocalModels
from ..types import BlockKind, SourceText, Span, Stretch
from .passage_index import PassageIndex

#: METHODS B: passages of this many words, each begun this many words after the one before it.
PASSAGE_WORDS = 90
PASSAGE_STEP = 45
#: Sections are passages for the NLI model, which learned to judge sentences by whole sources of about this length: of
#: 174 fresh sentences it tells supported from contradicted ones better by 200 words (AUC 0.88) than by 90 (0.81).
SECTION_WORDS = 200
SECTION_STEP = 100

_WEIGHT_OF_CONTEXT = 0.5


@dataclass(frozen=True, slots=True)
class CutSource:
    """A source of the check, cut into stretches of a sentence or a few. It is not parsed."""

    source: SourceText
    stretches: tuple[Stretch, ...]


@dataclass(frozen=True, slots=True)
class SourceSentence:
    """One sentence of a source. Offsets of ``sentence`` count in ``source.text``."""

    source: SourceText
    sentence: ComparableSentence
    previous: ComparableSentence | None = None
    """The sentence before it, where its own subject is a pronoun."""

    @property
    def premise(self) -> str:
        """What the NLI model is given: with the sentence that says whom a pronoun stands for."""
        return f"{self.previous.text} {self.text}" if self.previous else self.text

    @property
    def span(self) -> Span:
        return self.sentence.parsed.sentence.span

    @property
    def place(self) -> tuple[str, Span]:
        """Where it stands: the source's id, and the span there."""
        return self.source.id, self.span

    @property
    def text(self) -> str:
        return self.sentence.text


@dataclass(frozen=True, slots=True)
class Passage:
    """Some stretches of one source in a row, or a part of a very long one. ``span`` counts in ``source.text``."""

    source: SourceText
    span: Span
    stretches: range
    """Positions of its stretches among those of the source."""

    @property
    def text(self) -> str:
        return self.span.of(self.source.text)


async def open_library(sources: Iterable[SourceText], models: LocalModels) -> SourceLibrary:
    """Cut the sources into passages, however long they are; they are parsed when somebody reads in them."""
    return SourceLibrary([CutSource(source, await models.cut(source.text)) for source in sources], models)


class SourceLibrary:
    """All sources of a check. Falsy when there is nothing to read in them."""

    def __init__(self, sources: Iterable[CutSource], models: LocalModels) -> None:
        self.sources = {source.source.id: source for source in sources}
        self._models = models
        self._read: dict[tuple[str, int], tuple[ComparableSentence, ...]] = {}

    def __bool__(self) -> bool:
        return any(source.stretches for source in self.sources.values())

    @cached_property
    def digest(self) -> str:
        """Names what the sources say, whatever they are called (hexadecimal)."""
        texts = hashlib.sha256()
        for source in self.sources.values():
            texts.update(hashlib.sha256(source.source.text.encode()).digest())
        return texts.hexdigest()

    @cached_property
    def passages(self) -> tuple[Passage, ...]:
        return self._cut(PASSAGE_WORDS, PASSAGE_STEP)

    @cached_property
    def sections(self) -> tuple[Passage, ...]:
        """Longer passages, for the NLI model."""
        return self._cut(SECTION_WORDS, SECTION_STEP)

    def best_passages(self, text: str, limit: int, context: str = "") -> list[Passage]:
        """The passages that share most with ``text`` (BM25), best first. All of them when there are few.

        ``context`` tells what ``text`` is about where that does not say so itself; its words count half.
        """
        if len(self.passages) <= limit:
            return list(self.passages)
        return [self.passages[i] for i in np.argsort(-self._scores(text, context), kind="stable")[:limit]]

    def best_sections(self, text: str, limit: int, context: str = "") -> list[Passage]:
        """The sections that share most with ``text``, as :meth:`best_passages` finds passages."""
        if len(self.sections) <= limit:
            return list(self.sections)
        scores = _scores(self._section_index, text, context)
        return [self.sections[i] for i in np.argsort(-scores, kind="stable")[:limit]]

    def ranked_passages(self, text: str, context: str = "") -> list[Passage]:
        """All passages that share words with ``text`` or its ``context``, best first."""
        scores = self._scores(text, context)
        return [self.passages[i] for i in np.argsort(-scores, kind="stable") if scores[i] > 0]

    def _scores(self, text: str, context: str) -> NDArray[np.float32]:
        return _scores(self._index, text, context)

    def _cut(self, words: int, step: int) -> tuple[Passage, ...]:
        return tuple(passage for source in self.sources.values() for passage in _passages(source, words, step))

    async def sentences_of(self, passages: Iterable[Passage]) -> list[SourceSentence]:
        """The sentences of the passages, each once. What no one has read before is parsed now, in one call."""
        places = dict.fromkeys((passage.source.id, i) for passage in passages for i in passage.stretches)
        # A pronoun may stand for something in the stretch before.
        await self._parse({*places, *((source, i - 1) for source, i in places if i > 0)})
        return [sentence for place in places for sentence in self._sentences_at(place)]

    async def _parse(self, places: Iterable[tuple[str, int]]) -> None:
        unread = sorted(place for place in places if place not in self._read)
        if unread:
            stretches = [self.sources[source].stretches[i] for source, i in unread]
            for place, parsed in zip(unread, await self._models.parse_stretches(stretches), strict=True):
                self._read[place] = tuple(map(ComparableSentence, parsed))

    def _sentences_at(self, place: tuple[str, int]) -> Iterator[SourceSentence]:
        name, position = place
        source = self.sources[name].source
        before = self._read.get((name, position - 1), ())
        previous = before[-1] if before else None
        for sentence in self._read[place]:
            yield SourceSentence(source, sentence, previous if sentence.leans_on_previous else None)
            previous = sentence

    def mentions(self, words: str) -> bool:
        """Whether a source has these very words somewhere, whatever their case."""
        return _stand_in(words, (source.source.text for source in self.sources.values()))

    def entitles(self, words: str) -> bool:
        """Whether a heading of a source has these very words: what stands under it need not repeat them."""
        return _stand_in(words, self._headings)

    def opens_with(self, words: str) -> bool:
        """Whether the first sentence of a source has these very words: it tells where, and of what, the rest speaks."""
        return _stand_in(words, map(self.opening_of, self.sources))

    def opening_of(self, source_id: str) -> str:
        """The first sentence of a source; "" for an empty one."""
        stretches = self.sources[source_id].stretches
        return stretches[0].text if stretches else ""

    @cached_property
    def _headings(self) -> tuple[str, ...]:
        stretches = (stretch for source in self.sources.values() for stretch in source.stretches)
        return tuple(stretch.text for stretch in stretches if stretch.block_kind is BlockKind.HEADING)

    @cached_property
    def _index(self) -> PassageIndex:
        return PassageIndex([passage.text for passage in self.passages])

    @cached_property
    def _section_index(self) -> PassageIndex:
        return PassageIndex([section.text for section in self.sections])


def _scores(index: PassageIndex, text: str, context: str) -> NDArray[np.float32]:
    scores = index.scores(text)
    return scores + _WEIGHT_OF_CONTEXT * index.scores(context) if context else scores


def _stand_in(words: str, texts: Iterable[str]) -> bool:
    phrase = r"\s+".join(map(re.escape, words.split()))
    pattern = re.compile(rf"(?<!\w){phrase}(?!\w)", re.IGNORECASE)
    return any(pattern.search(text) for text in texts)


def _passages(source: CutSource, most: int, step: int) -> Iterator[Passage]:
    """Passages of at most ``most`` words, each begun ``step`` words or more after the one before it."""
    lengths = [len(stretch.text.split()) for stretch in source.stretches]
    first = 0
    while first < len(lengths):
        end, words = first, 0
        while end < len(lengths) and (end == first or words + lengths[end] <= most):
            words += lengths[end]
            end += 1
        if words > most:
            yield from _cut_to_length(source, range(first, end), most, step)
        else:
            yield _passage(source, range(first, end))
        if end == len(lengths):
            return
        previous, skipped = first, 0
        while first < end - 1 and skipped < step:
            skipped += lengths[first]
            first += 1
        if first == previous:
            first = end


def _passage(source: CutSource, stretches: range) -> Passage:
    span = Span(source.stretches[stretches[0]].span.start, source.stretches[stretches[-1]].span.end)
    return Passage(source.source, span, stretches)


def _cut_to_length(source: CutSource, stretches: range, most: int, step: int) -> Iterator[Passage]:
    """A single stretch that is longer than a passage, as several."""
    span = _passage(source, stretches).span
    places = [match.span() for match in re.finditer(r"\S+", span.of(source.source.text))]
    for first in range(0, max(1, len(places) - step), step):
        last = min(first + most, len(places)) - 1
        yield Passage(source.source, Span(span.start + places[first][0], span.start + places[last][1]), stretches)
