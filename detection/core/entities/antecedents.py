"""Resolve pronouns to the last name that fits, or to the topic of the text (METHODS C.1).

If nothing fits, the pronoun stays: a wrong name would make a true claim false.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from detection.core.entities.categories import category_of_name
from detection.core.types import EntityCategory, ParsedSentence, Token

_SUBJECTS: Final = frozenset({"nsubj", "nsubj:pass", "nsubj:outer"})


class Kind(StrEnum):
    """The distinctions that pronouns make."""

    PERSON = "person"
    THING = "thing"
    SEVERAL = "several"


_KINDS: Final = {
    **dict.fromkeys(("he", "she", "him", "her", "his", "hers", "himself", "herself"), Kind.PERSON),
    **dict.fromkeys(("it", "its", "itself"), Kind.THING),
    **dict.fromkeys(("they", "them", "their", "theirs", "themselves"), Kind.SEVERAL),
}
_THINGS: Final = frozenset(
    {
        EntityCategory.ORGANISATION,
        EntityCategory.PLACE,
        EntityCategory.EVENT,
        EntityCategory.PRODUCT,
        EntityCategory.WORK,
        EntityCategory.OTHER,
    }
)
_GENDERS: Final = {
    **dict.fromkeys(("he", "him", "his", "himself"), "male"),
    **dict.fromkeys(("she", "her", "hers", "herself"), "female"),
}
#: Number of previous sentences in which a name that is not a subject can be an antecedent.
_MEMORY: Final = 2


@dataclass(frozen=True, slots=True)
class Mention:
    """A name in the text. ``start`` counts in the document."""

    name: str
    kind: Kind
    sentence: int
    start: int
    is_subject: bool


class Antecedents:
    """The names of a text, in order. ``topic`` is the topic of the text, if known."""

    def __init__(self, sentences: Sequence[ParsedSentence], topic: str | None) -> None:
        self._topic = topic
        self._mentions = [mention for sentence in sentences for mention in _mentions(sentence)]
        self._topic_kind = _kind_of_topic(sentences, topic, self._mentions)
        self._topic_gender = _usual_gender(sentences)

    def of(self, pronoun: str, sentence: ParsedSentence, start: int) -> str | None:
        """The name that ``pronoun`` at ``start`` (counted in the document) refers to; None when nothing fits."""
        kind = _KINDS.get(pronoun.casefold())
        if kind is None:
            return None
        index, fits_topic = sentence.sentence.index, self._fits_topic(pronoun, kind)
        before = [
            mention
            for mention in self._mentions
            if mention.start < start
            and mention.kind is kind
            and index - mention.sentence <= _MEMORY
            and (fits_topic or not self._is_topic(mention.name))
        ]
        subjects = [mention for mention in before if mention.is_subject and index - mention.sentence <= 1]
        if subjects:
            # A pronoun may refer to the topic anywhere, but to another name only right after that name.
            return self.full_name(subjects[-1].name)
        if fits_topic and self._topic is not None:
            return self._topic
        return self.full_name(before[-1].name) if before else None

    def full_name(self, name: str) -> str:
        """The topic for a part of its name ("Lindqvist" for "Marta Lindqvist"), any other name unchanged."""
        return self._topic if self._topic is not None and self._is_topic(name) else name

    def _fits_topic(self, pronoun: str, kind: Kind) -> bool:
        gender = _GENDERS.get(pronoun.casefold())
        same_gender = gender is None or self._topic_gender in (gender, None)
        return self._topic_kind in (kind, None) and same_gender

    def _is_topic(self, name: str) -> bool:
        return self._topic is not None and _is_part_of(name, self._topic)


def _is_part_of(name: str, topic: str) -> bool:
    words = re.findall(r"\w+", name.casefold())
    return bool(words) and set(words) <= set(re.findall(r"\w+", topic.casefold()))


def _mentions(sentence: ParsedSentence) -> Iterator[Mention]:
    for entity in sentence.entities:
        place = entity.span.shifted(-sentence.sentence.start)
        kind = _kind(category_of_name(sentence, place, entity.category))
        if kind is not None:
            head = _head(sentence.tokens, entity.span.start, entity.span.end)
            is_subject = head is not None and head.dependency in _SUBJECTS
            yield Mention(entity.text, kind, sentence.sentence.index, entity.span.start, is_subject)


def _kind(category: EntityCategory) -> Kind | None:
    if category is EntityCategory.PERSON:
        return Kind.PERSON
    if category is EntityCategory.GROUP:
        return Kind.SEVERAL
    return Kind.THING if category in _THINGS else None


def _head(tokens: Sequence[Token], start: int, end: int) -> Token | None:
    """The token of a stretch whose head is outside the stretch."""
    inside = [i for i, token in enumerate(tokens) if start <= token.span.start and token.span.end <= end]
    return next((tokens[i] for i in inside if tokens[i].head not in inside or tokens[i].head == i), None)


def _kind_of_topic(sentences: Sequence[ParsedSentence], topic: str | None, mentions: Sequence[Mention]) -> Kind | None:
    """The kind of the topic, by its names in the text and by the most frequent subject pronouns."""
    if topic is None:
        return None
    counts = Counter(mention.kind for mention in mentions if _is_part_of(mention.name, topic))
    counts.update(
        _KINDS[token.text.casefold()]
        for sentence in sentences
        for token in sentence.tokens
        if token.dependency in _SUBJECTS and token.text.casefold() in _KINDS
    )
    return counts.most_common(1)[0][0] if counts else None


def _usual_gender(sentences: Sequence[ParsedSentence]) -> str | None:
    """The gender of the most frequent person."""
    words = (token.text.casefold() for sentence in sentences for token in sentence.tokens)
    counts = Counter(_GENDERS[word] for word in words if word in _GENDERS)
    return counts.most_common(1)[0][0] if counts else None
