"""The names and values of a sentence that are judged separately (METHODS B.3)."""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from ..comparing.sentence import ComparableSentence
from ..entities.search import find_entities
from ..types import EntityCategory, Span


def entities_of(sentence: ComparableSentence, categories: AbstractSet[EntityCategory]) -> list[Span]:
    """The spans of the entities of these categories, relative to the sentence, in order and without overlap."""
    start = sentence.parsed.sentence.start
    return [
        entity.span.shifted(-start)
        for entity in find_entities(sentence.parsed, sentence.clause.values)
        if entity.category in categories
    ]
