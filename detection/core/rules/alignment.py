"""Which value of one sentence clashes with which value of another, because both fill the same slot.

A difference alone proves nothing: "married in 1960" and "published in 1958" are both true. So a clash is reported with
its strength, how sure it is that the slot is the same.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from detection.core.rules import extract_from
from detection.core.rules.base import Family, Relation, Value
from detection.core.rules.dates import Date
from detection.core.rules.numbers import Number, Score
from detection.core.rules.opposites import Opposite
from detection.core.rules.reading import Reading
from detection.core.rules.slots import Agreement, Clause, Gender, Phrase, Slot, agreement
from detection.core.rules.statement import states
from detection.core.rules.syntax import Tree
from detection.core.rules.vocabulary import fold, words
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
            if value.family in _COUNTS and _tell_of_other_times(premise, hypothesis):
                strength = min(strength, _STRENGTH_AT_OTHER_TIME)
            yield ValueConflict(other, value, value.family, strength, f"{other.text} against {value.text}")


def missing(premise_clauses: Sequence[Clause], hypothesis: Clause) -> tuple[Value, ...]:
    """The values of the hypothesis that no clause of the premise states, in order.

    A value is stated where the same one stands, in whatever form, or a more precise one: "12 March 1957" states
    "1957", "7.5 miles" states "12 km", "Oslo" states "Norway", but not the other way round. What is counted or told
    of it is not looked at, and neither are words with an opposite. A name that is known from elsewhere (the topic, a
    heading) is missing here, too.
    """
    stated = [value for clause in premise_clauses for value in clause.values]
    texts = [fold(clause.reading.text) for clause in premise_clauses]
    return tuple(
        value
        for value in hypothesis.values
        if value.family is not Family.OPPOSITE
        and not any(states(other, value) for other in stated)
        and not any(_holds_words(text, value.text) for text in texts)
    )


def _holds_words(folded_text: str, wording: str) -> bool:
    return re.search(rf"(?<!\w)(?<!\d[.,]){re.escape(fold(wording))}(?!\w|[.,]\d)", folded_text) is not None


_COUNTS = frozenset({Family.NUMBER, Family.SHARE, Family.MONEY, Family.QUANTITY, Family.DURATION})
_STRENGTH_AT_OTHER_TIME = 0.4


def _tell_of_other_times(premise: Clause, hypothesis: Clause) -> bool:
    """True when two dates of the sentences clash: a count of April 2020 is not one of May 2020."""
    dates = [value for value in premise.values if isinstance(value, Date)]
    return any(
        isinstance(value, Date) and date.relation_to(value) is Relation.CONFLICT
        for date in dates
        for value in hypothesis.values
    )


def _appears_in(value: Value, others: Iterable[Value]) -> bool:
    return any(value.relation_to(other).agrees for other in others)


# Events that happen once to the same thing, so that two dates of them exclude each other.
_ONCE = frozenset(
    words("birth death founding construction opening closure dissolution destruction cancellation beginning end")
)
# Events that happen once to most things: a second date is hardly true as well.
_ONCE_TO_A_THING = frozenset(
    words(
        "release broadcast discovery invention writing composition design marriage graduation retirement resignation"
        " immigration abandon add list settle date deploy"
    )
)
# Events that happen to the same people again and again.
_REPEATABLE = frozenset(
    words(
        "win visit play appear perform direction writing score sign run attend say report return travel meet host "
        " award receive naming nominate lose defeat beat fight record tour compete participate"
        " occur happen hold serve work exhibit election select re-elect"
    )
)
# Whoever or whatever fills these roles is one: the place of a birth, the director of a film.
_ONE_NAME = {
    ("birth", "in"): 0.9,
    ("birth", "at"): 0.9,
    ("death", "in"): 0.9,
    ("death", "at"): 0.7,
    ("location", "in"): 0.8,
    ("base", "in"): 0.8,
    ("direction", "agent"): 0.8,
    ("production", "agent"): 0.7,
    ("founding", "agent"): 0.8,
    ("design", "agent"): 0.7,
    ("construction", "agent"): 0.7,
    ("writing", "agent"): 0.8,
    ("composition", "agent"): 0.8,
    ("discovery", "agent"): 0.8,
    ("invention", "agent"): 0.8,
    ("command", "agent"): 0.65,
    ("development", "agent"): 0.65,
    ("broadcast", "on"): 0.65,
    ("marriage", "patient"): 0.6,
}
_STRENGTH_OF_NATIONALITY = 0.65

_Strength = Callable[[Slot, Slot], float]


def _strength(premise: Slot, hypothesis: Slot) -> float:
    """How sure it is that the two slots are one, 0 to 1."""
    about = (
        agreement(premise.subject, hypothesis.subject),
        agreement(premise.patient, hypothesis.patient),
    )
    if Agreement.DIFFER in about or premise.is_denied or hypothesis.is_denied:
        # "was not built in 1936" leaves every other year open.
        return 0.0
    strength = _STRENGTHS[hypothesis.value.family](premise, hypothesis)
    return min(strength, _STRENGTH_OF_OTHER_KIND) if _tell_of_other_kinds(premise, hypothesis) else strength


_STRENGTH_OF_OTHER_KIND = 0.5


def _tell_of_other_kinds(premise: Slot, hypothesis: Slot) -> bool:
    """True when the subjects are different common nouns, which may well be two things: "the mill", "the school"."""
    return (
        premise.subject is not None
        and hypothesis.subject is not None
        and premise.subject.is_other_kind(hypothesis.subject)
    )


def _strength_of_names(premise: Slot, hypothesis: Slot) -> float:
    if premise.role != hypothesis.role:
        return 0.0
    if premise.role == "nationality":
        return _STRENGTH_OF_NATIONALITY
    if premise.event is None or premise.event != hypothesis.event:
        return 0.0
    if not all(slot.value.text.split()[-1][0].isupper() for slot in (premise, hypothesis)):
        # "born in a Kallar family"
        return 0.0
    if premise.event == "command" and agreement(premise.patient, hypothesis.patient) is not Agreement.AGREE:
        return 0.3
    return _ONE_NAME.get((premise.event, premise.role), 0.1)


def _strength_of_counts(premise: Slot, hypothesis: Slot) -> float:
    """Numbers, shares, money, quantities, durations: the same thing must be counted, or measured of the same thing."""
    if premise.is_partial or hypothesis.is_partial or isinstance(hypothesis.value, Score):
        return 0.4
    is_label = "-" in premise.value.text or "-" in hypothesis.value.text
    if is_label and not (premise.is_predicated and hypothesis.is_predicated):
        # "the 100-metre race" and "the 200-metre race"
        return 0.4
    thing, other = _thing(premise), _thing(hypothesis)
    if thing == "time":
        # "a two-time champion"
        return 0.4
    if thing is not None and thing == other:
        same_event = premise.event == hypothesis.event
        return 0.85 if same_event else 0.7 if None in (premise.event, hypothesis.event) else 0.5
    if premise.event is not None and premise.event == hypothesis.event:
        return 0.65 if thing is None and other is None else 0.5
    return 0.2


def _thing(slot: Slot) -> str | None:
    counted = slot.value.counted if isinstance(slot.value, Number) else None
    return counted or slot.attribute


def _strength_of_ordinals(premise: Slot, hypothesis: Slot) -> float:
    # "his first book" and "his second book" are two books, unless they say which one a certain book is.
    same_place = premise.role == hypothesis.role and premise.event == hypothesis.event
    return 0.6 if same_place and premise.is_predicated and hypothesis.is_predicated else 0.2


# Both of them happen to most things, one after the other.
_ONE_AFTER_THE_OTHER = frozenset(("buy sell", "open close", "join leave", "begin end", "arrive depart", "hire fire"))
# Of two persons, one may be the one and the other the other.
_NEEDS_SUBJECT = frozenset(("man woman", "win lose", "victory defeat", "king queen", "winner loser"))
_KINSHIP = "son daughter"
_ORDER_IN_TIME = "before after"


def _strength_of_opposites(premise: Slot, hypothesis: Slot) -> float:
    if premise.role != hypothesis.role or premise.attribute != hypothesis.attribute:
        return 0.1
    axis = hypothesis.value.axis if isinstance(hypothesis.value, Opposite) else None
    if axis in _ONE_AFTER_THE_OTHER or (axis == _ORDER_IN_TIME and premise.attribute is None):
        return 0.3
    if axis in _NEEDS_SUBJECT and agreement(premise.subject, hypothesis.subject) is not Agreement.AGREE:
        return 0.3
    owners = agreement(premise.owner, hypothesis.owner)
    has_owner = premise.owner is not None or hypothesis.owner is not None or (axis or "").startswith(_KINSHIP)
    return 0.3 if has_owner and owners is not Agreement.AGREE else 0.6


def _strength_of_times(premise: Slot, hypothesis: Slot) -> float:
    if premise.event is None or hypothesis.event is None:
        return 0.15
    if premise.event != hypothesis.event:
        return 0.0
    if _names_other_patient(premise, hypothesis):
        return 0.3
    complements = _agreement_of_complements(premise, hypothesis)
    if complements is Agreement.DIFFER and premise.event in ("beginning", "end"):
        return 0.2
    if premise.is_noun_event is not hypothesis.is_noun_event and not _have_one_subject(premise, hypothesis):
        return 0.4
    if premise.event in _ONCE:
        return 0.85
    if complements is Agreement.DIFFER:
        return 0.2
    if premise.event == "release" and (_is_of_person(premise) or _is_of_person(hypothesis)):
        return 0.3
    if premise.event in _REPEATABLE:
        return 0.35
    same_thing = agreement(premise.patient, hypothesis.patient) is Agreement.AGREE and not _is_person(premise.patient)
    is_certain = same_thing or complements is Agreement.AGREE or premise.event in _ONCE_TO_A_THING
    return 0.8 if is_certain else 0.4


def _is_person(phrase: Phrase | None) -> bool:
    return phrase is not None and phrase.gender in (Gender.MALE, Gender.FEMALE)


def _is_of_person(slot: Slot) -> bool:
    """True for "her 2004 release", which is one of several."""
    return slot.patient is None and _is_person(slot.subject)


def _have_one_subject(premise: Slot, hypothesis: Slot) -> bool:
    """False for "he died" and "upon Moritz's death", which speaks of somebody else than its own sentence does."""
    by_noun = premise if premise.is_noun_event else hypothesis
    has_name = by_noun.subject is not None and bool(by_noun.subject.names)
    return not has_name or agreement(premise.subject, hypothesis.subject) is Agreement.AGREE


def _names_other_patient(premise: Slot, hypothesis: Slot) -> bool:
    """True when the objects of two active verbs may be two things: a career in music and one as a soloist."""
    one, other = premise.patient, hypothesis.patient
    if one is None or other is None or one == premise.subject or other == hypothesis.subject:
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


_STRENGTHS: dict[Family, _Strength] = {
    Family.DATE: _strength_of_times,
    Family.TIME: _strength_of_times,
    Family.NAME: _strength_of_names,
    Family.ORDINAL: _strength_of_ordinals,
    Family.OPPOSITE: _strength_of_opposites,
    Family.NUMBER: _strength_of_counts,
    Family.SHARE: _strength_of_counts,
    Family.MONEY: _strength_of_counts,
    Family.QUANTITY: _strength_of_counts,
    Family.DURATION: _strength_of_counts,
}
