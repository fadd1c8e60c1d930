"""Find conflicting values in otherwise equal sentences: "the room seats 180 people", "the room now seats 210"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from ..rules.alignment import ValueConflict, count_for_two_names
from ..rules.base import Family, Relation, Value
from .sentence import ComparableSentence, stem

#: Minimum share of the words around a value that must occur in the other sentence.
LEAST_COVERAGE = 0.6
_BASE, _SLOPE = 0.5, 0.4
#: A sentence that differs in two values is more likely about another occasion.
_DISCOUNT_OF_SEVERAL = 0.6


def conflicts_in_frame(
    premise: ComparableSentence, hypothesis: ComparableSentence, before: ComparableSentence | None = None
) -> tuple[ValueConflict, ...]:
    """The values of ``hypothesis`` that clash with one of ``premise``, if the rest of the sentence agrees.

    ``before`` is the sentence that resolves a pronoun of the premise. The strength grows with the share of the
    hypothesis that occurs in the premise.
    """
    known = premise.stems | before.stems if before else premise.stems
    clashes = [clash for value in hypothesis.clause.values for clash in _clashes(premise, known, hypothesis, value)]
    different = {clash.hypothesis.span for clash in clashes}
    if len(different) < 2:
        return tuple(clashes)
    return tuple(replace(clash, strength=clash.strength * _DISCOUNT_OF_SEVERAL) for clash in clashes)


def _clashes(
    premise: ComparableSentence, known: frozenset[str], hypothesis: ComparableSentence, value: Value
) -> Iterator[ValueConflict]:
    relations = [(other, other.relation_to(value)) for other in premise.clause.values]
    if any(relation.agrees for _, relation in relations) or _is_given_for_another(premise, value):
        return
    coverage = _coverage(known, hypothesis, value)
    if coverage < LEAST_COVERAGE or not _has_main_word(known, hypothesis, value):
        return
    strength = _BASE + _SLOPE * coverage
    for other, relation in relations:
        if relation is not Relation.CONFLICT or not _same_place(premise, other, hypothesis, value):
            continue
        if count_for_two_names(premise.clause, other, hypothesis.clause, value):
            continue
        if not any(other.relation_to(own).agrees for own in hypothesis.clause.values):
            yield ValueConflict(other, value, strength)


def _is_given_for_another(premise: ComparableSentence, value: Value) -> bool:
    """Whether the premise has the value's words for something it does not name: "one has 22 desks, the other 14"."""
    return value.family is not Family.OPPOSITE and mentions_words(premise.text, value.text)


def _coverage(known: frozenset[str], hypothesis: ComparableSentence, value: Value) -> float:
    """The share of the hypothesis' content words, without those of the value, that occur in the premise."""
    own = hypothesis.content_at(value.span)
    around = {stem(word) for word in hypothesis.content - own}
    return len(around & known) / len(around) if len(around) > 1 else 0.0


def _has_main_word(known: frozenset[str], hypothesis: ComparableSentence, value: Value) -> bool:
    """Whether the premise has the hypothesis' main word: "founded in 1987" does not conflict with "died in 1994"."""
    root = hypothesis.root
    return root not in hypothesis.content - hypothesis.content_at(value.span) or stem(root) in known


def _same_place(premise: ComparableSentence, other: Value, hypothesis: ComparableSentence, value: Value) -> bool:
    """Whether two values have the same role in both sentences; only names need this."""
    if value.family is not Family.NAME:
        return True
    if _marks_distance(premise, other) and _marks_distance(hypothesis, value):
        return False
    if mentions_words(hypothesis.text, other.text) or mentions_words(premise.text, value.text):
        return False
    return premise.clause.slot(other).role == hypothesis.clause.slot(value).role


_REFERENCE_POINT = re.compile(
    r"\b(?:(?:north|south|east|west)[a-z]*\sof|near|close\sto|(?:km|miles|kilomet\w+|met(?:er|re)s)\s(?:from|of))\s(?:the\s)?$"
)


def _marks_distance(sentence: ComparableSentence, name: Value) -> bool:
    """True for a reference point ("near Sorrel", "north of Sorrel"): a place may be near several others."""
    return _REFERENCE_POINT.search(sentence.text[: name.span.start]) is not None


def mentions_words(text: str, words: str) -> bool:
    """Whether ``text`` has every one of ``words``, ignoring case: parts of one name do not conflict."""
    return set(words.casefold().split()) <= set(re.findall(r"[\w'’-]+", text.casefold()))
