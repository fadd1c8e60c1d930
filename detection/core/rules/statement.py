"""Whether one value states another: it is equal or more precise."""

from __future__ import annotations

from functools import singledispatch

from detection.core.rules.amounts import Amount, Qualifier
from detection.core.rules.base import Relation, Value
from detection.core.rules.dates import Date
from detection.core.rules.durations import Duration
from detection.core.rules.money import Money
from detection.core.rules.names import Name, place_of
from detection.core.rules.numbers import Number
from detection.core.rules.ordinals import Ordinal
from detection.core.rules.percentages import Share
from detection.core.rules.quantities import Quantity


@singledispatch
def states(premise: Value, hypothesis: Value) -> bool:
    """True if the hypothesis follows from the premise, regardless of their subjects.

    Not symmetric: "12 March 1957" states "1957", and "exactly 12" states "more than 10".
    """
    return premise.relation_to(hypothesis) is Relation.SAME


@states.register
def _(premise: Date, hypothesis: Value) -> bool:
    return isinstance(hypothesis, Date) and premise.states(hypothesis)


@states.register
def _(premise: Number, hypothesis: Value) -> bool:
    if not isinstance(hypothesis, Number):
        return False
    agrees = premise.amount.relation_to(hypothesis.amount).agrees
    return agrees and _is_no_wider(premise.amount, hypothesis.amount)


@states.register(Share)
@states.register(Money)
@states.register(Quantity)
@states.register(Duration)
def _(premise: Value, hypothesis: Value) -> bool:
    one, other = amount_of(premise), amount_of(hypothesis)
    agrees = premise.relation_to(hypothesis).agrees
    return agrees and one is not None and other is not None and _is_no_wider(one, other)


def amount_of(value: Value) -> Amount | None:
    """The amount of a figure, without its unit."""
    match value:
        case Number() | Money() | Share():
            return value.amount
        case Quantity() | Duration():
            return value.measure.amount
    return None


@states.register
def _(premise: Ordinal, hypothesis: Value) -> bool:
    if not isinstance(hypothesis, Ordinal):
        return False
    return (premise.rank, premise.order) == (hypothesis.rank, hypothesis.order) or (
        hypothesis.among and premise.order == hypothesis.order
    )


@states.register
def _(premise: Name, hypothesis: Value) -> bool:
    if not isinstance(hypothesis, Name) or not premise.relation_to(hypothesis).agrees:
        return False
    place, wanted = place_of(premise.text), place_of(hypothesis.text)
    # Born in Oslo implies born in Norway, but not the reverse.
    return place is None or wanted is None or place == wanted or _lies_in(place.name, wanted.name)


def _lies_in(part: str, whole: str) -> bool:
    place = place_of(part)
    while place is not None and place.within is not None:
        if place.within == whole:
            return True
        place = place_of(place.within)
    return False


_BOUNDS = (Qualifier.MORE_THAN, Qualifier.AT_LEAST, Qualifier.LESS_THAN, Qualifier.AT_MOST, Qualifier.BETWEEN)


def _is_no_wider(premise: Amount, hypothesis: Amount) -> bool:
    """Whether the premise, of two compatible amounts, is no wider: "more than 10" does not state 12."""
    return premise.qualifier not in _BOUNDS or hypothesis.qualifier in _BOUNDS
