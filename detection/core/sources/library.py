"""Split the sources of a check into passages for the NLI model, and retrieve them for a sentence."""

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
from .defined_terms import StatementOfParties, Terms, defined_terms
from .passage_index import PassageIndex

#: METHODS B: length of a passage, and distance between the beginnings of passages, in words.
PASSAGE_WORDS = 90
PASSAGE_STEP = 45
#: Sections are passages for the NLI model, whose training used whole sources of about this length: on 174 unseen
#: sentences it separates supported from contradicted ones better with 200 words (AUC 0.88) than with 90 (0.81).
SECTION_WORDS = 200
SECTION_STEP = 100

_WEIGHT_OF_CONTEXT = 0.5


@dataclass(frozen=True, slots=True)
class CutSource:
    """A source of the check, split into stretches of a few sentences. It is not parsed."""

    source: SourceText
    stretches: tuple[Stretch, ...]


@dataclass(frozen=True, slots=True)
class SourceSentence:
    """One sentence of a source. Offsets of ``sentence`` count in ``source.text``."""

    source: SourceText
    sentence: ComparableSentence
    previous: ComparableSentence | None = None
    """The preceding sentence, if its own subject is a pronoun."""
    before: ComparableSentence | None = None
    """The preceding sentence in any case."""

    @property
    def premise(self) -> str:
        """The premise for the NLI model, including the sentence that a pronoun refers to, with the names of parties."""
        own = _with_names(self.sentence)
        return f"{_with_names(self.previous)} {own}" if self.previous else own

    @property
    def span(self) -> Span:
        return self.sentence.parsed.sentence.span

    @property
    def place(self) -> tuple[str, Span]:
        """The id of its source, and its span there."""
        return self.source.id, self.span

    @property
    def text(self) -> str:
        return self.sentence.text


@dataclass(frozen=True, slots=True)
class Passage:
    """Consecutive stretches of one source, or a part of a very long one. ``span`` counts in ``source.text``."""

    source: SourceText
    span: Span
    stretches: range
    """Indices of its stretches among those of the source."""

    @property
    def text(self) -> str:
        return self.span.of(self.source.text)


async def open_library(sources: Iterable[SourceText], models: LocalModels) -> SourceLibrary:
    """Split the sources into passages. They are parsed when they are read."""
    return SourceLibrary([CutSource(source, await models.cut(source.text)) for source in sources], models)


class SourceLibrary:
    """All sources of a check. Falsy when they have no text."""

    def __init__(self, sources: Iterable[CutSource], models: LocalModels) -> None:
        self.sources = {source.source.id: source for source in sources}
        self._models = models
        self._read: dict[tuple[str, int], tuple[ComparableSentence, ...]] = {}

    def __bool__(self) -> bool:
        return any(source.stretches for source in self.sources.values())

    @cached_property
    def digest(self) -> str:
        """Hash of the texts of the sources, without their names (hexadecimal)."""
        texts = hashlib.sha256()
        for source in self.sources.values():
            texts.update(hashlib.sha256(source.source.text.encode()).digest())
        return texts.hexdigest()

    @cached_property
    def _terms(self) -> dict[str, Terms]:
        return {name: defined_terms(source.source.text) for name, source in self.sources.items()}

    @cached_property
    def passages(self) -> tuple[Passage, ...]:
        return self._cut(PASSAGE_WORDS, PASSAGE_STEP)

    @cached_property
    def sections(self) -> tuple[Passage, ...]:
        """Longer passages, for the NLI model."""
        return self._cut(SECTION_WORDS, SECTION_STEP)

    def best_passages(self, text: str, limit: int, context: str = "") -> list[Passage]:
        """The passages nearest to ``text`` (BM25), best first. All of them when there are few.

        ``context`` says what ``text`` is about, if the text itself does not; its words have half the weight.
        """
        if len(self.passages) <= limit:
            return list(self.passages)
        return [self.passages[i] for i in np.argsort(-self._scores(text, context), kind="stable")[:limit]]

    def best_sections(self, text: str, limit: int, context: str = "") -> list[Passage]:
        """The sections nearest to ``text``; see :meth:`best_passages`."""
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
        """The sentences of the passages, each once. New passages are parsed now, in one call."""
        places = dict.fromkeys((passage.source.id, i) for passage in passages for i in passage.stretches)
        # A pronoun may refer to the previous stretch.
        await self._parse({*places, *((source, i - 1) for source, i in places if i > 0)})
        return [sentence for place in places for sentence in self._sentences_at(place)]

    async def _parse(self, places: Iterable[tuple[str, int]]) -> None:
        unread = sorted(place for place in places if place not in self._read)
        if unread:
            stretches = [self.sources[source].stretches[i] for source, i in unread]
            for place, parsed in zip(unread, await self._models.parse_stretches(stretches), strict=True):
                terms = self._terms[place[0]]
                self._read[place] = tuple(
                    StatementOfParties(one, terms) if terms else ComparableSentence(one) for one in parsed
                )

    def _sentences_at(self, place: tuple[str, int]) -> Iterator[SourceSentence]:
        name, position = place
        source = self.sources[name].source
        before = self._read.get((name, position - 1), ())
        previous = before[-1] if before else None
        for sentence in self._read[place]:
            yield SourceSentence(source, sentence, previous if sentence.leans_on_previous else None, previous)
            previous = sentence

    def mentions(self, words: str) -> bool:
        """Whether a source contains exactly these words, in any case."""
        return _stand_in(words, (source.source.text for source in self.sources.values()))

    def entitles(self, words: str) -> bool:
        """Whether a heading of a source contains exactly these words; the text under it may not repeat them."""
        return _stand_in(words, self._headings)

    def opens_with(self, words: str) -> bool:
        """Whether the first sentence of a source, which introduces the rest, contains exactly these words."""
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
    """Passages of at most ``most`` words, whose beginnings are at least ``step`` words apart."""
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
    """Split a stretch that is longer than a passage."""
    span = _passage(source, stretches).span
    places = [match.span() for match in re.finditer(r"\S+", span.of(source.source.text))]
    for first in range(0, max(1, len(places) - step), step):
        last = min(first + most, len(places)) - 1
        yield Passage(source.source, Span(span.start + places[first][0], span.start + places[last][1]), stretches)


def text_with_names(passage: Passage, sentences: Iterable[SourceSentence]) -> str:
    """The text of a passage for the NLI model, with the names of parties in its sentences."""
    text = passage.text
    for source in sentences:
        if isinstance(source.sentence, StatementOfParties):
            text = text.replace(source.text, source.sentence.with_names, 1)
    return text


def _with_names(sentence: ComparableSentence) -> str:
    return sentence.with_names if isinstance(sentence, StatementOfParties) else sentence.text
