"""Find the figure that a source gives for the slot of a sentence's figure, with a trained model.

The model sees two sentences with one value masked in each, so that it compares what the values are about and not the
values themselves ("Our [MASK]-day return window", "Items may be sent back within [MASK]"). The rules compare these.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..comparing.scores import log_odds
from ..comparing.sentence import ComparableSentence
from ..local_models.process import LocalModels
from ..rules.arithmetic import is_worked_out_from
from ..rules.base import FIGURES, Family, Relation, Value
from ..rules.numbers import Number
from ..sources.library import SourceSentence
from ..types import NliPair, PairKind, Span
from .local_reading import SourceReading

MASK = "[MASK]"
_COMPARED = FIGURES | {Family.ORDINAL}
#: Per figure of the sentence, this many places of the source are read that give another figure, and that agree.
_MOST_OTHERS, _MOST_AGREEING = 6, 3
#: Below these log odds, a place that agrees is about something else whatever they are.
_LEAST_AGREEING = -3.0
_BY = re.compile(r"\bby\s$", re.IGNORECASE)
_MORE_OR_LESS = re.compile(
    r"\s(?:more|less|fewer|off|extra|dearer|cheaper|earlier|later|longer|shorter|higher|lower|older|younger)\b",
    re.IGNORECASE,
)
#: Characters that are read on each side of a value.
_MOST_CONTEXT = 300


@dataclass(frozen=True, slots=True)
class Place:
    """A value of a source sentence that is compared with ``value`` of the sentence; ``agrees`` if they are the same."""

    source: SourceSentence
    given: Value
    value: Value
    agrees: bool


@dataclass(frozen=True, slots=True)
class SlotClash:
    """A place of the sources that gives another figure for the slot of one of the sentence.

    ``lead`` is in log odds: those that the slots are the same, or how much higher they are than at the place of the
    source that agrees best, if that is less.
    """

    place: Place
    lead: float


async def clash_of_slots(sentence: ComparableSentence, read: SourceReading, models: LocalModels) -> SlotClash | None:
    """The clash of figures with the highest lead; None if no source sentence gives another figure."""
    places = [place for value in slot_values(sentence) for place in places_of(value, sentence, read.sentences)]
    scores = await models.score([_pair(place, sentence) for place in places])
    odds = [log_odds(score.entailment) for score in scores]
    agreeing: dict[Span, float] = {}
    for place, height in zip(places, odds, strict=True):
        if place.agrees:
            agreeing[place.value.span] = max(height, agreeing.get(place.value.span, _LEAST_AGREEING))
    clashes = (
        SlotClash(place, lead=min(height, height - agreeing.get(place.value.span, _LEAST_AGREEING)))
        for place, height in zip(places, odds, strict=True)
        if not place.agrees
    )
    return max(clashes, key=lambda clash: clash.lead, default=None)


def places_of(value: Value, sentence: ComparableSentence, sources: Sequence[SourceSentence]) -> list[Place]:
    """The places to read, those that share most words with the sentence first; none if no source differs.

    A figure that can be computed from that of a place does not differ from it.
    """
    found = sorted(
        _all_places(value, sentence, sources),
        key=lambda place: place.source.sentence.overlap(sentence),
        reverse=True,
    )
    others = [place for place in found if not place.agrees][:_MOST_OTHERS]
    others = [place for place in others if not _is_computed(place, sentence)]
    return others + [place for place in found if place.agrees][:_MOST_AGREEING] if others else []


def _all_places(value: Value, sentence: ComparableSentence, sources: Sequence[SourceSentence]) -> Iterator[Place]:
    rest = [other for other in slot_values(sentence) if other is not value]
    is_difference = _is_difference(value, sentence.text)
    for source in sources:
        for given in slot_values(source.sentence):
            relation = relation_in_slot(given, value)
            if relation is Relation.UNRELATED:
                continue
            if _is_difference(given, source.text) != is_difference:
                continue
            # A figure that the sentence gives elsewhere fills another slot of it.
            if relation.agrees or not any(relation_in_slot(given, other).agrees for other in rest):
                yield Place(source, given, value, relation.agrees)


def _is_difference(value: Value, text: str) -> bool:
    """True for "rose by nine" and "50 g more", which do not give the thing itself."""
    if value.family in (Family.DATE, Family.TIME):
        return False
    return _BY.search(text[: value.span.start]) is not None or is_more_or_less(value, text)


def is_more_or_less(value: Value, text: str) -> bool:
    """True for "50 g more" and "eleven years older"."""
    return _MORE_OR_LESS.match(text, value.span.end) is not None


def _is_computed(place: Place, sentence: ComparableSentence) -> bool:
    return is_worked_out_from(place.given, place.value, sentence.clause, place.source.sentence.clause)


def _pair(place: Place, sentence: ComparableSentence) -> NliPair:
    before = text_before(place.source)
    premise = before + place.source.text
    given = place.given.span.shifted(len(before))
    return NliPair(_masked(premise, given), _masked(sentence.text, place.value.span), PairKind.SLOT)


def slot_values(sentence: ComparableSentence) -> list[Value]:
    """What is compared: the figures and ranks of a sentence."""
    return [value for value in sentence.clause.values if value.family in _COMPARED]


def relation_in_slot(given: Value, value: Value) -> Relation:
    """The relation of two values if they fill one slot: numbers are compared whatever noun names what they count."""
    if given.family is not value.family:
        return Relation.UNRELATED
    if isinstance(given, Number) and isinstance(value, Number):
        return given.amount.relation_to(value.amount)
    return given.relation_to(value)


def text_before(source: SourceSentence) -> str:
    """What is read before a source sentence: the previous one if a pronoun refers to it, else ""."""
    return f"{source.previous.text} " if source.previous else ""


def _masked(text: str, span: Span) -> str:
    around = text[max(0, span.start - _MOST_CONTEXT) : span.start], text[span.end : span.end + _MOST_CONTEXT]
    return MASK.join(around)
