"""Life dates: "Ada Lind (24 May 1901 – 3 June 1950)" gives the dates of birth and death.

They are read as two dates of separate events, so that "she died in 1955" can clash with one of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from detection.core.rules.base import Value
from detection.core.rules.dates import Date, DateKind
from detection.core.rules.names import Name
from detection.core.types import Span

_DASH = re.compile(r"\s?[–—‒−-]\s?")
#: Words that may precede a name at the beginning of a sentence.
_TITLE = re.compile(r"(?:(?:the|sir|dame|lady|lord|dr|prof|st|saint|king|queen|prince|princess)\.?\s)?", re.IGNORECASE)
_BEFORE_DATES = re.compile(r"(?:,?\s(?:jr|sr|junior|senior|[IVX]+)\.?)?\s?\(", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class LifeDate:
    """One of the two dates; ``event`` is "birth" or "death", and ``of`` is the person."""

    date: Date
    event: str
    of: Name


def set_apart(values: Sequence[Value], text: str) -> tuple[Value, ...]:
    """The values, with each life span split into its two dates."""
    apart: list[Value] = []
    for value in values:
        apart += _ends(value, text) if isinstance(value, Date) and _spans_life(value, values, text) else [value]
    return tuple(apart)


def find_life_dates(values: Sequence[Value], text: str) -> Iterator[LifeDate]:
    """The life dates among the result of :func:`set_apart`."""
    dates = [value for value in values if isinstance(value, Date)]
    for birth, death in pairwise(dates):
        owner = _owner_before(birth, values, text)
        if owner is not None and _DASH.fullmatch(text, birth.span.end, death.span.start) and _closes(death, text):
            yield LifeDate(birth, "birth", owner)
            yield LifeDate(death, "death", owner)


def _spans_life(date: Date, values: Iterable[Value], text: str) -> bool:
    is_extent = date.kind is DateKind.EXTENT and date.begin is not None and date.end is not None
    return is_extent and _closes(date, text) and _owner_before(date, values, text) is not None


def _owner_before(value: Value, values: Iterable[Value], text: str) -> Name | None:
    """The name at the beginning of the sentence, if the value is in brackets after it."""
    return next(
        (
            name
            for name in values
            if isinstance(name, Name)
            and _TITLE.fullmatch(text, 0, name.span.start)
            and _BEFORE_DATES.fullmatch(text, name.span.end, value.span.start)
        ),
        None,
    )


def _closes(value: Value, text: str) -> bool:
    return text[value.span.end : value.span.end + 1] == ")"


def _ends(extent: Date, text: str) -> list[Value]:
    """The two ends of an extent as dates; the extent itself if the separator is ambiguous."""
    dashes = list(_DASH.finditer(extent.text))
    if len(dashes) != 1:  # the dates themselves contain dashes: 1901-05-24
        return [extent]
    start = extent.span.start
    first = Span(start, start + dashes[0].start())
    last = Span(start + dashes[0].end(), extent.span.end)
    return [
        Date(span=first, text=first.of(text), begin=extent.begin, end=extent.begin),
        Date(span=last, text=last.of(text), begin=extent.end, end=extent.end),
    ]
