"""Change several sentences together: a sentence that a source corrects, and others that repeat the wrong value.

Changing one of them alone would leave a text that contradicts itself. Only sentences for which the change is proved are
included; a value may be equal by chance ("opened in 1962", "lost its roof in 1962").
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ..comparing.sentence import ComparableSentence
from ..labels import SuggestionLabel
from ..rules.base import Relation, Value
from ..rules.dates import Date
from ..rules.money import Money
from ..rules.numbers import Number
from ..rules.percentages import Share
from ..rules.quantities import Quantity
from ..rules.substitution import substitute
from ..types import Companion, FindingKind, Suggestion, SuggestionMethod, text_hash
from .proof import Proof, Swap, is_proved_repeat, is_same_statement, proof_of_substitution
from .recheck import Recheck
from .rewrites import SourceConflict

#: A value in more sentences than this is hardly always of the same thing, and each one costs a recheck.
MAX_COMPANIONS = 12

_CONFLICT = FindingKind.CONFLICTS_WITH_SOURCE
#: The source need not mention what else a repeat says.
_MAY_LEAVE = frozenset({FindingKind.NOT_IN_SOURCE})
#: "the 412 patients": a number that the text has given before.
_BACK_TO_COUNT = re.compile(r"\b(?:the|these|those|all)\s$", re.IGNORECASE)
#: "the annual fee of 18,500 euros": words of a thing that the text has named before.
_BACK_TO_THING = re.compile(r"\b(?:the|this|that)\s((?:[\w-]+\s){0,3}?)([\w-]+)\sof\s$", re.IGNORECASE)
#: "the 412 patients of the second trial", "the fee of 20 euros for adults": words that may make it another thing.
_NARROWS = re.compile(
    r"\s*(?:[(–—]|(?:of|in|at|from|for|on|under|with|to|by|who|whom|whose|that|which|per|a)\b)", re.IGNORECASE
)
_MEASURES = (Money, Share, Quantity)


@dataclass(frozen=True, slots=True)
class _Repeat:
    """Another sentence with the wrong value, and its new wording; None where no wording is proved."""

    sentence: ComparableSentence
    value: Value
    wording: str | None

    @property
    def index(self) -> int:
        return self.sentence.parsed.sentence.index


async def change_together(
    sentence: ComparableSentence,
    wording: str,
    conflicts: Sequence[SourceConflict],
    others: Sequence[ComparableSentence],
    recheck: Recheck,
    *,
    is_doubtful: bool,
) -> Suggestion | None:
    """A suggestion that changes ``sentence`` to ``wording`` and every proved repeat among ``others``; None without one.

    It is verified if every sentence passes, and if what is left of the old value is surely about another thing.
    """
    changed = await recheck.parsed(wording)
    swaps = [one.swap for one in conflicts]
    found = Proof.BROKEN if changed is None else proof_of_substitution(sentence, changed, swaps)
    if found is Proof.BROKEN:
        return None
    repeats = [
        await _repeat(sentence, conflict, other, value, recheck)
        for conflict in conflicts
        for other in others
        for value in other.clause.values
        if is_repeat(sentence, conflict.conflict.hypothesis, other, value)
    ]
    if len(repeats) > MAX_COMPANIONS:
        return None
    companions = await _that_hold(sentence, repeats, recheck)
    together = frozenset(companion.index for companion in companions)
    index = sentence.parsed.sentence.index
    if not companions or not await recheck.holds(index, sentence, wording, fixes=_CONFLICT, left_out=together):
        return None
    left = [repeat for repeat in repeats if repeat.index not in together]
    is_clear = all(_is_another_thing(sentence, conflicts, repeat) for repeat in left)
    return Suggestion(
        sentence=index,
        replacement=wording,
        base_hash=text_hash(sentence.text),
        method=SuggestionMethod.LOCAL,
        verified=found is Proof.SHOWN and is_clear and not is_doubtful,
        label=SuggestionLabel.CHANGE_TOGETHER.of(1 + len(companions)),
        companions=tuple(Companion(one.index, one.wording) for one in companions if one.wording is not None),
    )


def is_repeat(sentence: ComparableSentence, own: Value, other: ComparableSentence, value: Value) -> bool:
    """Whether two values are equal, or numbers of the same noun: who employs 46 people, and "of the 46 people"."""
    if value.relation_to(own) is Relation.SAME:
        return True
    if not (isinstance(own, Number) and isinstance(value, Number)):
        return False
    counted = sentence.clause.slot(own).attribute
    return own.amount == value.amount and counted is not None and counted == other.clause.slot(value).attribute


async def _repeat(
    sentence: ComparableSentence,
    conflict: SourceConflict,
    other: ComparableSentence,
    value: Value,
    recheck: Recheck,
) -> _Repeat:
    """The other sentence with the value of the source, if that is proved."""
    wrong, right = conflict.conflict.hypothesis, conflict.conflict.premise
    text = substitute(_counting_like(value, right), conflict.source.text, value, other.text)
    changed = None if text is None else await recheck.parsed(text)
    if changed is None:
        return _Repeat(other, value, None)
    is_same = is_same_statement(sentence, wrong, other, value) or _refers_back(sentence, wrong, other, value)
    is_proved = is_proved_repeat(other, changed, value, right, is_same=is_same)
    if not is_proved and _tell_of_one_event(sentence, wrong, other, value):
        has_conflict = await recheck.has(other.parsed.sentence.index, other, _CONFLICT)
        proof = proof_of_substitution(other, changed, [Swap(conflict.source, right)])
        is_proved = has_conflict and proof is Proof.SHOWN
    return _Repeat(other, value, changed.text if is_proved else None)


def _counting_like(value: Value, right: Value) -> Value:
    """The value of the source with the noun of a repeated number: who employs people counts employees."""
    if isinstance(value, Number) and isinstance(right, Number):
        return replace(right, counted=value.counted)
    return right


async def _that_hold(sentence: ComparableSentence, repeats: Sequence[_Repeat], recheck: Recheck) -> tuple[_Repeat, ...]:
    """The proved repeats that the detectors accept while all of them change; one sentence has one repeat."""
    indices = [repeat.index for repeat in repeats]
    proved = [one for one in repeats if one.wording is not None and indices.count(one.index) == 1]
    changing = frozenset({sentence.parsed.sentence.index, *(one.index for one in proved)})
    held = []
    for one in proved:
        rest, wording = changing - {one.index}, one.wording or ""
        if await recheck.holds(one.index, one.sentence, wording, fixes=_CONFLICT, may_leave=_MAY_LEAVE, left_out=rest):
            held.append(one)
    if len(held) < len(proved):
        return await _that_hold(sentence, held, recheck)  # those that stay must not contradict the changed ones
    return tuple(held)


def _tell_of_one_event(sentence: ComparableSentence, own: Value, other: ComparableSentence, value: Value) -> bool:
    """False for "opened in 1962" and "renovated in 1962"."""
    return sentence.clause.slot(own).event == other.clause.slot(value).event


def _refers_back(sentence: ComparableSentence, own: Value, other: ComparableSentence, value: Value) -> bool:
    """Whether the other sentence refers to what ``sentence`` gives: "the 412 patients", "the fee of 20 euros"."""
    before = other.text[: value.span.start]
    if isinstance(own, Number) and isinstance(value, Number):
        end = _end_of_noun(other, value, sentence.clause.slot(own).attribute)
        return end is not None and bool(_BACK_TO_COUNT.search(before)) and not _NARROWS.match(other.text, end)
    thing = _BACK_TO_THING.search(before) if isinstance(value, _MEASURES) else None
    subject = sentence.clause.slot(own).subject
    if thing is None or subject is None or subject.lemma.casefold() != thing[2].casefold():
        return False
    if _NARROWS.match(other.text, value.span.end):
        return False
    known = sentence.text.casefold().split()
    return all(word in known for word in thing[1].casefold().split())


def _end_of_noun(sentence: ComparableSentence, value: Value, counted: str | None) -> int | None:
    """Where the word behind a number ends, if it is what is ``counted``: not "elderly" in "412 elderly patients"."""
    start, tokens = sentence.parsed.sentence.start, sentence.parsed.tokens
    behind = next((i for i, token in enumerate(tokens) if token.span.start >= start + value.span.end), None)
    if behind is None or counted is None or sentence.clause.slot(value).attribute != counted:
        return None
    return tokens[behind].span.end - start if tokens[behind - 1].head == behind else None


def _is_another_thing(sentence: ComparableSentence, conflicts: Sequence[SourceConflict], repeat: _Repeat) -> bool:
    """Whether a repeat that stays is a date of another event: "she left school in 1931", not "she was born"."""
    if not isinstance(repeat.value, Date):
        return False
    event = repeat.sentence.clause.slot(repeat.value).event
    events = {
        sentence.clause.slot(one.conflict.hypothesis).event
        for one in conflicts
        if one.conflict.hypothesis.relation_to(repeat.value) is Relation.SAME
    }
    return event is not None and None not in events and event not in events
