"""Recognise written dates: months, years, and date ranges."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from detection.core.types import Token

_MONTHS: Final = (
    "January|February|March|April|May|June|July|August|September|October|November|December|"
    "Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec"
)
_YEAR: Final = re.compile(r"1\d{3}|20\d{2}")
_TIME: Final = re.compile(
    rf"\b(?:1\d{{3}}|20\d{{2}})(?:s|\b)|\b(?:{_MONTHS})\b|\b(?:century|centuries|decade|\d0s)\b|\bB\.?C\b"
)
_DATE_WORD: Final = re.compile(
    rf"(?:{_MONTHS}|(?:1\d{{3}}|20\d{{2}})s?|\d{{1,2}}(?:st|nd|rd|th)?|the|early|late|mid|about|around|century)"
)
_DATES: Final = re.compile(rf"(?:(?:{_MONTHS}|c\.|\d{{1,4}}|[-–—,])\s?)+")
_RANGE_LINKS: Final = frozenset({"to", "until", "till", "through"})


def names_time(word: str) -> bool:
    """True for "March", "1988", "1960s" and "century"."""
    return _TIME.search(word) is not None


def is_dates(text: str) -> bool:
    """True for "1901", "14 March 1911 – 3 May 1988" and other texts of one or two dates with a year."""
    return _DATES.fullmatch(text) is not None and _YEAR.search(text) is not None


def find_date_ranges(tokens: tuple[Token, ...]) -> Iterator[range]:
    """The positions of ranges such as "2011 to 2019" after "from"."""
    for position, token in enumerate(tokens):
        if token.text.lower() != "from":
            continue
        start = position + 1
        link = _end_of_date(tokens, start)
        if start < link < len(tokens) and tokens[link].text in _RANGE_LINKS:
            end = _end_of_date(tokens, link + 1)
            if end > link + 1:
                yield range(start, end)


def is_comma_of_date(tokens: tuple[Token, ...], position: int) -> bool:
    """True for the comma of "May 3, 1988"."""
    following = tokens[min(position + 1, len(tokens) - 1)]
    return tokens[position].text == "," and _YEAR.fullmatch(following.text) is not None


def _end_of_date(tokens: tuple[Token, ...], start: int) -> int:
    end = start
    while end < len(tokens) and (_DATE_WORD.fullmatch(tokens[end].text) or is_comma_of_date(tokens, end)):
        end += 1
    return end
