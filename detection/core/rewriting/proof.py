"""Verify a rewrite that replaces one value by another, before it is called "checked again".

The detectors say whether a problem remains (``recheck``). They do not say whether the new sentence is grammatical,
whether the new value has the position of the old one, and whether the rest of the sentence kept its meaning.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from ..comparing.frames import conflicts_in_frame
from ..comparing.reference import speak_of_two_things, tell_of_two_occasions
from ..comparing.sentence import ComparableSentence
from ..language.tree import FINITE
from ..language.vocabulary import words
from ..rules.alignment import conflicts_between
from ..rules.base import Family, Relation, Value
from ..rules.dates import Date
from ..rules.durations import Duration
from ..rules.numbers import Number
from ..rules.quantities import Quantity
from ..rules.slots import Agreement, Phrase, Slot, agreement
from ..rules.statement import amount_of
from ..rules.strength import comparable_subjects, happens_once
from ..types import Span
from .revise import Edit, edits


class Proof(StrEnum):
    """How well a rewrite is verified."""

    SHOWN = "shown"
    """All conditions hold: the rewrite may be called "checked again"."""
    OPEN = "open"
    """No condition is violated, but some could not be verified: it may be offered as a proposal."""
    BROKEN = "broken"
    """A condition is violated: the rewrite must not be offered."""


@dataclass(frozen=True, slots=True)
class Swap:
    """A value of the sentence is replaced by ``value`` of the sentence ``partner``."""

    partner: ComparableSentence
    value: Value
    is_of_one_slot: bool = False
    """Whether a model found that both values fill the same slot; then a doubt of the rules leaves the proof open."""


#: Minimum strength at which two sentences still clash.
_STILL_CLASHES = 0.5
#: Maximum ratio of a value to its typo: typos swap digits, or add or drop a zero.
_MAX_RATIO = 20
_NEGATIONS = frozenset(words("not n't n’t never no neither nor without nobody none nothing cannot"))
_WORD = re.compile(r"n[’']t\b|[^\W\d_]+")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_THE = re.compile(r"\bthe\s$", re.IGNORECASE)


def proof_of_substitution(original: ComparableSentence, changed: ComparableSentence, swaps: Sequence[Swap]) -> Proof:
    """Verify ``changed``, which is ``original`` with the values of ``swaps``."""
    made = edits(original.text, changed.text)
    pairs = _replaced_values(original, changed, made)
    if not made or pairs is None or not _keeps_other_values(original, changed, made):
        return Proof.BROKEN
    if any(_is_denied(swap.partner.text) is not _is_denied(original.text) for swap in swaps):
        return Proof.BROKEN
    proofs = [_proof_of_occasion(original, swap) for swap in swaps]
    proofs += [_proof_of_value(original, changed, old, new, swaps) for old, new in pairs]
    if Proof.BROKEN in proofs or any(_still_clash(swap.partner, changed, pairs) for swap in swaps):
        return Proof.BROKEN
    if Proof.OPEN in proofs or not has_same_frame(original, changed):
        return Proof.OPEN
    return Proof.SHOWN


def is_proved_repeat(
    original: ComparableSentence, changed: ComparableSentence, old: Value, new: Value, *, is_same: bool
) -> bool:
    """Verify ``changed``, in which ``old``, the wrong value of another sentence, is replaced by ``new`` of a source.

    ``is_same`` says that both sentences give it of the same thing, so no role needs to be compared with the source. All
    else is verified as for a single rewrite.
    """
    made = edits(original.text, changed.text)
    pairs = _replaced_values(original, changed, made)
    if not is_same or pairs is None or len(pairs) != 1 or not _keeps_other_values(original, changed, made):
        return False
    ((replaced, inserted),) = pairs
    before, after = original.clause.slot(replaced), changed.clause.slot(inserted)
    return (
        replaced.span == old.span
        and _is_worded_as(new, inserted)
        and not _is_given_elsewhere(original, replaced, inserted)
        and not (inserted.family is Family.NUMBER and _belongs_to_name(original, replaced))
        and not _is_far_off(replaced, new)
        and (before.role, before.event, before.attribute) == (after.role, after.event, after.attribute)
        and _bounds(replaced, new) is Proof.SHOWN
        and has_same_frame(original, changed)
    )


def _is_worded_as(new: Value, inserted: Value) -> bool:
    """Whether the inserted value is ``new``; who counts employees may count people of them."""
    if isinstance(new, Number) and isinstance(inserted, Number):
        return new.amount == inserted.amount
    relation = new.relation_to(inserted)
    return relation is Relation.SAME or (isinstance(new, Date) and relation.agrees)


def proof_of_rewrite(
    original: ComparableSentence, changed: ComparableSentence, partners: Sequence[ComparableSentence]
) -> Proof:
    """Verify ``changed``, a rewrite by a person or a model, with the sentences ``partners``.

    Each new value must contradict the old one in one of them, and nothing else may change. Any other wording stays
    unverified.
    """
    pairs = _replaced_values(original, changed, edits(original.text, changed.text)) or []
    swaps = [_swap_of(old, new, partners) for old, new in pairs]
    known = [swap for swap in swaps if swap is not None]
    is_all = _without(original, [old for old, _ in pairs]) == _without(changed, [new for _, new in pairs])
    if not known or len(known) < len(swaps) or not is_all:
        return Proof.OPEN
    return proof_of_substitution(original, changed, known)


def _without(sentence: ComparableSentence, values: Sequence[Value]) -> str:
    """The words around the values."""
    text = sentence.text
    for value in sorted(values, key=lambda value: value.span, reverse=True):
        text = text[: value.span.start] + "…" + text[value.span.end :]
    return text


def _swap_of(old: Value, new: Value, partners: Sequence[ComparableSentence]) -> Swap | None:
    found = (
        Swap(partner, value)
        for partner in partners
        for value in partner.clause.values
        if value.relation_to(new) is Relation.SAME and value.relation_to(old) is Relation.CONFLICT
    )
    return next(found, None)


def are_of_one_thing(partner: ComparableSentence, theirs: Value, sentence: ComparableSentence, own: Value) -> bool:
    """Whether two sentences of one text are surely about the same thing, so that one may take the value of the other.

    No source decides which one is right, and a number may count anything: the event must be the same, and its subject
    must have the same name, unless the event happens only once.
    """
    one, other = partner.clause.slot(theirs), sentence.clause.slot(own)
    if one.event is None or one.event != other.event or one.role != other.role:
        return False
    if happens_once(one):
        return True
    named = (one.subject, other.subject)
    is_named = all(phrase is not None and not phrase.is_pronoun for phrase in named)
    return is_named and agreement(*named) is Agreement.AGREE


def is_same_statement(one: ComparableSentence, value: Value, other: ComparableSentence, theirs: Value) -> bool:
    """Whether two sentences of one text give a value of the same thing, and name that thing alike."""
    slots = one.clause.slot(value), other.clause.slot(theirs)
    things = (slot.patient or slot.subject for slot in slots)  # "the hall was opened", "the mayor opened the hall"
    return are_of_one_thing(one, value, other, theirs) and _proof_of_naming(*things) is Proof.SHOWN


def _replaced_values(
    original: ComparableSentence, changed: ComparableSentence, made: Sequence[Edit]
) -> list[tuple[Value, Value]] | None:
    """The old and the new value of each edit; None if they do not correspond one to one."""
    old = [value for value in original.clause.values if any(_touches(edit.span, value.span) for edit in made)]
    inserted = _inserted(made)
    new = [value for value in changed.clause.values if any(_touches(span, value.span) for span in inserted)]
    if (
        not old
        or len(old) != len(new)
        or any(one.family is not other.family for one, other in zip(old, new, strict=True))
    ):
        return None
    return list(zip(old, new, strict=True))


def _inserted(made: Sequence[Edit]) -> list[Span]:
    """The positions of the new words in the changed sentence."""
    spans, shift = [], 0
    for edit in made:
        start = edit.span.start + shift
        spans.append(Span(start, start + len(edit.text)))
        shift += len(edit.text) - len(edit.span)
    return spans


def _touches(one: Span, other: Span) -> bool:
    """Whether two spans share a character; an empty one (an insertion or removal) has only a position."""
    if len(one) == 0 or len(other) == 0:
        return other.start < one.start < other.end
    return one.overlaps(other)


def _keeps_other_values(original: ComparableSentence, changed: ComparableSentence, made: Sequence[Edit]) -> bool:
    inserted = _inserted(made)
    before = [v.text for v in original.clause.values if not any(_touches(edit.span, v.span) for edit in made)]
    after = [v.text for v in changed.clause.values if not any(_touches(span, v.span) for span in inserted)]
    return before == after


def _proof_of_occasion(original: ComparableSentence, swap: Swap) -> Proof:
    """Whether the partner is about the same thing and occasion."""
    one, other = swap.partner.clause, original.clause
    # Dates are what the rewrite corrects, so different dates are no sign of two occasions.
    is_other_occasion = not isinstance(swap.value, Date) and tell_of_two_occasions(one, other)
    if speak_of_two_things(one, other) or is_other_occasion:
        return _against_rules(swap)
    return Proof.SHOWN


def _against_rules(swap: Swap) -> Proof:
    """The proof where the rules find two different slots."""
    return Proof.OPEN if swap.is_of_one_slot else Proof.BROKEN


def _is_denied(text: str) -> bool:
    return any(word in _NEGATIONS for word in _WORD.findall(text.casefold()))


def _proof_of_value(
    original: ComparableSentence, changed: ComparableSentence, old: Value, new: Value, swaps: Sequence[Swap]
) -> Proof:
    giving = next((swap for swap in swaps if _is_value_of(swap, new)), None)
    if giving is None:
        return Proof.BROKEN
    if new.family is Family.NAME and not _is_same_name(original, changed, old, new, giving):
        return Proof.BROKEN
    if _is_given_elsewhere(original, old, new) or (new.family is Family.NUMBER and _belongs_to_name(original, old)):
        return Proof.BROKEN
    before, after = original.clause.slot(old), changed.clause.slot(new)
    theirs = giving.partner.clause.slot(giving.value)
    stays = before.role == after.role and before.event == after.event and before.attribute == after.attribute
    role = _proof_of_role(theirs, after)
    if _is_far_off(old, giving.value):
        return Proof.BROKEN
    if role is Proof.BROKEN or not _is_the_one(giving, original, old):
        role = _against_rules(giving)
    if not (stays and _is_sentence(giving.partner)) and role is Proof.SHOWN:
        role = Proof.OPEN
    return max(role, _bounds(old, giving.value), key=list(Proof).index)


def _is_far_off(old: Value, new: Value) -> bool:
    """True if the value cannot be a typo of the other: what costs 8,400 euros is not the lunch for 6.80."""
    one, other = amount_of(old), amount_of(new)
    if isinstance(old, Quantity | Duration) and isinstance(new, Quantity | Duration):
        one, other = old.measure.in_base_unit(), new.measure.in_base_unit()
    elif old.text.split()[-1] != new.text.split()[-1]:
        return False
    if one is None or other is None or not (one.value and other.value):
        return False
    return not 1 / _MAX_RATIO <= abs(one.value / other.value) <= _MAX_RATIO


def _candidates(giving: Swap, original: ComparableSentence, old: Value) -> list[Value]:
    """The partner's values of which the old one may be a typo, and which the sentence lacks: 80 mm and 20 cm."""
    return [
        value
        for value in giving.partner.clause.values
        if value.family is old.family
        and value.relation_to(old) is Relation.CONFLICT
        and not any(value.relation_to(own).agrees for own in original.clause.values)
    ]


def _is_the_one(giving: Swap, original: ComparableSentence, old: Value) -> bool:
    """Whether only one of the partner's values is possible, or only one of them is about the same thing."""
    candidates = _candidates(giving, original, old)
    if len(candidates) <= 1:
        return True
    clause, own = giving.partner.clause, original.clause.slot(old)
    alike = [value.span for value in candidates if _are_alike(clause.slot(value), own)]
    return alike == [giving.value.span]


def _are_alike(one: Slot, other: Slot) -> bool:
    things = [slot.value.counted if isinstance(slot.value, Number) else None for slot in (one, other)]
    if things[0] is not None or things[1] is not None:
        return things[0] == things[1]
    if one.attribute is not None or other.attribute is not None:
        return one.attribute == other.attribute
    return one.event is not None and one.event == other.event and one.role == other.role


def _is_given_elsewhere(original: ComparableSentence, old: Value, new: Value) -> bool:
    """True if the sentence already has the new value for something else: "118 euros, and 12 for materials"."""
    rest = original.text[: old.span.start] + " " + original.text[old.span.end :]
    others = (value for value in original.clause.values if value.span != old.span)
    numbers = set(_NUMBER.findall(new.text)) & set(_NUMBER.findall(rest))
    return bool(numbers) or any(value.relation_to(new) is Relation.SAME for value in others)


def _is_sentence(partner: ComparableSentence) -> bool:
    """False for "Materials: 12 euros", which has no clear statement."""
    tokens, root = partner.parsed.tokens, partner.clause.tree.root
    return any(token.tag in FINITE for token in tokens) or (root is not None and tokens[root].pos == "VERB")


def _belongs_to_name(original: ComparableSentence, value: Value) -> bool:
    """True for the number in "the Kestrel 5"."""
    start = original.parsed.sentence.start + value.span.start
    before = [token for token in original.parsed.tokens if token.span.end <= start]
    return bool(before) and before[-1].pos == "PROPN"


def _is_value_of(swap: Swap, new: Value) -> bool:
    """Whether the value is the swap's. A date may be less precise: "in 1967" for "on 4 June 1967"."""
    relation = swap.value.relation_to(new)
    return relation is Relation.SAME or (isinstance(new, Date) and relation.agrees)


def _is_same_name(
    original: ComparableSentence, changed: ComparableSentence, old: Value, new: Value, giving: Swap
) -> bool:
    """Whether two names correspond. A name may mean anything: its role in the sentence and its "the" must be equal."""
    theirs, own = giving.partner.clause.slot(giving.value), original.clause.slot(old)
    has_the = _THE.search(giving.partner.text[: giving.value.span.start]) is not None
    gets_the = _THE.search(changed.text[: new.span.start]) is not None
    return theirs.role == own.role and has_the is gets_the


def _proof_of_role(theirs: Slot, own: Slot) -> Proof:
    """Whether the value has the same role in both sentences."""
    if agreement(theirs.patient, own.patient) is Agreement.DIFFER:
        return Proof.BROKEN
    named = _proof_of_naming(*comparable_subjects(theirs, own))
    if named is not Proof.SHOWN:
        return named
    if theirs.event and own.event and theirs.event != own.event and theirs.attribute != own.attribute:
        return Proof.OPEN
    return Proof.SHOWN if theirs.is_partial is own.is_partial else Proof.OPEN


def _proof_of_naming(one: Phrase | None, other: Phrase | None) -> Proof:
    """Whether two subjects refer to one thing.

    "The Sorrel Water Works" are "the water works"; "Norvik" may be "the company"; "the firm" is hardly "the office".
    """
    if one is None or other is None:
        return Proof.SHOWN
    found = one.agreement(other)
    is_named_once = bool(one.names) is not bool(other.names)
    if found is Agreement.DIFFER:
        # A name may look like a plural: "the Water Works".
        return Proof.OPEN if is_named_once and one.lemma == other.lemma else Proof.BROKEN
    if one.is_pronoun and not other.is_pronoun and not other.names:
        return Proof.OPEN  # "it" may refer to another thing
    if found is Agreement.AGREE or one.is_pronoun or other.is_pronoun or _words(one) & _words(other):
        return Proof.SHOWN
    return Proof.OPEN if is_named_once else Proof.BROKEN


def _words(phrase: Phrase) -> set[str]:
    return {phrase.lemma.casefold(), *(word for name in phrase.names for word in name.text.casefold().split())}


def _bounds(old: Value, new: Value) -> Proof:
    """Whether the edit changes only the number and its bound ("up to", "more than")."""
    one, other = amount_of(old), amount_of(new)
    if one is None or other is None or one.qualifier is other.qualifier:
        return Proof.SHOWN
    return Proof.BROKEN if one.value == other.value else Proof.OPEN


def _still_clash(
    partner: ComparableSentence, changed: ComparableSentence, pairs: Sequence[tuple[Value, Value]]
) -> bool:
    """Whether the changed sentence still gives another value than its partner, at the new value or anywhere else."""
    new = [value.span for _, value in pairs]
    clashes = [*conflicts_between(partner.clause, changed.clause), *conflicts_in_frame(partner, changed)]
    return any(
        clash.strength >= _STILL_CLASHES or any(clash.hypothesis.span == span for span in new) for clash in clashes
    )


def has_same_frame(original: ComparableSentence, changed: ComparableSentence) -> bool:
    """Whether the parser finds the same structure in the words around the edits."""
    made = edits(original.text, changed.text)
    before = _untouched(original, [edit.span for edit in made])
    after = _untouched(changed, _inserted(made))
    if len(before) != len(after):
        return False
    place = dict(zip(before, after, strict=True))
    known = frozenset(after)
    one, other = original.parsed.tokens, changed.parsed.tokens
    for i, j in place.items():
        if (one[i].text, one[i].dependency) != (other[j].text, other[j].dependency):
            return False
        # Dependents of a replaced word now depend on a word in its place.
        hangs_on = other[j].head if other[j].head in known else None
        if place.get(one[i].head) != hangs_on:
            return False
    return True


def _untouched(sentence: ComparableSentence, spans: Sequence[Span]) -> list[int]:
    start = sentence.parsed.sentence.start
    return [
        i
        for i, token in enumerate(sentence.parsed.tokens)
        if not any(_touches(span.shifted(start), token.span) for span in spans)
    ]
