"""Which value of one sentence clashes with which value of another, because both fill the same slot.

A difference alone proves nothing: "married in 1960" and "published in 1958" are both true. So a clash is reported with
its strength, how sure it is that the slot is the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from detection.core.rules import extract_from
from detection.core.rules.base import Family, Relation, Value
from detection.core.rules.reading import Reading
from detection.core.rules.slots import Agreement, Clause, Slot, agreement
from detection.core.rules.syntax import Tree
from detection.core.rules.vocabulary import words
from detection.core.types import ParsedSentence

STRONG = 0.6
"""From this strength on a clash may be shown to a reader without another opinion."""


@dataclass(frozen=True, slots=True)
class ValueConflict:
    """Two values that cannot both be true if they are said of the same thing.

    The span of each value counts in its own sentence's text. ``strength`` is from 0 to 1: near 1 when event, attribute
    and whom it is said of agree, near 0 when only the family does. ``reason`` is in plain words: "1932 against 1936".
    """

    premise: Value
    hypothesis: Value
    family: Family
    strength: float
    reason: str

    @property
    def is_strong(self) -> bool:
        return self.strength >= STRONG


def prepare(parsed: ParsedSentence) -> Clause:
    """Read a sentence once for many comparisons."""
    reading = Reading.of(parsed)
    return Clause(reading, Tree.of(parsed), extract_from(reading))


def conflicts(premise: ParsedSentence, hypothesis: ParsedSentence) -> tuple[ValueConflict, ...]:
    """The values of the hypothesis that clash with values of the premise, the strongest clash of each, in order."""
    return conflicts_between(prepare(premise), prepare(hypothesis))


def conflicts_between(premise: Clause, hypothesis: Clause) -> tuple[ValueConflict, ...]:
    """:func:`conflicts` for sentences that have been prepared already."""
    found = []
    for value in hypothesis.values:
        strongest = max(_clashes(premise, hypothesis, value), key=lambda clash: clash.strength, default=None)
        if strongest is not None and strongest.strength > 0:
            found.append(strongest)
    return tuple(found)


def _clashes(premise: Clause, hypothesis: Clause, value: Value) -> Iterator[ValueConflict]:
    relations = [(other, other.relation_to(value)) for other in premise.values]
    if any(relation.agrees for _, relation in relations):
        return
    for other, relation in relations:
        if relation is Relation.CONFLICT and not _appears_in(other, hypothesis.values):
            strength = _strength(premise.slot(other), hypothesis.slot(value))
            yield ValueConflict(other, value, value.family, strength, f"{other.text} against {value.text}")


def _appears_in(value: Value, others: Iterable[Value]) -> bool:
    return any(value.relation_to(other).agrees for other in others)


# Events that happen once to the same thing, so that two dates of them exclude each other.
_ONCE = frozenset(
    words("birth death founding construction opening closure dissolution destruction cancellation beginning end")
)
# Events that happen to the same people again and again.
_REPEATABLE = frozenset(
    words(
        "win visit play appear perform direction writing score sign run attend say report return travel meet host award"
        " receive nominate lose defeat beat fight record tour compete participate occur happen hold serve work exhibit"
    )
)
_TIMES = frozenset({Family.DATE, Family.TIME})


def _strength(premise: Slot, hypothesis: Slot) -> float:
    """How sure it is that the two slots are one, 0 to 1."""
    about = (
        agreement(premise.subject, hypothesis.subject),
        agreement(premise.patient, hypothesis.patient),
    )
    if Agreement.DIFFER in about:
        return 0.0
    family = hypothesis.value.family
    if family in _TIMES:
        return _strength_of_times(premise, hypothesis)
    return 0.0


def _strength_of_times(premise: Slot, hypothesis: Slot) -> float:
    if premise.event is None or hypothesis.event is None:
        return 0.15
    if premise.event != hypothesis.event:
        return 0.0
    if _names_other_patient(premise, hypothesis):
        return 0.3
    if premise.event in _ONCE:
        return 0.85
    complements = _agreement_of_complements(premise, hypothesis)
    if complements is Agreement.DIFFER:
        return 0.2
    if premise.event in _REPEATABLE:
        return 0.35
    return 0.8


def _names_other_patient(premise: Slot, hypothesis: Slot) -> bool:
    """True when the objects of two active verbs may be two things: a career in music and one as a soloist."""
    one, other = premise.patient, hypothesis.patient
    if one is None or other is None or one is premise.subject or other is hypothesis.subject:
        return False
    if one.agreement(other) is not Agreement.AGREE:
        return not (one.is_pronoun or other.is_pronoun)
    return bool(one.modifiers and other.modifiers and one.modifiers.isdisjoint(other.modifiers))


def _agreement_of_complements(premise: Slot, hypothesis: Slot) -> Agreement:
    shared = premise.complements.keys() & hypothesis.complements.keys()
    results = [premise.complements[role].agreement(hypothesis.complements[role]) for role in shared]
    if any(result is not Agreement.AGREE for result in results):
        return Agreement.DIFFER
    return Agreement.AGREE if results else Agreement.OPEN
