"""Times of day: "3:45 p.m.", "15:45", "5 o'clock", "noon"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from detection.core.rules.base import Family, Relation, Value
from detection.core.rules.reading import Reading
from detection.core.rules.vocabulary import words
from detection.core.types import Span

_HALF_DAY = 12 * 60


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeOfDay(Value):
    """A time on the clock; zones are not read.

    ``minute`` counts from midnight, 0 to 1439. ``half_known`` is False for "at 5 o'clock", which may be either half
    of the day; ``minute`` is the one in the morning then.
    """

    family: ClassVar[Family] = Family.TIME
    minute: int
    half_known: bool

    def relation_to(self, other: Value) -> Relation:
        if not isinstance(other, TimeOfDay):
            return Relation.UNRELATED
        if self.half_known and other.half_known:
            return Relation.SAME if self.minute == other.minute else Relation.CONFLICT
        if self.minute % _HALF_DAY != other.minute % _HALF_DAY:
            return Relation.CONFLICT
        return Relation.SAME if self.half_known is other.half_known else Relation.COMPATIBLE


_HOURS = {
    word: hour for hour, word in enumerate(words("one two three four five six seven eight nine ten eleven twelve"), 1)
}
# The point behind "9 am." ends the sentence.
_HALF = r"(?:[ap]\.\s?m(?:\.|\b)|[ap]\s?m\b)"
_CLOCK = re.compile(
    rf"""
    (?<![\w.:,/-])
    (?:
        (?P<hour>[01]?\d|2[0-3])[:.](?P<minute>[0-5]\d)(?::[0-5]\d)?(?:\s?(?P<half>{_HALF}))?(?![\d:])
      | (?P<full_hour>0?[1-9]|1[0-2])\s?(?P<full_half>{_HALF})
      | (?P<oclock>0?[1-9]|1[0-2]|{"|".join(_HOURS)})\s?o['’]clock
      | (?P<named>noon|midday|midnight)\b
    )
    """,
    re.VERBOSE | re.IGNORECASE,
)
# Without "a.m." or "p.m." a colon may stand in a score, a ratio or a verse, and a point in a decimal number.
_TIME_LEAD = re.compile(r"\b(?:at|by|around|about|from|to|until|till|before|after|between|since|and)\s$", re.IGNORECASE)


def find(reading: Reading) -> Iterator[TimeOfDay]:
    """Find the times of day of a sentence."""
    text = reading.text
    for match in _CLOCK.finditer(text):
        time = _read(match)
        if time is not None:
            minute, half_known = time
            yield TimeOfDay(span=Span(*match.span()), text=match.group(), minute=minute, half_known=half_known)


def _read(match: re.Match[str]) -> tuple[int, bool] | None:
    if match["named"]:
        return (0 if match["named"].lower() == "midnight" else _HALF_DAY), True
    if match["oclock"]:
        word = match["oclock"].lower()
        hour = int(word) if word.isdigit() else _HOURS[word]
        return hour % 12 * 60, False
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


def _with_half(hour: int, minute: int, half: str) -> int:
    afternoon = half.lower().startswith("p")
    return (hour % 12 + 12 * afternoon) * 60 + minute
