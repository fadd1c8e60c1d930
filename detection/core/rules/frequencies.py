"""Frequencies: "once a day", "three times a week", "every four years"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from detection.core.language.vocabulary import words
from detection.core.rules.amounts import Amount, qualify
from detection.core.rules.base import Family, Relation, Value
from detection.core.rules.durations import UNITS
from detection.core.rules.reading import Reading
from detection.core.types import Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Frequency(Value):
    """``times`` in each ``period``; the period is in days."""

    family: ClassVar[Family] = Family.FREQUENCY
    times: Amount
    period: float

    def relation_to(self, other: Value) -> Relation:
        if not isinstance(other, Frequency):
            return Relation.UNRELATED
        if self.period == other.period:
            return self.times.relation_to(other.times)
        relation = self._yearly.relation_to(other._yearly)
        if relation is not Relation.CONFLICT:
            return relation
        # "Twice a day" may be ten times a week: on workdays only.
        rates = sorted((self._yearly.value, other._yearly.value))
        return Relation.CONFLICT if rates[1] > _SLACK_OF_PERIODS * rates[0] else Relation.COMPATIBLE

    @property
    def _yearly(self) -> Amount:
        return self.times.scaled(_DAYS["year"] / self.period)


_SLACK_OF_PERIODS = 1.5
_DAYS = {
    name: UNITS[name].factor / UNITS["day"].factor
    for name in words("hour day week fortnight month year decade century")
}
_DAYS_OF_ADVERBS = {
    "hourly": _DAYS["hour"],
    "daily": _DAYS["day"],
    "weekly": _DAYS["week"],
    "monthly": _DAYS["month"],
    "yearly": _DAYS["year"],
    "annually": _DAYS["year"],
}
_ADVERBS_OF_COUNT = {"once": 1.0, "twice": 2.0, "thrice": 3.0}
_UNIT = rf"(?P<unit>{'|'.join(_DAYS)})"
_EACH = rf"\s(?:an?|per|each|every|(?:in|of)\s(?:an?|each|every))\s{_UNIT}\b"
_ADVERB = rf"\s(?P<adverb>{'|'.join(_DAYS_OF_ADVERBS)})\b"
_SKIPPED = {"other": 2.0, "second": 2.0, "third": 3.0, "fourth": 4.0, "fifth": 5.0, "tenth": 10.0}
_PERIOD = re.compile(rf"(?:{_EACH}|{_ADVERB})", re.IGNORECASE)
_TIMES = re.compile(r"\stimes\b", re.IGNORECASE)
_COUNT_WORD = re.compile(rf"\b(?P<count>{'|'.join(_ADVERBS_OF_COUNT)})(?=\s)", re.IGNORECASE)
_EVERY_SOME = re.compile(
    rf"\b(?:once\s)?every\s(?P<skipped>{'|'.join(_SKIPPED)})\s{_UNIT}\b(?!\s(?:of|in)\b)", re.IGNORECASE
)
_EVERY = re.compile(r"\b(?:once\s)?every\s$", re.IGNORECASE)
_UNITS = re.compile(rf"\s(?:{_UNIT}s|(?P<plural>centuries))\b", re.IGNORECASE)
_LONGEST_LEAD = 12


def find(reading: Reading) -> Iterator[Frequency]:
    """Find the frequencies of a sentence. A bare "daily" or "every year" describes a habit and is left out."""
    text = reading.text
    for match in _COUNT_WORD.finditer(text):
        times = Amount(_ADVERBS_OF_COUNT[match["count"].lower()])
        yield from _frequency(text, Span(*match.span()), times, match.end())
    for figure in reading.figures:
        unit = _TIMES.match(text, figure.span.end)
        if unit is not None:
            yield from _frequency(text, figure.span, figure.amount, unit.end())
        lead = _EVERY.search(text[max(0, figure.span.start - _LONGEST_LEAD) : figure.span.start])
        units = _UNITS.match(text, figure.span.end)
        if lead is not None and units is not None and figure.amount.value > 0:
            span = Span(figure.span.start - len(lead.group()), units.end())
            period = figure.amount.value * _DAYS[units["unit"].lower() if units["unit"] else "century"]
            yield Frequency(span=span, text=span.of(text), times=Amount(1), period=period)
    for match in _EVERY_SOME.finditer(text):
        period = _SKIPPED[match["skipped"].lower()] * _DAYS[match["unit"].lower()]
        yield Frequency(span=Span(*match.span()), text=match.group(), times=Amount(1), period=period)


def _frequency(text: str, count: Span, times: Amount, end: int) -> Iterator[Frequency]:
    """The count with the period at ``end``, if there is one: "twice" in "twice a day"."""
    period = _PERIOD.match(text, end)
    if period is None:
        return
    days = _DAYS_OF_ADVERBS[period["adverb"].lower()] if period["adverb"] else _DAYS[period["unit"].lower()]
    span, amount = qualify(text, Span(count.start, period.end()), times)
    yield Frequency(span=span, text=span.of(text), times=amount, period=days)
