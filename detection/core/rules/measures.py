"""Amounts with a unit: the common part of quantities and durations."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from detection.core.language.vocabulary import alternation
from detection.core.rules.amounts import Amount, Figure, Qualifier, join_range, qualify
from detection.core.rules.base import Relation
from detection.core.rules.numerals import NumeralForm
from detection.core.types import Span


class Dimension(StrEnum):
    """The dimension of a unit. Amounts are compared within one dimension only."""

    LENGTH = "length"
    AREA = "area"
    VOLUME = "volume"
    MASS = "mass"
    TIME = "time"
    TEMPERATURE = "temperature"
    SPEED = "speed"
    ENERGY = "energy"
    POWER = "power"
    DATA = "data"
    DATA_RATE = "data rate"
    FREQUENCY = "frequency"
    PRESSURE = "pressure"
    VOLTAGE = "voltage"
    POPULATION_DENSITY = "population density"
    SOUND_LEVEL = "sound level"


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit: ``factor`` (and for temperatures ``shift``) lead to the base unit of its dimension."""

    dimension: Dimension
    factor: float
    shift: float = 0.0


@dataclass(frozen=True, slots=True)
class Measure:
    """An amount with a unit, and its characters."""

    span: Span
    amount: Amount
    unit: Unit

    def relation_to(self, other: Measure) -> Relation:
        """Compare in the base unit of the dimension."""
        if self.unit.dimension is not other.unit.dimension:
            return Relation.UNRELATED
        if self.unit == other.unit:
            return self.amount.relation_to(other.amount)
        return self.in_base_unit().relation_to(other.in_base_unit(), converted=True)

    def in_base_unit(self) -> Amount:
        """The amount in seconds, metres, grams ...: the base unit of its dimension."""
        return self.amount.scaled(self.unit.factor, self.unit.shift)


class UnitTable:
    """The units of one family, by the words and symbols that name them.

    Words match in any case, symbols ("MW", "mW") only exactly.
    """

    def __init__(
        self, words: Mapping[str, Unit], symbols: Mapping[str, Unit], parts: Mapping[str, Unit] | None = None
    ) -> None:
        """``parts`` are symbols that are units only after a larger one: "in" in "5 ft 10 in"."""
        self._units = {**{word.lower(): unit for word, unit in words.items()}, **symbols}
        self._parts = dict(parts or {})
        self._pattern = _unit_pattern(rf"(?P<symbol>{alternation(symbols)})|(?i:(?P<word>{alternation(words)}))")
        self._part_pattern = _unit_pattern(rf"(?P<symbol>{alternation(self._parts)})")

    def read(self, text: str, position: int) -> tuple[Unit, int] | None:
        """The unit at ``position``, and its end."""
        match = self._pattern.match(text, position)
        if match is None:
            return None
        name = match["symbol"] or re.sub(r"\s+", " ", match["word"].lower())
        return self._units[name], match.end()

    def read_part(self, text: str, position: int) -> tuple[Unit, int] | None:
        """The unit at ``position`` that is one only after a larger unit, and its end."""
        match = self._part_pattern.match(text, position) if self._parts else None
        return (self._parts[match["symbol"]], match.end()) if match else None


def _unit_pattern(names: str) -> re.Pattern[str]:
    return re.compile(rf"(?:[ \u00a0\u2009\u202f]{{0,2}}|\s?[-‐‑]\s?)(?:{names})(?![^\W_])")


def find_measures(text: str, figures: Iterable[Figure], table: UnitTable) -> Iterator[Measure]:
    """Find amounts with a unit of the table; parts ("5 ft 10 in") and ranges ("5 km to 7 km") are joined."""
    for measure in _joined(text, _plain_measures(text, figures, table)):
        span, amount = qualify(text, measure.span, measure.amount)
        yield replace(measure, span=span, amount=amount)


def _plain_measures(text: str, figures: Iterable[Figure], table: UnitTable) -> list[Measure]:
    measures: list[Measure] = []
    for figure in figures:
        found = table.read(text, _unit_position(text, figure))
        if found is None and measures and _PART_GAP.fullmatch(text, measures[-1].span.end, figure.span.start):
            found = table.read_part(text, figure.span.end)
        if found is not None:
            unit, end = found
            measures.append(Measure(Span(figure.span.start, end), figure.amount, unit))
    return measures


def _unit_position(text: str, figure: Figure) -> int:
    """The position of the unit: after the figure, or after the article in "half a tonne"."""
    article = _ARTICLE.match(text, figure.span.end) if figure.form is NumeralForm.FRACTION else None
    return article.end() if article else figure.span.end


_ARTICLE = re.compile(r"\s{1,2}(?:of\s)?an?(?=\s)", re.IGNORECASE)


def _joined(text: str, measures: list[Measure]) -> list[Measure]:
    joined: list[Measure] = []
    for measure in measures:
        whole = (_sum(text, joined[-1], measure) or _range(text, joined[-1], measure)) if joined else None
        if whole is None:
            joined.append(measure)
        else:
            joined[-1] = whole
    return joined


_PART_GAP = re.compile(r",?\s{1,2}(?:and\s{1,2})?")


def _sum(text: str, large: Measure, small: Measure) -> Measure | None:
    """ "5 ft 10 in", "two years and three months" as one measure in the smaller unit."""
    if large.unit.dimension is not small.unit.dimension or large.unit.factor <= small.unit.factor:
        return None
    if large.unit.shift or small.amount.value * small.unit.factor >= large.unit.factor:
        return None
    if large.amount.qualifier is not Qualifier.EXACTLY or small.amount.qualifier is not Qualifier.EXACTLY:
        return None
    if _PART_GAP.fullmatch(text, large.span.end, small.span.start) is None:
        return None
    value = large.amount.value * large.unit.factor / small.unit.factor + small.amount.value
    span = Span(large.span.start, small.span.end)
    return Measure(span, replace(small.amount, value=value), small.unit)


def _range(text: str, low: Measure, high: Measure) -> Measure | None:
    joined = join_range(text, low.span, low.amount, high.span, high.amount) if low.unit == high.unit else None
    return Measure(*joined, low.unit) if joined else None
