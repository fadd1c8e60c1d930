"""Recognise figures that were calculated from others: "ten portions cost 69 euros" if one costs 6.90."""

from __future__ import annotations

from collections.abc import Iterator
from math import isclose

from detection.core.rules.base import Family, Value
from detection.core.rules.slots import Clause

_COUNTED = frozenset({Family.MONEY, Family.QUANTITY, Family.NUMBER, Family.DURATION, Family.SHARE})
#: Below this result, some sum of small numbers always fits.
_MIN_RESULT = 6


def is_worked_out(value: Value, own: Clause, given: Clause) -> bool:
    """Whether a figure of ``own`` is the sum, difference, product or quotient of others, one of them of ``given``."""
    if value.family not in _COUNTED:
        return False
    result = next((figure.amount.value for figure in own.reading.figures if figure.span.overlaps(value.span)), None)
    if result is None or result < _MIN_RESULT:
        return False
    theirs = [figure.amount.value for figure in given.reading.figures]
    others = [figure.amount.value for figure in own.reading.figures if not figure.span.overlaps(value.span)]
    return any(
        isclose(found, result, rel_tol=1e-4)
        for place, one in enumerate(theirs)
        for other in (*theirs[:place], *theirs[place + 1 :], *others)
        for found in _results(one, other)
    )


def _results(one: float, other: float) -> Iterator[float]:
    yield from (one + other, abs(one - other), one * other)
    yield from (first / second for first, second in ((one, other), (other, one)) if second)
