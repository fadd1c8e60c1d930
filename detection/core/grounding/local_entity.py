"""The entity level: whether the sources say of each name and value of a sentence what the sentence says of it.

A sentence may read as supported although one of its names belongs to something else: the model sees that all words
are there. So each name or value must stand in a source sentence that supports the sentence itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..comparing.frames import mentions_words
from ..comparing.sentence import ComparableSentence
from ..entities.search import CATEGORIES_OF_VALUES
from ..local_models.process import LocalModels
from ..rules.base import Family, Relation, Value
from ..rules.names import Name
from ..rules.numbers import Number
from ..sources.library import SourceLibrary, SourceSentence
from ..types import EntityCategory, NliPair, Span
from .local_reading import Reading, SourceReading, premise_for, restated

#: The categories that are judged.
CATEGORIES = frozenset(EntityCategory)

#: So many source sentences are read for a name or value beside those that were read for the sentence.
MAX_MORE = 2

#: From this entailment on a source sentence says it all, and what it does not name is understood: "he", "the club".
UNDERSTOOD = 0.995

#: With fewer words beside the name or value there is nothing that could be said of it.
_LEAST_REST = 2

#: Up to this number a count may sum up what the source lists.
_LARGEST_SUM = 3

_CIRCUMSTANCES = frozenset({"nmod", "obl", "compound"})

#: A rank is a way to sum up what the source tells in other words.
_NOT_JUDGED = frozenset({Family.ORDINAL})


@dataclass(frozen=True, slots=True)
class EntityReading:
    """A name or value, how far the sources say of it what the sentence says, and the sentence of theirs that gives it.

    ``given`` is None for one that no source gives; then ``support`` is 0.
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
    """The names and values that are wrong, in order, if the support of one lies below ``threshold``; else none.

    ``absent`` are those that no source gives.
    """
    entities = [
        value
        for value in sentence.clause.values
        if _is_judged(value, sentence)
        and not _is_known_from_above(value, sentence, library)
        and not any(_is_understood(value, sentence, reading) for reading in read.readings)
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
    pairs = [NliPair(premises[source.place], restated(sentence, [source]), is_of_text=True) for source in doubtful]
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
    """Which of the names and values are wrong, once some have failed.

    What the nearest source sentence gives, too, hardly is: it fails because another one is out of place.
    """
    if not failed or nearest is None:
        return failed
    place = nearest.sentence.place
    misplaced = [item for item in readings if all(source.place != place for source in given[item.value.span])]
    return [item for item in misplaced if item in failed] or misplaced or failed


def _is_judged(value: Value, sentence: ComparableSentence) -> bool:
    if _category(value) not in CATEGORIES or value.family in _NOT_JUDGED:
        return False
    if isinstance(value, Number) and value.amount.value <= _LARGEST_SUM:
        return False
    return len(sentence.stems - sentence.stems_at(value.span)) >= _LEAST_REST


def _category(value: Value) -> EntityCategory | None:
    """What a value stands for; None for one that stands for nothing that METHODS B.3 knows."""
    if isinstance(value, Name):
        return value.category or EntityCategory.OTHER
    return CATEGORIES_OF_VALUES.get(value.family)


def _is_known_from_above(value: Value, sentence: ComparableSentence, library: SourceLibrary) -> bool:
    """Whether a source tells once for all that it speaks of this: in a heading, or in its opening.

    The opening does so for the circumstances of what a sentence says ("the museum at Sorrel"), not for who does what.
    """
    return library.entitles(value.text) or (_is_circumstance(value, sentence) and library.opens_with(value.text))


def _is_circumstance(value: Value, sentence: ComparableSentence) -> bool:
    positions = sentence.clause.reading.positions(value.span)
    tokens = sentence.parsed.tokens
    heads = [tokens[i] for i in positions if tokens[i].head not in positions]
    return bool(heads) and all(token.dependency.split(":")[0] in _CIRCUMSTANCES for token in heads)


def _is_understood(value: Value, sentence: ComparableSentence, reading: Reading) -> bool:
    """Whether the source sentence says it all, and names nobody and nothing else in the place of the value."""
    source = reading.sentence
    named = [*source.sentence.clause.values, *(source.previous.clause.values if source.previous else ())]
    return reading.score.entailment >= UNDERSTOOD and not any(
        other.relation_to(value) is Relation.CONFLICT and not mentions_words(sentence.text, other.text)
        for other in named
    )


def _giving(
    value: Value, sentence: ComparableSentence, sources: Sequence[SourceSentence]
) -> tuple[SourceSentence, ...]:
    """The source sentences that give the value in some form, or have a pronoun for what the one before it gives."""
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
