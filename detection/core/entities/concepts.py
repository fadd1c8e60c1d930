"""The key concepts of a sentence, which are checked before the text continues (METHODS D.1).

About three for each sentence: its values and names, and important nouns.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from detection.core.entities.search import CATEGORIES_OF_VALUES, find_entities
from detection.core.language.vocabulary import words
from detection.core.rules.base import Value
from detection.core.rules.names import name_words
from detection.core.types import Entity, EntityCategory, ParsedSentence, Span, Token

#: Keywords are added up to this many concepts; values and names are never left out.
MAX_WITH_KEYWORDS: Final = 4


class ConceptKind(IntEnum):
    """The kind of a concept, in order of priority: invented facts are most often values."""

    VALUE = 0
    NAME = 1
    KEYWORD = 2


@dataclass(frozen=True, slots=True)
class Concept:
    """A phrase of a sentence that can be right or wrong: ``text`` is exactly the characters at ``span``.

    Spans count in the document.
    """

    span: Span
    text: str
    kind: ConceptKind


_VALUES: Final = frozenset(CATEGORIES_OF_VALUES.values())
_IN_PHRASE: Final = frozenset({"ADJ", "NOUN", "PROPN", "NUM"})
_HEADS: Final = frozenset({"NOUN", "PROPN"})
_HYPHENS: Final = frozenset("-‐‑–")
_EMPTY_ADJECTIVES: Final = frozenset(
    words(
        "other such many several various more most own same few much numerous certain different some any all both last"
        " next whole entire following former latter recent previous"
    )
)
#: Nouns without own meaning: "the number of", "for example", "in addition".
_EMPTY_NOUNS: Final = frozenset(
    words(
        "example fact part way thing number time year month week day people person case kind type sort lot variety"
        " range addition result end order course one note conclusion summary overview sentence answer question"
        " anything something nothing everything everyone someone nobody everybody none today yesterday tomorrow"
        " instance total majority minority piece bit amount rest reason place side point contrast view opinion half"
    )
)


def key_concepts(sentence: ParsedSentence, values: Sequence[Value], topic: str | None = None) -> tuple[Concept, ...]:
    """The key concepts of a sentence, in order and without overlap. A sentence that states no fact has none.

    Args:
        sentence: the sentence with its parse.
        values: what :func:`detection.core.rules.extract` reads in it.
        topic: what the text is about. It is given and not questioned.
    """
    if not sentence.states_fact:
        return ()
    entities = find_entities(sentence, values)
    certain = [_concept_of_entity(sentence, entity, entities) for entity in entities]
    keywords = list(_keywords(sentence, [concept.span for concept in certain]))
    room = max(0, MAX_WITH_KEYWORDS - len(certain))
    # New information is usually at the end of a sentence.
    chosen = keywords[-room:] if room else []
    found = [*certain, *(_concept(sentence, span, ConceptKind.KEYWORD) for span in chosen)] or _main_word(sentence)
    return tuple(
        sorted(
            (concept for concept in found if topic is None or not _restates(concept.text, topic)),
            key=lambda concept: concept.span,
        )
    )


def by_worth(concepts: Sequence[Concept]) -> tuple[Concept, ...]:
    """The concepts by priority: values, then names, then keywords, each in order."""
    return tuple(sorted(concepts, key=lambda concept: (concept.kind, concept.span)))


def _concept(sentence: ParsedSentence, span: Span, kind: ConceptKind) -> Concept:
    return Concept(span, span.shifted(-sentence.sentence.start).of(sentence.text), kind)


def _concept_of_entity(sentence: ParsedSentence, entity: Entity, entities: Sequence[Entity]) -> Concept:
    if entity.category not in _VALUES:
        return _concept(sentence, entity.span, ConceptKind.NAME)
    span = entity.span
    if entity.category is EntityCategory.QUANTITY:
        runs = _runs(sentence, [entity.span for entity in entities])
        counted = next((run for run in runs if run[0].span.start == span.end + 1), ())
        last = next((token for token in reversed(counted) if token.pos in _HEADS), None)
        # "Three children", "second-largest city": the value with the noun that it counts or ranks.
        span = Span(span.start, last.span.end) if last else span
    return _concept(sentence, span, ConceptKind.VALUE)


def _keywords(sentence: ParsedSentence, taken: Sequence[Span]) -> Iterator[Span]:
    """The noun phrases besides values and names, without articles and empty words."""
    for run in _runs(sentence, taken):
        kept = list(run)
        while kept and kept[0].lemma.lower() in _EMPTY_ADJECTIVES:
            kept.pop(0)
        while kept and kept[-1].pos not in _HEADS:
            kept.pop()
        if any(token.lemma.lower() not in _EMPTY_NOUNS and token.pos != "NUM" for token in kept):
            yield Span(kept[0].span.start, kept[-1].span.end)


def _runs(sentence: ParsedSentence, taken: Sequence[Span]) -> Iterator[tuple[Token, ...]]:
    """Adjectives and nouns in a row, with hyphens between them, outside of what is ``taken``."""
    run: list[Token] = []
    for token in sentence.tokens:
        is_free = not any(token.span.overlaps(span) for span in taken)
        if is_free and run and _goes_on(run[-1], token):
            run.append(token)
            continue
        if run:
            yield tuple(run)
        run = [token] if is_free and _may_stand_in_phrase(token) else []
    if run:
        yield tuple(run)


def _goes_on(last: Token, token: Token) -> bool:
    gap = token.span.start - last.span.end
    if not gap:
        return token.text in _HYPHENS or (last.text in _HYPHENS and _may_stand_in_phrase(token))
    return last.text not in _HYPHENS and _may_stand_in_phrase(token)


def _may_stand_in_phrase(token: Token) -> bool:
    is_participle = token.pos == "VERB" and token.dependency in ("amod", "compound")
    return token.pos in _IN_PHRASE or is_participle


def _main_word(sentence: ParsedSentence) -> list[Concept]:
    """The main verb or adjective of a sentence without names, values and nouns: "rained" in "It rained"."""
    root = next((token for place, token in enumerate(sentence.tokens) if token.head == place), None)
    is_said = root is not None and root.pos in ("VERB", "ADJ", "ADV")
    return [_concept(sentence, root.span, ConceptKind.KEYWORD)] if root is not None and is_said else []


def _restates(text: str, topic: str) -> bool:
    """True for "Lind" and "Ada Lind" if the text is about Ada Lind."""
    own = set(name_words(text))
    return bool(own) and own <= set(name_words(topic))
