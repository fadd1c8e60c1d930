"""Amounts: numerals with their qualifiers ("more than", "about"), as comparable intervals.

The families add a unit to an amount ("12 km"), a currency ("$12"), a share ("12 %") or a counted noun ("12 seats").
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from math import inf, isclose

from detection.core.rules.base import Relation
from detection.core.rules.numerals import Numeral, NumeralForm, find_numerals
from detection.core.types import Span


class Qualifier(StrEnum):
    """The qualifier of an amount."""

    EXACTLY = "exactly"
    ABOUT = "about"
    ALMOST = "almost"
    JUST_OVER = "just over"
    MORE_THAN = "more than"
    AT_LEAST = "at least"
    LESS_THAN = "less than"
    AT_MOST = "at most"
    BETWEEN = "between"

    @property
    def side(self) -> int:
        """1 if the amount lies above the figure, -1 if below, 0 elsewhere."""
        return _SIDES.get(self, 0)


_SIDES = {Qualifier.MORE_THAN: 1, Qualifier.AT_LEAST: 1, Qualifier.LESS_THAN: -1, Qualifier.AT_MOST: -1}

_ROUNDING_LIMIT = 0.1
"""Two numbers that differ by more than this share of the larger one are not roundings of each other: one significant
digit ("1 million" against 1.4 million) would excuse too much."""
_ROUND_NUMBER_LIMIT = 0.05
"""A number that ends in zeros ("1,200") may be a rounding of a number that differs by less than this share."""
_STEP_OF_THREE_DECIMALS = 0.001
_ABOUT = 0.1
_ALMOST = 0.15


#: Two limits of one thing are compared as numbers: "up to 240 passengers" conflicts with "up to 260 passengers".
_COMPARED_AS_NUMBERS = frozenset({Qualifier.EXACTLY, Qualifier.AT_LEAST, Qualifier.AT_MOST})


@dataclass(frozen=True, slots=True)
class Interval:
    low: float
    high: float
    open_low: bool = False
    open_high: bool = False

    def overlaps(self, other: Interval) -> bool:
        return not self._ends_before(other) and not other._ends_before(self)

    def _ends_before(self, other: Interval) -> bool:
        if isclose(self.high, other.low, rel_tol=1e-9, abs_tol=1e-12):
            return self.open_high or other.open_low
        return self.high < other.low


@dataclass(frozen=True, slots=True)
class Amount:
    """A number with its precision and qualifier.

    ``value`` is the number as written (the lower end of a range), ``upper`` the upper end of a range, ``resolution``
    one step of the last written digit. All three have the same unit.
    """

    value: float
    resolution: float = 1.0
    qualifier: Qualifier = Qualifier.EXACTLY
    upper: float | None = None

    def scaled(self, factor: float, shift: float = 0.0) -> Amount:
        """The same amount in another unit: each end times ``factor`` plus ``shift``."""
        upper = None if self.upper is None else self.upper * factor + shift
        return replace(self, value=self.value * factor + shift, resolution=self.resolution * factor, upper=upper)

    @property
    def interval(self) -> Interval:
        """The numbers for which the amount is true."""
        value = self.value
        match self.qualifier:
            case Qualifier.EXACTLY:
                return Interval(value, value)
            case Qualifier.ABOUT:
                slack = max(_ABOUT * abs(value), min(self.resolution, 2 * _ABOUT * abs(value)))
                return Interval(value - slack, value + slack)
            case Qualifier.ALMOST:
                return Interval(value - _ALMOST * abs(value), value)
            case Qualifier.JUST_OVER:
                return Interval(value, value + _ALMOST * abs(value))
            case Qualifier.MORE_THAN:
                return Interval(value, inf, open_low=not self._is_round())
            case Qualifier.AT_LEAST:
                return Interval(value, inf)
            case Qualifier.LESS_THAN:
                return Interval(-inf, value, open_high=not self._is_round())
            case Qualifier.AT_MOST:
                return Interval(-inf, value)
            case Qualifier.BETWEEN:
                return Interval(value, value if self.upper is None else self.upper)

    def relation_to(self, other: Amount, *, converted: bool = False) -> Relation:
        """Compare two amounts of one unit.

        ``converted`` says that they were written in different units: a difference within the rounding of the less
        precise one is then SAME, not only COMPATIBLE.
        """
        if self.qualifier is other.qualifier and self.qualifier in _COMPARED_AS_NUMBERS:
            return self._relation_of_numbers(other, converted)
        if self.qualifier is other.qualifier and _equal(self.value, other.value) and self._same_upper(other):
            return Relation.SAME
        if self.qualifier.side * other.qualifier.side < 0 and _equal(self.value, other.value):
            return Relation.CONFLICT
        return Relation.COMPATIBLE if self.interval.overlaps(other.interval) else Relation.CONFLICT

    def _relation_of_numbers(self, other: Amount, converted: bool) -> Relation:
        if _equal(self.value, other.value):
            return Relation.SAME
        difference = abs(self.value - other.value)
        larger = max(abs(self.value), abs(other.value))
        half_step = max(self.resolution, other.resolution) / 2
        if difference <= half_step * (1 + 1e-9) and difference <= _ROUNDING_LIMIT * larger:
            return Relation.SAME if converted else Relation.COMPATIBLE
        if self._may_be_rounded_from(other) or other._may_be_rounded_from(self):
            return Relation.COMPATIBLE
        if self._may_be_grouped(other) or other._may_be_grouped(self):
            return Relation.COMPATIBLE
        return Relation.CONFLICT

    def _may_be_grouped(self, other: Amount) -> bool:
        """True for "12.000" next to 12,000: the point may group digits, as in continental Europe."""
        return self.resolution == _STEP_OF_THREE_DECIMALS and _equal(1000 * self.value, other.value)

    def _may_be_rounded_from(self, finer: Amount) -> bool:
        step = self._trailing_step()
        difference = abs(self.value - finer.value)
        return (
            step > finer._trailing_step() and difference < step / 2 and difference <= _ROUND_NUMBER_LIMIT * self.value
        )

    def _trailing_step(self) -> float:
        """The value of one step of the last digit that is not zero, 1 below a hundred: 100 for 1,200."""
        step = self.resolution
        while abs(self.value) >= 100 and step < abs(self.value) and _equal(self.value % (step * 10), 0.0):
            step *= 10
        return step

    def _is_round(self) -> bool:
        return self.value >= 10 and _equal(self.value % 10, 0.0)

    def _same_upper(self, other: Amount) -> bool:
        if self.upper is None or other.upper is None:
            return self.upper is other.upper
        return _equal(self.upper, other.upper)


def _equal(first: float, second: float) -> bool:
    return isclose(first, second, rel_tol=1e-9, abs_tol=1e-9)


@dataclass(frozen=True, slots=True)
class Figure:
    """A numeral, or two that form a range ("5–7", "5 to 7"), without a qualifier."""

    span: Span
    amount: Amount
    form: NumeralForm


_RANGE_GAP = re.compile(r"\s?[–—‒−-]\s?|\s{1,2}(?:to|or|through)\s{1,2}")
_BETWEEN_GAP = re.compile(r"\s{1,2}and\s{1,2}")
_BETWEEN = re.compile(r"\bbetween\s{1,2}$", re.IGNORECASE)
_FROM = re.compile(r"\bfrom\s{1,2}$", re.IGNORECASE)


def join_range(text: str, low_span: Span, low: Amount, high_span: Span, high: Amount) -> tuple[Span, Amount] | None:
    """Join two neighbouring amounts of one unit to a range, with its "from" or "between"; None if they form none."""
    if low.qualifier is not Qualifier.EXACTLY or high.qualifier is not Qualifier.EXACTLY or low.value >= high.value:
        return None
    span = _range_span(text, low_span, high_span)
    if span is None:
        return None
    return span, Amount(low.value, max(low.resolution, high.resolution), Qualifier.BETWEEN, high.value)


def _range_span(text: str, low: Span, high: Span) -> Span | None:
    lead = text[max(0, low.start - 10) : low.start]
    between = _BETWEEN.search(lead)
    if between and _BETWEEN_GAP.fullmatch(text, low.end, high.start):
        return Span(low.start - len(lead) + between.start(), high.end)
    if _RANGE_GAP.fullmatch(text, low.end, high.start) is None:
        return None
    origin = _FROM.search(lead)
    return Span(low.start - len(lead) + origin.start() if origin else low.start, high.end)


def find_figures(text: str) -> tuple[Figure, ...]:
    """Find the numerals of a text, joined to ranges if two form one."""
    return tuple(_figures(text, find_numerals(text)))


def _figures(text: str, numerals: tuple[Numeral, ...]) -> Iterator[Figure]:
    position = 0
    while position < len(numerals):
        low = numerals[position]
        joined = _join(text, low, numerals[position + 1]) if position + 1 < len(numerals) else None
        if joined is not None:
            yield joined
            position += 2
            continue
        yield Figure(low.span, Amount(low.value, low.resolution), low.form)
        position += 1


def _join(text: str, low: Numeral, high: Numeral) -> Figure | None:
    # "5–7 million": the scale word applies to both ends, unless this would make the first one larger.
    shared = high.scale if low.scale == 1 and low.value * high.scale < high.value else 1.0
    low_amount = Amount(low.value * shared, low.resolution * shared)
    joined = join_range(text, low.span, low_amount, high.span, Amount(high.value, high.resolution))
    if joined is None:
        return None
    span, amount = joined
    return Figure(span, amount, high.form)


_PREFIXES = {
    Qualifier.ABOUT: "about|around|approximately|approx\\.?|roughly|some|circa|c\\.|ca\\.|~|estimated|an estimated|"
    "something like|more or less|in the region of",
    Qualifier.ALMOST: "nearly|almost|close to|just under|slightly under|slightly less than|just below|not quite",
    Qualifier.JUST_OVER: "just over|slightly over|slightly more than|a little over|just above",
    Qualifier.MORE_THAN: "over|above|exceeding|in excess of|well over|upwards? of|>|"
    "(?:more|greater|higher|longer|larger|bigger|taller|deeper|wider|heavier|older|warmer|hotter|faster) than",
    Qualifier.AT_LEAST: "at least|no fewer than|no less than|not less than|a minimum of|minimum of|>=|≥",
    Qualifier.LESS_THAN: "under|below|short of|<|"
    "(?:less|fewer|lower|shorter|smaller|narrower|lighter|younger|colder|cooler|slower|cheaper) than",
    Qualifier.AT_MOST: "up to|at most|no more than|not more than|a maximum of|maximum of|as many as|as much as|<=|≤",
}
_PREFIX = re.compile(
    r"(?:(?<=[\s(\[,;:“\"'—–-])|^)(?:"
    + "|".join(f"(?P<{qualifier.name}>{phrases})" for qualifier, phrases in _PREFIXES.items())
    + r")\s{0,2}$",
    re.IGNORECASE,
)
_LONGEST_PREFIX = 24
_SUFFIXES = {
    Qualifier.AT_LEAST: r"\+(?!\w)|[\s-]plus\b|\s{1,2}(?:or|and) (?:more|above|over|higher|greater)\b",
    Qualifier.AT_MOST: r"\s{1,2}or (?:less|fewer|below|under|lower)\b",
    Qualifier.ABOUT: r"[\s-]odd\b|\s{1,2}or so\b",
}
_SUFFIX = re.compile(
    "|".join(f"(?P<{qualifier.name}>{phrases})" for qualifier, phrases in _SUFFIXES.items()), re.IGNORECASE
)


def qualify(text: str, span: Span, amount: Amount) -> tuple[Span, Amount]:
    """Extend ``span`` by the qualifiers next to it: "more than ...", "... or so"."""
    if amount.qualifier is not Qualifier.EXACTLY:
        return span, amount
    lead_start = max(0, span.start - _LONGEST_PREFIX)
    prefix = _PREFIX.search(text[lead_start : span.start])
    if prefix is not None:
        qualifier = Qualifier[str(prefix.lastgroup)]
        return Span(lead_start + prefix.start(), span.end), replace(amount, qualifier=qualifier)
    suffix = _SUFFIX.match(text, span.end)
    if suffix is not None:
        qualifier = Qualifier[str(suffix.lastgroup)]
        return Span(span.start, suffix.end()), replace(amount, qualifier=qualifier)
    return span, amount
