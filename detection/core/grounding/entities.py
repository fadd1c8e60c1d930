"""The names and values of a sentence that are looked at on their own (METHODS B.3)."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Set as AbstractSet

from ..comparison import ComparableSentence
from ..rules.base import Family
from ..types import EntityCategory, Span

#: What the families of values are in METHODS B.3.
CATEGORIES_OF_VALUES = {
    Family.DATE: EntityCategory.DATE,
    Family.TIME: EntityCategory.DATE,
    Family.MONEY: EntityCategory.QUANTITY,
    Family.SHARE: EntityCategory.QUANTITY,
    Family.QUANTITY: EntityCategory.QUANTITY,
    Family.DURATION: EntityCategory.QUANTITY,
    Family.ORDINAL: EntityCategory.QUANTITY,
    Family.NUMBER: EntityCategory.QUANTITY,
}


def entities_of(sentence: ComparableSentence, categories: AbstractSet[EntityCategory]) -> list[Span]:
    """Where the entities of the given categories stand, counted in the sentence, in order and without overlap.

    Names are those that the language pipeline recognises; values are those that the rules read, which know more of
    them.
    """
    chosen: list[Span] = []
    for span, category in _all(sentence):
        if category in categories and not any(span.overlaps(other) for other in chosen):
            chosen.append(span)
    return sorted(chosen)


def _all(sentence: ComparableSentence) -> Iterator[tuple[Span, EntityCategory]]:
    for value in sentence.clause.values:
        if value.family in CATEGORIES_OF_VALUES:
            yield value.span, CATEGORIES_OF_VALUES[value.family]
    start = sentence.parsed.sentence.start
    for entity in sentence.parsed.entities:
        yield entity.span.shifted(-start), entity.category
