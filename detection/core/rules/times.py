"""Times of day: "3:45 p.m.", "15:45", "5 o'clock", "half past five", "noon", "before 9 am", "from 9 to 5 pm".

Zones are not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import ClassVar

from detection.core.language.vocabulary import words
from detection.core.rules.base import Family, Relation, Value
from detection.core.rules.reading import Reading
from detection.core.types import Span

_HOUR = 60
_HALF_DAY = 12 * _HOUR
_DAY = 2 * _HALF_DAY
_SLACK = 30
"""Tolerance of "about 3 pm" to each side, in minutes."""


class TimeKind(StrEnum):
    """The kind of a time."""

    POINT = "point"
    ABOUT = "about"
    BEFORE = "before"
    """Before or at it."""
    AFTER = "after"
    UNTIL = "until"
    """The whole time until it."""
    SINCE = "since"
    """The whole time from it on."""
    RANGE = "range"
    """The whole range, or some time in it."""


_BOUNDS = frozenset({TimeKind.ABOUT, TimeKind.BEFORE, TimeKind.AFTER})


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeOfDay(Value):
    """A time on the clock, a bound or a range.

    ``minute`` counts from midnight, 0 to 1439. ``half_known`` is False for "at 5 o'clock", which may be either half
    of the day; ``minute`` is then that of the morning. ``last`` is the end of a range, 1440 and more after midnight.
    """

    family: ClassVar[Family] = Family.TIME
    minute: int
    half_known: bool
    kind: TimeKind = TimeKind.POINT
    last: int | None = None

    def relation_to(self, other: Value) -> Relation:
        if not isinstance(other, TimeOfDay):
            return Relation.UNRELATED
        if self.kind is other.kind:
            if (self.minute, self.half_known, self.last) == (other.minute, other.half_known, other.last):
                return Relation.SAME
            if self.kind not in _BOUNDS:
                return Relation.COMPATIBLE if self._may_be_equal(other) else Relation.CONFLICT
        meets = any(_overlap(one, another) for one in self._spans() for another in other._spans())
        return Relation.COMPATIBLE if meets else Relation.CONFLICT

    def _may_be_equal(self, other: TimeOfDay) -> bool:
        """True for "5 o'clock" and "5 pm"."""
        is_open = not (self.half_known and other.half_known)
        return is_open and self.minute % _HALF_DAY == other.minute % _HALF_DAY

    def _spans(self) -> tuple[tuple[int, int], ...]:
        """The possible minutes, first and last: one span for each possible half of the day."""
        shifts = (0,) if self.half_known else (0, _HALF_DAY)
        return tuple(self._span(self.minute + shift) for shift in shifts)

    def _span(self, minute: int) -> tuple[int, int]:
        match self.kind:
            case TimeKind.ABOUT:
                return minute - _SLACK, minute + _SLACK
            case TimeKind.BEFORE | TimeKind.UNTIL:
                return 0, minute
            case TimeKind.AFTER | TimeKind.SINCE:
                return minute, _DAY
            case _:
                return minute, minute if self.last is None else self.last + minute - self.minute


def _overlap(one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Whether two spans overlap, treating minutes of the next day as those of this day."""
    return any(one[0] <= other[1] + shift and other[0] + shift <= one[1] for shift in (-_DAY, 0, _DAY))


_HOURS = {
    word: hour for hour, word in enumerate(words("one two three four five six seven eight nine ten eleven twelve"), 1)
}
# The full stop after "9 am." ends the sentence.
_HALF = r"(?:[ap]\.\s?m(?:\.|\b)|[ap]\s?m\b)"
_CLOCK = re.compile(
    rf"""
    (?<![\w.:,/-])
    (?:
        (?P<hour>[01]?\d|2[0-3])[:.](?P<minute>[0-5]\d)(?::[0-5]\d)?(?:\s?(?P<half>{_HALF}))?(?![\d:])
      | (?P<full_hour>0?[1-9]|1[0-2])\s?(?P<full_half>{_HALF})
      | (?P<oclock>0?[1-9]|1[0-2]|{"|".join(_HOURS)})\s?o['’]clock
      | (?P<named>noon|midday|midnight)\b
      | (?P<part>half\spast|(?:a\s)?quarter\s(?:past|to))\s(?P<told>0?[1-9]|1[0-2]|{"|".join(_HOURS)})\b
        (?:\s?(?P<told_half>{_HALF}))?
    )
    """,
    re.VERBOSE | re.IGNORECASE,
)
# Without "a.m." or "p.m." a colon may belong to a score, a ratio or a verse, and a point to a decimal number.
_TIME_LEAD = re.compile(r"\b(?:at|by|around|about|from|to|until|till|before|after|between|since|and)\s$", re.IGNORECASE)


_LEADS = tuple(
    (re.compile(rf"\b(?:{phrases})\s$", re.IGNORECASE), kind)
    for phrases, kind in (
        (
            "(?:just|shortly)\\s(?:before|after)|about|around|approximately|roughly|nearly|almost|towards?",
            TimeKind.ABOUT,
        ),
        ("(?:not|no)\\slater\\sthan|(?<!not\\s)before|by", TimeKind.BEFORE),
        ("not\\sbefore|(?:not|no)\\searlier\\sthan|after", TimeKind.AFTER),
        ("until|till|up\\sto", TimeKind.UNTIL),
        ("since|from", TimeKind.SINCE),
    )
)
_RANGE_GAP = re.compile(r"\s?[–—‒−-]\s?|\s(?:to|until|till)\s", re.IGNORECASE)
_BETWEEN_GAP = re.compile(r"\sand\s", re.IGNORECASE)
_BETWEEN = re.compile(r"\bbetween\s$", re.IGNORECASE)
_FROM = re.compile(r"\bfrom\s$", re.IGNORECASE)
# "9 to" in "from 9 to 11 am".
_HOUR_BEFORE = re.compile(
    r"(?:\bfrom\s|\b(?P<between>between\s)|(?<![\w.,:$£€]))(?P<hour>1[0-2]|0?[1-9])"
    r"(?:\s?[–—-]\s?|\sto\s|(?(between)\sand\s|(?!)))$",
    re.IGNORECASE,
)
_LONGEST_LEAD = 20


def find(reading: Reading) -> Iterator[TimeOfDay]:
    """Find the times of day of a sentence; the two ends of a range make one."""
    points = list(_points(reading.text))
    position = 0
    while position < len(points):
        joined = _join(reading.text, *points[position : position + 2]) if position + 1 < len(points) else None
        yield joined or _with_lead(reading.text, points[position])
        position += 2 if joined else 1


def _points(text: str) -> Iterator[TimeOfDay]:
    for match in _CLOCK.finditer(text):
        time = _read(match)
        if time is not None:
            minute, half_known = time
            yield TimeOfDay(span=Span(*match.span()), text=match.group(), minute=minute, half_known=half_known)


def _lead(text: str, span: Span) -> str:
    return text[max(0, span.start - _LONGEST_LEAD) : span.start]


def _join(text: str, first: TimeOfDay, last: TimeOfDay) -> TimeOfDay | None:
    """Join "from 9 am to 5 pm" and "between 9:00 and 11:00" to one range."""
    opening = _BETWEEN.search(_lead(text, first.span))
    gap = _BETWEEN_GAP if opening else _RANGE_GAP
    if gap.fullmatch(text, first.span.end, last.span.start) is None:
        return None
    opening = opening or _FROM.search(_lead(text, first.span))
    start = first.span.start - (len(opening.group()) if opening else 0)
    if first.half_known:
        # "from 00:00 to 10:00": the first time uses the clock of the last one.
        return _range(text, start, first.minute, replace(last, minute=_on_the_long_clock(last), half_known=True))
    if not last.half_known:
        return _range(text, start, first.minute, last)
    is_on_twelve_hours = last.text[-1] in ".mM"
    minute = _latest_before(last, first.minute) if is_on_twelve_hours else _on_the_long_clock(first)
    return _range(text, start, minute, last)


def _on_the_long_clock(time: TimeOfDay) -> int:
    """The minute of a time on the 24-hour clock, on which 12:30 is half past noon."""
    return time.minute + _HALF_DAY if not time.half_known and time.minute < _HOUR else time.minute


def _latest_before(last: TimeOfDay, minute: int) -> int:
    """The start of a range that ends with ``last``; ``minute`` counts from noon or midnight."""
    return minute + _HALF_DAY if minute + _HALF_DAY < last.minute else minute


def _range(text: str, start: int, minute: int, last: TimeOfDay) -> TimeOfDay:
    end = last.minute if last.minute > minute else last.minute + (_DAY if last.half_known else _HALF_DAY)
    span = Span(start, last.span.end)
    return replace(last, span=span, text=span.of(text), kind=TimeKind.RANGE, minute=minute, last=end)


def _with_hour(text: str, last: TimeOfDay) -> TimeOfDay | None:
    """ "from 9 to 11 am", "9–5 pm": the first hour of the range has no "am" or "pm"."""
    lead = _lead(text, last.span)
    hour = _HOUR_BEFORE.search(lead)
    if hour is None or not last.half_known:
        return None
    minute = _latest_before(last, int(hour["hour"]) % 12 * 60)
    return _range(text, last.span.start - len(hour.group()), minute, last)


def _with_lead(text: str, time: TimeOfDay) -> TimeOfDay:
    """Include the qualifiers of a time: "before", "about"."""
    whole = _with_hour(text, time)
    if whole is not None:
        return whole
    lead = _lead(text, time.span)
    for pattern, kind in _LEADS:
        words_before = pattern.search(lead)
        if words_before is not None:
            span = Span(time.span.start - len(words_before.group()), time.span.end)
            return replace(time, span=span, text=span.of(text), kind=kind)
    return time


def _read(match: re.Match[str]) -> tuple[int, bool] | None:
    if match["named"]:
        return (0 if match["named"].lower() == "midnight" else _HALF_DAY), True
    if match["oclock"]:
        return _hour_of(match["oclock"]) % 12 * _HOUR, False
    if match["part"]:
        words_before = match["part"].lower()
        minutes = 30 if words_before.startswith("half") else 15 if words_before.endswith("past") else -15
        hour = _hour_of(match["told"])
        if match["told_half"]:
            return _with_half(hour, minutes, match["told_half"]) % _DAY, True
        return (hour * _HOUR + minutes) % _HALF_DAY, False
    if match["full_hour"]:
        return _with_half(int(match["full_hour"]), 0, match["full_half"]), True
    hour, minute = int(match["hour"]), int(match["minute"])
    if match["half"]:
        return (_with_half(hour, minute, match["half"]), True) if 1 <= hour <= 12 else None
    is_time = ":" in match.group() and _TIME_LEAD.search(match.string[max(0, match.start() - 8) : match.start()])
    if not is_time:
        return None
    # "at 03:45" and "at 15:45" are of the 24-hour clock, "at 3:45" may be in the afternoon.
    half_known = hour > 12 or match["hour"].startswith("0")
    return (hour if half_known else hour % 12) * 60 + minute, half_known


def _hour_of(word: str) -> int:
    return int(word) if word.isdigit() else _HOURS[word.lower()]


def _with_half(hour: int, minute: int, half: str) -> int:
    afternoon = half.lower().startswith("p")
    return (hour % 12 + 12 * afternoon) * 60 + minute
