"""Estimate the certainty that two clashing values fill the same slot, so that one of them is wrong.

The words alone never prove it. The estimate uses the event, whether it can happen twice, and its subject.
"""

from __future__ import annotations

from collections.abc import Callable

from detection.core.language.vocabulary import words
from detection.core.rules.base import Family
from detection.core.rules.dates import Date, DateKind
from detection.core.rules.numbers import Number, Score
from detection.core.rules.opposites import Opposite
from detection.core.rules.slots import DIMENSIONS, Agreement, Gender, Phrase, Slot, agreement

# Events that happen once to the same thing, so that two dates exclude each other.
_ONCE = frozenset(
    words("birth death founding construction opening closure dissolution destruction cancellation beginning end")
)
# Events that happen once to most things: a second date is probably wrong.
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
# Roles with only one filler: the place of a birth, the director of a film.
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


def strength_of_clash(premise: Slot, hypothesis: Slot) -> float:
    """The certainty that the two slots are the same, 0 to 1."""
    about = (
        agreement(*comparable_subjects(premise, hypothesis)),
        agreement(premise.patient, hypothesis.patient),
    )
    if Agreement.DIFFER in about or premise.is_denied or hypothesis.is_denied:
        # "was not built in 1936" leaves every other year open.
        return 0.0
    strength = _STRENGTHS[hypothesis.value.family](premise, hypothesis)
    return min(strength, _STRENGTH_OF_OTHER_KIND) if _tell_of_other_kinds(premise, hypothesis) else strength


_STRENGTH_OF_OTHER_KIND = 0.5


def _tell_of_other_kinds(premise: Slot, hypothesis: Slot) -> bool:
    """True if the subjects are different common nouns, which may be two things: "the mill", "the school"."""
    subject, other = comparable_subjects(premise, hypothesis)
    return subject is not None and other is not None and subject.is_other_kind(other)


def comparable_subjects(premise: Slot, hypothesis: Slot) -> tuple[Phrase | None, Phrase | None]:
    """The subjects; none where one suffers an event with a date and the other causes it.

    "The town was founded in 1243" and "monks founded the town in 1143" have one patient and two kinds of subject.
    """
    if hypothesis.value.family not in (Family.DATE, Family.TIME):
        return premise.subject, hypothesis.subject
    is_one_passive = premise.is_passive is not hypothesis.is_passive
    if is_one_passive and agreement(premise.patient, hypothesis.patient) is Agreement.AGREE:
        return None, None
    return premise.subject, hypothesis.subject


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


#: Seven of 2,754 claims about 230 sources had such a clash, and all seven were wrong.
_STRENGTH_OF_ONE_EVENT = 0.71


def _strength_of_counts(premise: Slot, hypothesis: Slot) -> float:
    """Numbers, shares, money, quantities, durations: both must count or measure the same thing."""
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
    if thing in DIMENSIONS and agreement(premise.subject, hypothesis.subject) is not Agreement.AGREE:
        # Everything has a length: "It is 90 km long" does not contradict "The bridge is 80 metres long".
        return 0.2
    if thing is not None and thing == other:
        same_event = premise.event == hypothesis.event
        # "It included 64 nurses", "eleven nurses felt dazed"
        return 0.85 if same_event else 0.7 if None in (premise.event, hypothesis.event) else 0.4
    if premise.event is not None and premise.event == hypothesis.event:
        return _STRENGTH_OF_ONE_EVENT if thing is None and other is None else 0.5
    return 0.2


def _strength_of_frequencies(premise: Slot, hypothesis: Slot) -> float:
    """The same event must happen to the same thing and target, unlike once to one port, twice to another."""
    same_event = premise.event is not None and premise.event == hypothesis.event
    if not same_event or _names_other_patient(premise, hypothesis):
        return 0.2
    is_other = _agreement_of_complements(premise, hypothesis) is Agreement.DIFFER
    return 0.3 if is_other else _STRENGTH_OF_ONE_EVENT


def _thing(slot: Slot) -> str | None:
    counted = slot.value.counted if isinstance(slot.value, Number) else None
    return counted or slot.attribute


def _strength_of_ordinals(premise: Slot, hypothesis: Slot) -> float:
    # "his first book" and "his second book" are two books, unless both are complements of one book.
    same_place = premise.role == hypothesis.role and premise.event == hypothesis.event
    return 0.6 if same_place and premise.is_predicated and hypothesis.is_predicated else 0.2


# Pairs of events that happen to most things one after the other.
_ONE_AFTER_THE_OTHER = frozenset(("open close", "join leave", "begin end", "arrive depart", "hire fire"))
# Pairs that may be true of two different persons.
_NEEDS_SUBJECT = frozenset(("man woman", "win lose", "victory defeat", "king queen", "winner loser"))
# Pairs that may be true of two objects (pass one plan, reject another), with ambiguous words.
_NEEDS_PATIENT = frozenset(
    ("approve reject", "support oppose", "allow forbid", "confirm deny", "love hate", "praise criticize")
)
_KINSHIP = "son daughter"
_ORDER_IN_TIME = "before after"


def _strength_of_opposites(premise: Slot, hypothesis: Slot) -> float:
    if premise.role != hypothesis.role or premise.attribute != hypothesis.attribute:
        return 0.1
    if premise.role == "ROOT" and None in (premise.subject, hypothesis.subject):
        # Two main verbs, one without a subject in the parse: the subjects may differ.
        return 0.3
    axis = hypothesis.value.axis if isinstance(hypothesis.value, Opposite) else None
    if axis in _ONE_AFTER_THE_OTHER or (axis == _ORDER_IN_TIME and premise.attribute is None):
        return 0.3
    if axis in _NEEDS_SUBJECT and agreement(premise.subject, hypothesis.subject) is not Agreement.AGREE:
        return 0.3
    if axis in _NEEDS_PATIENT and not _have_one_patient(premise, hypothesis):
        return 0.3
    owners = agreement(premise.owner, hypothesis.owner)
    has_owner = premise.owner is not None or hypothesis.owner is not None or (axis or "").startswith(_KINSHIP)
    return 0.3 if has_owner and owners is not Agreement.AGREE else 0.6


def _have_one_patient(premise: Slot, hypothesis: Slot) -> bool:
    """True if both have the same patient, or if one patient is a pronoun."""
    one, other = premise.patient, hypothesis.patient
    if one is None or other is None:
        return False
    return one.is_pronoun or other.is_pronoun or one.agreement(other) is Agreement.AGREE


_ENDINGS = frozenset(words("end closure cancellation dissolution expire"))


def _are_one_end(premise: Slot, hypothesis: Slot) -> bool:
    """True for "runs until 5 May" and "closes on 9 May": both give the end of the event."""
    return any(
        isinstance(lasting.value, Date)
        and lasting.value.kind is DateKind.EXTENT
        and lasting.value.end is not None
        and lasting.event in _LASTING
        and ending.event in _ENDINGS
        and agreement(lasting.subject or lasting.patient, ending.subject or ending.patient) is not Agreement.DIFFER
        for lasting, ending in ((premise, hypothesis), (hypothesis, premise))
    )


_LASTING = frozenset((*words("run last continue go stay remain exist operate opening show"), None))


def _strength_of_times(premise: Slot, hypothesis: Slot) -> float:
    if _are_one_end(premise, hypothesis):
        return 0.65
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


def happens_once(slot: Slot) -> bool:
    """True for an event that happens to one thing only once: a birth, an opening."""
    return slot.event in _ONCE


def may_happen_again(slot: Slot) -> bool:
    """True for repeated actions and lasting states of people, where a second date is no contradiction."""
    return slot.is_state or slot.event in _REPEATABLE


def _is_person(phrase: Phrase | None) -> bool:
    return phrase is not None and phrase.gender in (Gender.MALE, Gender.FEMALE)


def _is_of_person(slot: Slot) -> bool:
    """True for "her 2004 release", which is one of several."""
    return slot.patient is None and _is_person(slot.subject)


def _have_one_subject(premise: Slot, hypothesis: Slot) -> bool:
    """False for "he died" and "upon Moritz's death", which is about another person than its sentence."""
    by_noun = premise if premise.is_noun_event else hypothesis
    has_name = by_noun.subject is not None and bool(by_noun.subject.names)
    return not has_name or agreement(premise.subject, hypothesis.subject) is Agreement.AGREE


def _names_other_patient(premise: Slot, hypothesis: Slot) -> bool:
    """True if the objects of two active verbs may be two things: a career in music and one as a soloist."""
    one, other = premise.patient, hypothesis.patient
    if one is None or other is None or premise.is_passive or hypothesis.is_passive:
        return False
    if one.agreement(other) is not Agreement.AGREE:
        return one.is_another(other)
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
    Family.FREQUENCY: _strength_of_frequencies,
}
