"""The entity level: whether the sources support what a sentence states about each of its names and values.

The NLI model may support a sentence in which a name belongs to something else, because all of its words occur. So
each name or value must occur in a source sentence that supports the sentence itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..comparing.frames import mentions_words
from ..comparing.sentence import ComparableSentence
from ..entities.search import CATEGORIES_OF_VALUES
from ..local_models.process import LocalModels
from ..rules.base import Family, Relation, Value
from ..rules.numbers import Number
from ..sources.library import SourceLibrary, SourceSentence
from ..types import NliPair, Span
from .local_reading import Reading, SourceReading, premise_for, restated

#: Maximum number of source sentences read for an entity, in addition to those read for the sentence.
MAX_MORE = 2

#: From this entailment on, a source sentence supports even entities that it does not name: "he", "the club".
IMPLIED = 0.995

#: With fewer other words, the sentence states nothing about the name or value.
_LEAST_REST = 2

#: Counts up to this number may summarise a list in the source.
_LARGEST_SUM = 3

_CIRCUMSTANCES = frozenset({"nmod", "obl", "compound"})

#: All with a category of METHODS B.3, except ranks: these may summarise the source in other words.
_JUDGED = frozenset({Family.NAME, *CATEGORIES_OF_VALUES}) - {Family.ORDINAL}


@dataclass(frozen=True, slots=True)
class EntityReading:
    """A name or value, its support in the sources, and the source sentence that contains it.

    If no source contains it, ``given`` is None and ``support`` is 0.
    """

    value: Value
    support: float
    given: SourceSentence | None


async def unsupported_entities(
    sentence: ComparableSentence,
    read: SourceReading,
    absent: Sequence[Value],
    library: SourceLibrary,
    models: LocalModels,
    threshold: float,
) -> tuple[EntityReading, ...]:
    """The wrong names and values, in order, if the support of at least one is below ``threshold``; else none.

    ``absent`` are the values that no source contains.
    """
    entities = [
        value
        for value in sentence.clause.values
        if _is_judged(value, sentence)
        and not _is_known_from_above(value, sentence, library)
        and not any(_is_implied(value, sentence, reading) for reading in read.readings)
    ]
    given = {value.span: _giving(value, sentence, read.sentences) for value in entities}
    known = {reading.sentence.place: reading.score.entailment for reading in read.readings}
    unsettled = [sources for sources in given.values() if sources and _support(sources, known) < threshold]
    premises = {s.place: premise_for(sentence, s, library) for sources in unsettled for s in sources}
    doubtful = [
        source
        for sources in unsettled
        for source in _most_like(
            sentence, [s for s in sources if s.place not in known or premises[s.place] != s.premise]
        )
    ]
    pairs = [NliPair(premises[source.place], restated(sentence, [source])) for source in doubtful]
    for source, score in zip(doubtful, await models.score(pairs), strict=True):
        known[source.place] = max(known.get(source.place, 0.0), score.entailment)
    readings = [
        EntityReading(value, _support(given[value.span], known), _best(given[value.span], known))
        for value in entities
        if given[value.span] or value in absent
    ]
    failed = [reading for reading in readings if reading.support < threshold]
    return tuple(_most_suspect(failed, readings, given, read.nearest))


def _most_suspect(
    failed: Sequence[EntityReading],
    readings: Sequence[EntityReading],
    given: Mapping[Span, Sequence[SourceSentence]],
    nearest: Reading | None,
) -> Sequence[EntityReading]:
    """The wrong names and values, given those that failed.

    A failed one that the nearest source sentence contains is rarely wrong: it fails because another one is misplaced.
    """
    if not failed or nearest is None:
        return failed
    place = nearest.sentence.place
    misplaced = [item for item in readings if all(source.place != place for source in given[item.value.span])]
    return [item for item in misplaced if item in failed] or misplaced or failed


def _is_judged(value: Value, sentence: ComparableSentence) -> bool:
    if value.family not in _JUDGED:
        return False
    if isinstance(value, Number) and value.amount.value <= _LARGEST_SUM:
        return False
    return len(sentence.stems - sentence.stems_at(value.span)) >= _LEAST_REST


def _is_known_from_above(value: Value, sentence: ComparableSentence, library: SourceLibrary) -> bool:
    """Whether a heading or the opening of a source states that the source is about this value.

    The opening counts only for circumstances ("the museum at Sorrel"), not for agents and objects.
    """
    return library.entitles(value.text) or (_is_circumstance(value, sentence) and library.opens_with(value.text))


def _is_circumstance(value: Value, sentence: ComparableSentence) -> bool:
    positions = sentence.clause.reading.positions(value.span)
    tokens = sentence.parsed.tokens
    heads = [tokens[i] for i in positions if tokens[i].head not in positions]
    return bool(heads) and all(token.dependency.split(":")[0] in _CIRCUMSTANCES for token in heads)


def _is_implied(value: Value, sentence: ComparableSentence, reading: Reading) -> bool:
    """Whether the source sentence entails the sentence, and names no conflicting value in its place."""
    source = reading.sentence
    named = [*source.sentence.clause.values, *(source.previous.clause.values if source.previous else ())]
    return reading.score.entailment >= IMPLIED and not any(
        other.relation_to(value) is Relation.CONFLICT and not mentions_words(sentence.text, other.text)
        for other in named
    )


def _giving(
    value: Value, sentence: ComparableSentence, sources: Sequence[SourceSentence]
) -> tuple[SourceSentence, ...]:
    """The source sentences that contain the value in some form, or refer to it by a pronoun."""
    own = sentence.stems_at(value.span)

    def gives(source: ComparableSentence) -> bool:
        return bool(own and own <= source.stems) or any(
            other.relation_to(value).agrees for other in source.clause.values
        )

    return tuple(
        source
        for source in sources
        if gives(source.sentence) or (source.previous is not None and gives(source.previous))
    )


def _most_like(sentence: ComparableSentence, sources: Sequence[SourceSentence]) -> list[SourceSentence]:
    return sorted(sources, key=lambda source: source.sentence.overlap(sentence), reverse=True)[:MAX_MORE]


def _support(given: Sequence[SourceSentence], known: Mapping[tuple[str, Span], float]) -> float:
    return max((known.get(source.place, 0.0) for source in given), default=0.0)


def _best(given: Sequence[SourceSentence], known: Mapping[tuple[str, Span], float]) -> SourceSentence | None:
    return max(given, key=lambda source: known.get(source.place, 0.0), default=None)
