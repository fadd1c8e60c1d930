"""Recognise figures that were calculated from others: "ten portions cost 69 euros" if one costs 6.90."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isclose

from detection.core.rules.amounts import Figure
from detection.core.rules.base import Family, Value
from detection.core.rules.slots import Clause

_COUNTED = frozenset({Family.MONEY, Family.QUANTITY, Family.NUMBER, Family.DURATION, Family.SHARE})
#: Below this result, some sum of small numbers always fits.
_MIN_RESULT = 6


def is_worked_out(value: Value, own: Clause, given: Clause) -> bool:
    """Whether a figure of ``own`` is the sum, difference, product or quotient of others, one of them of ``given``."""
    if value.family not in _COUNTED:
        return False
    result = _number_of(value, own)
    return result is not None and result >= _MIN_RESULT and _is_result(result, _given(given), _others(value, own))


def is_worked_out_from(operand: Value, value: Value, own: Clause, given: Clause) -> bool:
    """Like :func:`is_worked_out`, for any result, where the value ``operand`` of ``given`` is one of the others."""
    result = _number_of(value, own)
    if result is None:
        return False
    ends = [number for figure in _figures_at(operand, given) for number in _numbers(figure)]
    rest = [number for number in _given(given) if number not in ends]
    return _is_result(result, ends, [*rest, *_others(value, own)])


def _is_result(result: float, theirs: Sequence[float], others: Sequence[float]) -> bool:
    """Whether a number of ``theirs`` and another one of either give the result."""
    return any(
        isclose(found, result, rel_tol=1e-4)
        for place, one in enumerate(theirs)
        for other in (*theirs[:place], *theirs[place + 1 :], *others)
        for found in _results(one, other)
    )


def _number_of(value: Value, clause: Clause) -> float | None:
    return next((figure.amount.value for figure in _figures_at(value, clause)), None)


def _figures_at(value: Value, clause: Clause) -> list[Figure]:
    return [figure for figure in clause.reading.figures if figure.span.overlaps(value.span)]


def _given(clause: Clause) -> list[float]:
    return [number for figure in clause.reading.figures for number in _numbers(figure)]


def _others(value: Value, own: Clause) -> list[float]:
    return [figure.amount.value for figure in own.reading.figures if not figure.span.overlaps(value.span)]


def _numbers(figure: Figure) -> Iterator[float]:
    """The number, or both ends of a range."""
    yield figure.amount.value
    if figure.amount.upper is not None:
        yield figure.amount.upper


def _results(one: float, other: float) -> Iterator[float]:
    yield from (one + other, abs(one - other), one * other)
    yield from (first / second for first, second in ((one, other), (other, one)) if second)
