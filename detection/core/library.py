"""The sources of a check, cut into passages that the NLI model can read, and found by what a sentence speaks of."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import bm25s
import numpy as np

from .comparison import ComparableSentence
from .types import ParsedText, SourceText, Span

#: METHODS B: passages of this many words, each begun this many words after the one before it.
PASSAGE_WORDS = 90
PASSAGE_STEP = 45

# The library turns its own log on, and reports every index that it builds.
logging.getLogger("bm25s").setLevel(logging.WARNING)

_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class ParsedSource:
    """A source of the check with its sentences."""

    source: SourceText
    parsed: ParsedText


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
    def text(self) -> str:
        return self.sentence.text


@dataclass(frozen=True, slots=True)
class Passage:
    """Some sentences of one source in a row, or a part of a very long one. ``span`` counts in ``source.text``."""

    source: SourceText
    span: Span
    sentences: tuple[SourceSentence, ...]

    @property
    def text(self) -> str:
        return self.span.of(self.source.text)


class SourceLibrary:
    """All sources of a check. Falsy when there is nothing to read in them."""

    def __init__(self, sources: Iterable[ParsedSource] = ()) -> None:
        self.sources = tuple(sources)

    def __bool__(self) -> bool:
        return any(source.parsed.sentences for source in self.sources)

    @cached_property
    def passages(self) -> tuple[Passage, ...]:
        return tuple(passage for source in self.sources for passage in _passages(source))

    def best_passages(self, text: str, limit: int) -> list[Passage]:
        """The passages that share most with ``text`` (BM25), best first. All of them when there are few."""
        if len(self.passages) <= limit:
            return list(self.passages)
        scores = self._index.get_scores(_words(text))
        return [self.passages[i] for i in np.argsort(-scores, kind="stable")[:limit]]

    def mentions(self, words: str) -> bool:
        """Whether a source has these very words somewhere, whatever their case."""
        phrase = r"\s+".join(map(re.escape, words.split()))
        pattern = re.compile(rf"(?<!\w){phrase}(?!\w)", re.IGNORECASE)
        return any(pattern.search(source.source.text) for source in self.sources)

    @cached_property
    def _index(self) -> bm25s.BM25:
        index = bm25s.BM25()
        index.index([_words(passage.text) for passage in self.passages], show_progress=False)
        return index


def _words(text: str) -> list[str]:
    """Words for retrieval. The first letters stand for the word, so that "opened" finds "opening"."""
    return [word[:6] for word in _WORD.findall(text.casefold())]


def _passages(source: ParsedSource) -> Iterator[Passage]:
    sentences = list(_source_sentences(source))
    lengths = [len(sentence.text.split()) for sentence in sentences]
    first = 0
    while first < len(sentences):
        end, words = first, 0
        while end < len(sentences) and (end == first or words + lengths[end] <= PASSAGE_WORDS):
            words += lengths[end]
            end += 1
        yield from _cut_to_length(sentences[first:end], words)
        if end == len(sentences):
            return
        previous, skipped = first, 0
        while first < end - 1 and skipped < PASSAGE_STEP:
            skipped += lengths[first]
            first += 1
        if first == previous:
            first = end


def _cut_to_length(sentences: Sequence[SourceSentence], words: int) -> Iterator[Passage]:
    """The sentences as one passage; a single sentence that is longer than a passage as several."""
    span = Span(sentences[0].span.start, sentences[-1].span.end)
    source = sentences[0].source
    if words <= PASSAGE_WORDS:
        yield Passage(source, span, tuple(sentences))
        return
    places = [match.span() for match in re.finditer(r"\S+", span.of(source.text))]
    for first in range(0, max(1, len(places) - PASSAGE_STEP), PASSAGE_STEP):
        last = min(first + PASSAGE_WORDS, len(places)) - 1
        yield Passage(source, Span(span.start + places[first][0], span.start + places[last][1]), tuple(sentences))


def _source_sentences(source: ParsedSource) -> Iterator[SourceSentence]:
    previous: ComparableSentence | None = None
    for parsed in source.parsed.sentences:
        sentence = ComparableSentence(parsed)
        yield SourceSentence(source.source, sentence, previous if sentence.leans_on_previous else None)
        previous = sentence
