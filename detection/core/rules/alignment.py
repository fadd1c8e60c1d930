"""Find values of two sentences that clash because both fill the same slot.

A difference alone proves nothing: "married in 1960" and "published in 1958" are both true. So each clash has a
strength: the certainty that the slot is the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from detection.core.language.tree import Tree
from detection.core.language.vocabulary import fold
from detection.core.rules import extract_from
from detection.core.rules.base import Family, Relation, Value
from detection.core.rules.dates import Date
from detection.core.rules.names import Name
from detection.core.rules.reading import Reading
from detection.core.rules.slots import Clause
from detection.core.rules.statement import states
from detection.core.rules.strength import strength_of_clash
from detection.core.types import ParsedSentence

__all__ = ["STRONG", "Clause", "ValueConflict", "conflicts", "conflicts_between", "missing", "prepare"]

STRONG = 0.6
"""Minimum strength of a clash that may be shown without the opinion of a model."""


@dataclass(frozen=True, slots=True)
class ValueConflict:
    """Two values that cannot both be true if they are about the same thing.

    The span of each value counts in its own sentence's text. ``strength`` is from 0 to 1: near 1 if event, attribute
    and subject agree, near 0 if only the family does. ``reason`` is in plain words: "1932 against 1936".
    """

    premise: Value
    hypothesis: Value
    strength: float

    @property
    def family(self) -> Family:
        return self.hypothesis.family

    @property
    def reason(self) -> str:
        return f"{self.premise.text} against {self.hypothesis.text}"

    @property
    def is_strong(self) -> bool:
        return self.strength >= STRONG


def prepare(parsed: ParsedSentence) -> Clause:
    """Prepare a sentence for many comparisons."""
    reading = Reading.of(parsed)
    return Clause(reading, Tree.of(parsed), extract_from(reading))


def conflicts(premise: ParsedSentence, hypothesis: ParsedSentence) -> tuple[ValueConflict, ...]:
    """The values of the hypothesis that clash with values of the premise, the strongest clash of each, in order."""
    return conflicts_between(prepare(premise), prepare(hypothesis))


def conflicts_between(premise: Clause, hypothesis: Clause) -> tuple[ValueConflict, ...]:
    """Like :func:`conflicts`, for prepared sentences.

    None for a sentence that is too long to parse, because the slots of its values are unknown.
    """
    if not (premise.tree.tokens and hypothesis.tree.tokens):
        return ()
    found = []
    for value in hypothesis.values:
        strongest = max(_clashes(premise, hypothesis, value), key=lambda clash: clash.strength, default=None)
        if strongest is not None and strongest.strength > 0:
            found.append(strongest)
    return tuple(found)


def _clashes(premise: Clause, hypothesis: Clause, value: Value) -> Iterator[ValueConflict]:
    relations = [(other, other.relation_to(value)) for other in premise.values]
    if any(relation.agrees and not _is_matched(other, value, hypothesis) for other, relation in relations):
        return
    for other, relation in relations:
        if relation is Relation.CONFLICT and not _appears_in(other, hypothesis.values):
            strength = strength_of_clash(premise.slot(other), hypothesis.slot(value))
            if value.family in _COUNTS and _tell_of_other_times(premise, hypothesis):
                strength = min(strength, _STRENGTH_AT_OTHER_TIME)
            if count_for_two_names(premise, other, hypothesis, value):
                strength = min(strength, _STRENGTH_FOR_OTHER_NAME)
            if _describes_a_part(premise, other, hypothesis) or _describes_a_part(hypothesis, value, premise):
                strength = min(strength, _STRENGTH_OF_A_PART)
            if _are_of_two_wholes(premise, other, hypothesis, value):
                strength = min(strength, _STRENGTH_OF_A_PART)
            yield ValueConflict(other, value, strength)


def _is_matched(other: Value, value: Value, hypothesis: Clause) -> bool:
    """Whether another value of the hypothesis has exactly the words of ``other``.

    "30 days, four weeks in advance": the "four weeks" of the premise match those of the hypothesis, not its 30 days.
    """
    words = fold(other.text)
    return fold(value.text) != words and any(fold(own.text) == words for own in hypothesis.values)


def missing(premise_clauses: Sequence[Clause], hypothesis: Clause) -> tuple[Value, ...]:
    """The values of the hypothesis that no clause of the premise states, in order.

    The same value in any form, or a more precise one, states a value: "12 March 1957" states "1957", "7.5 miles" states
    "12 km", "Oslo" states "Norway", but not the reverse. Counted nouns, predicates and words with an opposite are
    ignored. A name that is known from elsewhere (the topic, a heading) counts as missing, too.
    """
    stated = [value for clause in premise_clauses for value in clause.values]
    texts = [fold(clause.reading.text) for clause in premise_clauses]
    return tuple(
        value
        for value in hypothesis.values
        if value.family is not Family.OPPOSITE
        and not any(states(other, value) and not _is_matched(other, value, hypothesis) for other in stated)
        and not any(_holds_words(text, value.text) for text in texts)
    )


def _holds_words(folded_text: str, wording: str) -> bool:
    return re.search(rf"(?<!\w)(?<!\d[.,]){re.escape(fold(wording))}(?!\w|[.,]\d)", folded_text) is not None


_COUNTS = frozenset({Family.NUMBER, Family.SHARE, Family.MONEY, Family.QUANTITY, Family.DURATION, Family.FREQUENCY})
_STRENGTH_AT_OTHER_TIME = 0.4


_STRENGTH_FOR_OTHER_NAME = 0.4
#: Words between a count and its name: "12 km south of", "300 members in".
_BEFORE_ITS_NAME = re.compile(r"\s(?:[a-z]+\s){0,2}(?:from|of|to|for|against|in|at)\s(?:the\s)?")


def count_for_two_names(premise: Clause, value: Value, hypothesis: Clause, other: Value) -> bool:
    """True when two counts are followed by two names: "12 km from Oslo", "40 km from Bergen"."""
    if value.family not in _COUNTS:
        return False
    one, another = _name_behind(premise, value), _name_behind(hypothesis, other)
    return one is not None and another is not None and one.relation_to(another) is Relation.CONFLICT


def _name_behind(clause: Clause, value: Value) -> Name | None:
    following = (name for name in clause.values if isinstance(name, Name) and name.span.start > value.span.end)
    name = next(following, None)
    if name is None or _BEFORE_ITS_NAME.fullmatch(clause.reading.text, value.span.end, name.span.start) is None:
        return None
    return name


_STRENGTH_OF_A_PART = 0.4
_MIN_INFORMATIVE_WORD = 3


def _describes_a_part(clause: Clause, value: Value, other: Clause) -> bool:
    """True for "the 23 people employed in the kitchen" next to a count without a kitchen."""
    described = clause.description(value)
    if described is None:
        return False
    tokens = clause.tree.tokens
    start = clause.reading.token_span(described).end
    name = next((one for one in clause.values if isinstance(one, Name) and one.span.start > start), None)
    end = described + 1
    while end < len(tokens) and tokens[end].pos in _IN_A_PLACE:
        end += 1
        if name is not None and clause.reading.token_span(end - 1).end >= name.span.end:
            break  # after a name the parser may tag a verb as a noun
    known = set(_WORDS.findall(other.reading.text.casefold()))
    place = (token.text.casefold() for token in tokens[described + 1 : end] if token.pos in _TELLS_A_PLACE)
    return any(len(word) >= _MIN_INFORMATIVE_WORD and word not in known for word in place)


def _are_of_two_wholes(premise: Clause, value: Value, hypothesis: Clause, other: Value) -> bool:
    """True for "the zest of three lemons" next to "the juice of two lemons"."""
    one, another = premise.whole(value), hypothesis.whole(other)
    return one is not None and another is not None and one != another


_IN_A_PLACE = frozenset({"ADP", "DET", "ADJ", "NOUN", "PROPN", "NUM"})
_TELLS_A_PLACE = frozenset({"ADJ", "NOUN", "PROPN", "NUM"})
_WORDS = re.compile(r"[\w'’-]+")


def _tell_of_other_times(premise: Clause, hypothesis: Clause) -> bool:
    """True if two dates of the sentences clash: a count of April 2020 is not one of May 2020."""
    dates = [value for value in premise.values if isinstance(value, Date)]
    return any(
        isinstance(value, Date) and date.relation_to(value) is Relation.CONFLICT
        for date in dates
        for value in hypothesis.values
    )


def _appears_in(value: Value, others: Iterable[Value]) -> bool:
    return any(value.relation_to(other).agrees for other in others)
