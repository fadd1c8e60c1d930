"""Select the passages of the sources that are about a sentence, and score them with the NLI model."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from ..comparing.sentence import ComparableSentence, stem
from ..local_models.process import LocalModels
from ..rules.base import Family
from ..rules.slots import Clause
from ..rules.statement import states
from ..sources.library import Passage, SourceLibrary, SourceSentence, text_with_names
from ..types import NliPair, NliScore, ReadShare, Span

#: Maximum number of passages read for a sentence: those that share most words with it.
MAX_PASSAGES = 2
#: Maximum number of single sentences of these passages that are read as well.
MAX_NEAR = 3
#: Maximum number of sentences of these passages from which the quoted one is chosen.
_MOST_TOLD = 10
#: The worth of common words in choosing it. Of 114 conflicts whose right wording a source sentence entails, this names
#: that sentence for 92 %, the highest contradiction of those nearest by words for 81 %. From 0 to 0.5 one of them
#: changes.
_WORTH_OF_OVERLAP = 0.5
#: If one of them or the best passage reaches this entailment, no other passage of the source is read. That saves more
#: than half of these readings without loss of accuracy.
_SETTLED = 0.5
#: Number of single sentences that come from the best passage of a long source.
MAX_NEAR_IN_BEST = 2
#: Sentences of the text on either side of one that are its passage.
_AROUND = 4
#: A source sentence is on the topic of another sentence if their overlap is at least this.
LEAST_OVERLAP = 0.4


_WORD = re.compile(r"[^\W\d_]+")
#: A sign before a figure is part of it, and so is a point or comma inside.
_WORD_OR_FIGURE = re.compile(r"[-+−±<>≤≥]?\d+(?:[.,:/]\d+)*|[^\W\d_]+|[%€$£¥°?]")
_WORDED_IN_MANY_WAYS = frozenset(
    {Family.DATE, Family.TIME, Family.MONEY, Family.SHARE, Family.QUANTITY, Family.DURATION, Family.NUMBER}
)


@dataclass(frozen=True, slots=True)
class Reading:
    """A source sentence, and its NLI score as the premise of the sentence under test."""

    sentence: SourceSentence
    overlap: float
    score: NliScore


@dataclass(frozen=True, slots=True)
class PassageReading:
    """A passage, and its NLI score as the premise of the sentence under test.

    ``cover`` is the share of the sentence's content words, compared by stem, that occur in the passage.
    """

    passage: Passage
    cover: float
    score: NliScore


@dataclass(frozen=True)
class SourceReading:
    """All evidence read for one sentence. ``readings`` score the source sentences that share most words with it."""

    passages: tuple[PassageReading, ...]
    readings: tuple[Reading, ...]
    sentences: tuple[SourceSentence, ...]
    """The sentences of all passages."""
    share: ReadShare

    @cached_property
    def nearest(self) -> Reading | None:
        """The source sentence with the highest entailment plus overlap; None if none was read."""
        return max(self.readings, key=lambda reading: reading.score.entailment + reading.overlap, default=None)

    @cached_property
    def most_opposed(self) -> Reading | None:
        """The source sentence with the highest contradiction; None if none was read."""
        return max(self.readings, key=lambda reading: reading.score.contradiction, default=None)

    @cached_property
    def clauses(self) -> tuple[Clause, ...]:
        return tuple(source.sentence.clause for source in self.sentences)

    def has_copy_of(self, sentence: ComparableSentence) -> bool:
        """Whether a source has the sentence word for word, and its subject is not a pronoun."""
        words = _words_of(sentence.text)
        return not sentence.leans_on_previous and any(_words_of(source.text) == words for source in self.sentences)


async def read_for(
    sentence: ComparableSentence, library: SourceLibrary, models: LocalModels, context: str = ""
) -> SourceReading:
    """Find the passages and source sentences about a sentence, and score them."""
    passages = library.best_sections(sentence.text, MAX_PASSAGES, context)
    sentences = await library.sentences_of(passages)
    near = _near(sentences, sentence)
    if len(passages) < len(library.sections):
        # Passages of a long source resemble each other; the one that shares the rarest words is about the sentence.
        near += _near(await library.sentences_of(passages[:1]), sentence)[:MAX_NEAR_IN_BEST]
        near = list({source.place: source for source in near}.values())
    return SourceReading(
        *await _read(sentence, await _covered(sentence, passages, library), near, models),
        sentences=tuple(sentences),
        share=ReadShare(len(passages), len(library.sections)),
    )


async def read_around(
    sentence: ComparableSentence, sentences: Sequence[SourceSentence], models: LocalModels
) -> SourceReading:
    """Score the nearest of some sentences of one text, with the passage around the nearest one."""
    near = sorted(sentences, key=lambda source: source.sentence.overlap(sentence), reverse=True)[:MAX_NEAR]
    if not near:
        return SourceReading((), (), (), ReadShare(0, 0))
    middle = sentences.index(near[0])
    around = sentences[max(0, middle - _AROUND) : middle + _AROUND + 1]
    passage = Passage(near[0].source, Span(around[0].span.start, around[-1].span.end), range(0))
    passages, readings = await _read(sentence, [_Covered(passage, around, cover_of(sentence, around))], near, models)
    return SourceReading(passages, readings, tuple(sentences), ReadShare(1, 1))


async def most_telling(sentence: ComparableSentence, read: SourceReading, models: LocalModels) -> Reading | None:
    """The sentence that decides most about another one, whichever way, in the source that contradicts that most.

    It is neither neutral nor without common words. Free paraphrase often shares no word with it, so it need not be one
    of ``readings``.
    """
    if read.most_opposed is None:
        return None
    source = read.most_opposed.sentence.source
    told = [one for one in read.sentences if one.source.id == source.id]
    near = sorted(told, key=lambda one: one.sentence.overlap(sentence), reverse=True)[:_MOST_TOLD]
    known = {reading.sentence.place: reading for reading in read.readings}
    unread = [one for one in near if one.place not in known]
    scores = await models.score([_pair(one.premise, sentence, [one]) for one in unread])
    known |= {reading.sentence.place: reading for reading in _readings(unread, scores, sentence)}
    return max(
        (known[one.place] for one in near),
        key=lambda reading: reading.overlap * _WORTH_OF_OVERLAP - reading.score.neutral,
        default=None,
    )


@dataclass(frozen=True, slots=True)
class _Covered:
    """A passage with its sentences and its cover of the sentence under test."""

    passage: Passage
    sentences: Sequence[SourceSentence]
    cover: float

    @property
    def premise(self) -> str:
        return text_with_names(self.passage, self.sentences)


async def _covered(sentence: ComparableSentence, passages: Sequence[Passage], library: SourceLibrary) -> list[_Covered]:
    """The passages, sorted by cover, highest first."""
    contents = [await library.sentences_of([passage]) for passage in passages]
    found = (
        _Covered(passage, content, cover_of(sentence, content))
        for passage, content in zip(passages, contents, strict=True)
    )
    return sorted(found, key=lambda item: item.cover, reverse=True)


async def _read(
    sentence: ComparableSentence, covered: Sequence[_Covered], near: Sequence[SourceSentence], models: LocalModels
) -> tuple[tuple[PassageReading, ...], tuple[Reading, ...]]:
    """Score the near sentences and the best passage; score the rest of that source only if these do not settle it."""
    best = covered[:1]
    pairs = [_pair(source.premise, sentence, [source]) for source in near]
    scores = await models.score([*pairs, *(_pair(item.premise, sentence, item.sentences) for item in best)])
    is_settled = any(score.entailment >= _SETTLED for score in scores)
    others = [item for item in covered[1:] if not (is_settled and item.passage.source is covered[0].passage.source)]
    scores += await models.score([_pair(item.premise, sentence, item.sentences) for item in others])
    return (
        tuple(
            PassageReading(item.passage, item.cover, score)
            for item, score in zip([*best, *others], scores[len(near) :], strict=True)
        ),
        tuple(_readings(near, scores[: len(near)], sentence)),
    )


def _readings(
    sources: Sequence[SourceSentence], scores: Sequence[NliScore], sentence: ComparableSentence
) -> Iterator[Reading]:
    for source, score in zip(sources, scores, strict=True):
        yield Reading(source, source.sentence.overlap(sentence), score)


def _pair(premise: str, sentence: ComparableSentence, sources: Sequence[SourceSentence]) -> NliPair:
    return NliPair(premise, restated(sentence, sources))


def premise_for(sentence: ComparableSentence, source: SourceSentence, library: SourceLibrary) -> str:
    """The premise of a source sentence for the NLI model.

    It includes the opening of the source if only that identifies a definite noun of the sentence ("the village").
    """
    opening = library.opening_of(source.source.id)
    referring = sentence.definite_stems - source.sentence.stems
    if source.text == opening or referring.isdisjoint(stem(word) for word in _WORD.findall(opening.casefold())):
        return source.premise
    return f"{opening} {source.premise}"


def restated(sentence: ComparableSentence, sources: Sequence[SourceSentence]) -> str:
    """Reword figures and dates of the sentence as in the sources, because the NLI model does not compute.

    "1.2 million" becomes "1,200,000" if a source has that, and "in the 1950s" becomes "in 1954".
    """
    text = sentence.text
    given = [value for source in sources for value in source.sentence.clause.values]
    for value in reversed(sentence.clause.values):
        if value.family in _WORDED_IN_MANY_WAYS and not any(other.text == value.text for other in given):
            wording = next((other.text for other in given if states(other, value)), value.text)
            text = text[: value.span.start] + wording + text[value.span.end :]
    return text


def cover_of(sentence: ComparableSentence, sources: Sequence[SourceSentence]) -> float:
    """The share of the sentence's content words, compared by stem, that the source sentences have; 0 to 1."""
    stems = frozenset[str]().union(*(source.sentence.stems for source in sources))
    return len(sentence.stems & stems) / max(1, len(sentence.stems))


def _words_of(text: str) -> list[str]:
    return _WORD_OR_FIGURE.findall(text.casefold())


def _near(sentences: Sequence[SourceSentence], sentence: ComparableSentence) -> list[SourceSentence]:
    """The source sentences that overlap most with ``sentence``, and the best one of every other source."""
    ranked = sorted(sentences, key=lambda source: source.sentence.overlap(sentence), reverse=True)
    first_of_source = {source.source.id: source for source in reversed(ranked)}
    others = [source for source in ranked[MAX_NEAR:] if source is first_of_source[source.source.id]]
    return ranked[:MAX_NEAR] + [source for source in others if source.sentence.overlap(sentence) >= LEAST_OVERLAP]
