"""Durations and ages: "four years", "a decade and a half", "25-year-old", "aged 94"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import ClassVar

from detection.core.language.vocabulary import words
from detection.core.rules.amounts import Amount, Qualifier, qualify
from detection.core.rules.base import Family, Relation, Value
from detection.core.rules.measures import Dimension, Measure, Unit, UnitTable, find_measures
from detection.core.rules.reading import Reading
from detection.core.types import Span


class DurationKind(StrEnum):
    """What a duration measures. Durations of two kinds are not compared."""

    LENGTH = "length"
    AGE = "age"
    DISTANCE = "distance"
    """The distance of two moments: "two years later", "a decade ago"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Duration(Value):
    """A length of time."""

    family: ClassVar[Family] = Family.DURATION
    measure: Measure
    kind: DurationKind = DurationKind.LENGTH

    def relation_to(self, other: Value) -> Relation:
        if not isinstance(other, Duration) or self.kind is not other.kind:
            return Relation.UNRELATED
        return self.measure.relation_to(other.measure)


_DAY = 86400.0
_YEAR = 365.25 * _DAY
YEARS = Unit(Dimension.TIME, _YEAR)
UNITS: dict[str, Unit] = {
    name: Unit(Dimension.TIME, seconds)
    for names, seconds in (
        ("nanosecond nanoseconds", 1e-9),
        ("microsecond microseconds", 1e-6),
        ("millisecond milliseconds", 1e-3),
        ("second seconds", 1.0),
        ("minute minutes", 60.0),
        ("hour hours", 3600.0),
        ("day days", _DAY),
        ("week weeks", 7 * _DAY),
        ("fortnight fortnights", 14 * _DAY),
        ("month months", _YEAR / 12),
        ("year years", _YEAR),
        ("decade decades", 10 * _YEAR),
        ("century centuries", 100 * _YEAR),
        ("millennium millennia millenniums", 1000 * _YEAR),
    )
    for name in words(names)
}
_SYMBOLS = {
    "ms": UNITS["millisecond"],
    "min": UNITS["minute"],
    "mins": UNITS["minute"],
    "hr": UNITS["hour"],
    "hrs": UNITS["hour"],
    "h": UNITS["hour"],
    "yrs": YEARS,
}
_TABLE = UnitTable(UNITS, _SYMBOLS)

_UNIT_WORDS = "|".join(sorted(UNITS, key=len, reverse=True))
# "a year", "half an hour", "several months": an article or a vague word replaces the numeral.
_WORDED = re.compile(
    r"\b(?:(?P<half>half\s(?:of\s)?an?|(?:an?\s)?half)|(?P<quarter>(?:a\s)?quarter\sof\san?)"
    r"|(?P<few>several|many|a\sfew|a\snumber\sof)|(?P<couple>a\scouple\sof)|(?P<single>a\ssingle)|(?P<one>an?))"
    rf"[\s-](?P<unit>{_UNIT_WORDS})\b(?P<and_half>\sand\sa\shalf\b)?",
    re.IGNORECASE,
)
_WORDED_AMOUNTS = {
    "half": Amount(0.5, 0.1),
    "quarter": Amount(0.25, 0.1),
    "few": Amount(2, 1, Qualifier.AT_LEAST),
    "couple": Amount(2, 1, Qualifier.ABOUT),
    "single": Amount(1, 1),
    "one": Amount(1, 1),
}
# "a year" and "one day" are durations only after these words, not in "twice a year" and "one day he left".
_LENGTH_EXPECTED = re.compile(
    r"\b(?:for|in|within|after|over|about|nearly|almost|than|least|last(?:s|ed|ing)?|take[sn]?|took|spen[dt]s?|only|just|"
    r"under|of|around|roughly|approximately|by|to|every|entire|whole)\s{1,2}$",
    re.IGNORECASE,
)
_AGO = re.compile(r"\s{1,2}(?:ago|later|earlier|before|after|previously|afterwards?|prior)\b", re.IGNORECASE)
_OLD = re.compile(r"[\s-]{1,3}(?:olds?|of\sage)\b", re.IGNORECASE)
_AGE_OF = re.compile(r"(?:\bages?|\b[Aa]ged)\s(?:of\s|only\s|just\s)?$")
_LONGEST_LEAD = 16
_DECADES = words("twenties thirties forties fifties sixties seventies eighties nineties")
# "in his early thirties"; "in the thirties" is a date.
_DECADE_OF_LIFE = re.compile(
    rf"\b(?:his|her|their|its|my|our|your)\s(?P<part>(?:early|mid|late)(?:\s-\s|[\s-]))?(?P<decade>teens|{'|'.join(_DECADES)})\b",
    re.IGNORECASE,
)
_PARTS_OF_DECADE = {"early": (0, 4), "mid": (3, 7), "late": (6, 9)}
_TEENS = (13, 19)


def find(reading: Reading) -> Iterator[Duration]:
    """Find the durations and ages of a sentence."""
    text = reading.text
    figures = reading.figures
    for measure in find_measures(text, figures, _TABLE):
        if not _is_adverbial_one(text, measure):
            yield _duration(text, measure)
    for match in _WORDED.finditer(text):
        if match["one"] is None or _length_expected(text, match.start()) or _AGO.match(text, match.end()):
            yield _duration(text, _worded_measure(text, match))
    for figure in figures:
        span, amount = qualify(text, figure.span, figure.amount)
        if _AGE_OF.search(text[max(0, span.start - _LONGEST_LEAD) : span.start]):
            yield Duration(span=span, text=span.of(text), measure=Measure(span, amount, YEARS), kind=DurationKind.AGE)

    for match in _DECADE_OF_LIFE.finditer(text):
        start = match.start("part") if match["part"] else match.start("decade")
        span = Span(start, match.end())
        measure = Measure(span, _amount_of_decade(match), YEARS)
        yield Duration(span=span, text=span.of(text), measure=measure, kind=DurationKind.AGE)


def _amount_of_decade(match: re.Match[str]) -> Amount:
    if match["decade"].lower() == "teens":
        low, high = _TEENS
    else:
        first = 20 + 10 * _DECADES.index(match["decade"].lower())
        offsets = _PARTS_OF_DECADE.get((match["part"] or "").lower().rstrip(" -"), (0, 9))
        low, high = (first + offset for offset in offsets)
    return Amount(low, 1, Qualifier.BETWEEN, high)


def _length_expected(text: str, start: int) -> bool:
    return _LENGTH_EXPECTED.search(text[max(0, start - _LONGEST_LEAD) : start]) is not None


def _is_adverbial_one(text: str, measure: Measure) -> bool:
    """True for "one day" in "one day he left"."""
    is_one = measure.span.of(text).lower().startswith("one ") and measure.amount == Amount(1)
    return is_one and not _length_expected(text, measure.span.start) and not _AGO.match(text, measure.span.end)


def _worded_measure(text: str, match: re.Match[str]) -> Measure:
    amount = next(amount for name, amount in _WORDED_AMOUNTS.items() if match[name] is not None)
    if match["and_half"]:
        amount = replace(amount, value=amount.value + 0.5, resolution=0.25)
    span, amount = qualify(text, Span(*match.span()), amount)
    return Measure(span, amount, UNITS[match["unit"].lower()])


def _duration(text: str, measure: Measure) -> Duration:
    span, kind = measure.span, DurationKind.LENGTH
    old = _OLD.match(text, span.end)
    if old is not None:
        span, kind = Span(span.start, old.end()), DurationKind.AGE
    elif _AGO.match(text, span.end):
        kind = DurationKind.DISTANCE
    return Duration(span=span, text=span.of(text), measure=measure, kind=kind)
