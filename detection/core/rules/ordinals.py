"""Ranks: "first", "21st", "the third-largest city", "the largest city", "No. 1", "last"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from detection.core.language.vocabulary import words
from detection.core.rules.base import Family, Relation, Value
from detection.core.rules.inflection import inflected_adjective, spell_ordinal
from detection.core.rules.nouns import noun_of
from detection.core.rules.reading import Reading
from detection.core.types import Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Ordinal(Value):
    """A rank in an order.

    ``rank`` counts from 1, or from the end: -1 is the last, -2 the last but one. ``order`` is the superlative that
    defines the order ("largest"), None for plain ordinals. ``thing`` is the canonical noun of what is ranked. ``among``
    is set for "one of the largest", which leaves the rank open.
    """

    family: ClassVar[Family] = Family.ORDINAL
    rank: int
    order: str | None = None
    thing: str | None = None
    among: bool = False

    def relation_to(self, other: Value) -> Relation:
        if not isinstance(other, Ordinal) or (self.thing and other.thing and self.thing != other.thing):
            return Relation.UNRELATED
        if (self.order, other.order) in _OPPOSITE_ORDERS:
            return Relation.CONFLICT
        if self.order != other.order:
            return Relation.UNRELATED
        if self.among or other.among:
            return Relation.SAME if self.among is other.among else Relation.COMPATIBLE
        if (self.rank < 0) is not (other.rank < 0) and self.order is None and abs(self.rank) + abs(other.rank) > 2:
            # "the third and last" is one thing; only first and last exclude each other, mostly.
            return Relation.COMPATIBLE
        return Relation.SAME if self.rank == other.rank else Relation.CONFLICT


_RANKS = {"hundredth": 100, "last": -1, "final": -1, "penultimate": -2}
_RANKS |= {str(spell_ordinal(rank)): rank for rank in range(1, 100)}
_RANK_WORDS = "|".join(_RANKS).replace("-", r"[\s-]")
_SUPERLATIVES = {"biggest": "large", "eldest": "old", "wealthiest": "rich", "best": "good", "worst": "bad"}
_SUPERLATIVES |= {
    str(inflected_adjective(word, "JJS")): word
    for word in words(
        "large great small high tall low long short old young new early late rich poor fast slow deep busy heavy light"
        " strong weak hot cold"
    )
}
_OPPOSITE_ORDERS = frozenset(
    order
    for pair in (
        ("large", "small"),
        ("high", "low"),
        ("tall", "short"),
        ("long", "short"),
        ("old", "young"),
        ("old", "new"),
        ("early", "late"),
        ("rich", "poor"),
        ("fast", "slow"),
        ("good", "bad"),
        ("heavy", "light"),
        ("strong", "weak"),
        ("hot", "cold"),
    )
    for order in (pair, pair[::-1])
)
_HUNDREDS = {
    word: 100 * count for count, word in enumerate(words("one two three four five six seven eight nine"), 1)
} | {"a": 100}
_RANK = (
    rf"(?:(?:(?:(?P<hundreds>{'|'.join(_HUNDREDS)})[\s-])?(?P<hundred>hundred)[\s-](?:and[\s-])?)?"
    rf"(?P<word>{_RANK_WORDS})"
    rf"|(?P<whole_hundreds>{'|'.join(_HUNDREDS)})[\s-]hundredth"
    r"|(?P<digits>\d{1,4})\s?(?:st|nd|rd|th))"
)
_SUPERLATIVE = rf"(?:{'|'.join(_SUPERLATIVES)}|(?:most|least)[\s-][a-z]{{3,20}})"
_ORDINAL = re.compile(
    rf"(?<![\w,.-])(?:{_RANK}(?:(?:\s?-\s?|\s)(?P<order>{_SUPERLATIVE}))?|(?P<top>{_SUPERLATIVE}))(?!\w)",
    re.IGNORECASE,
)
_AMONG = re.compile(
    r"\b(?:one|some|two|three|many|several|among)\s(?:of\s)?(?:the|its|his|her|their|our)\s$", re.IGNORECASE
)
# A superlative ranks only after a determiner, not in "at least", "most people", "best known".
_DETERMINER = re.compile(r"(?:\b(?:the|its|his|her|their|our|my|your)|[’']s)\s$", re.IGNORECASE)
_LONGEST_LEAD = 18
_NUMBERED = re.compile(r"(?<![\w.])(?:No\.\s?|#\s?|[Nn]umber\s)(?P<number>[1-9]\d{0,2}|one|two|three)(?![\w.,]\d|\w)")
_NUMBER_WORDS = {"one": 1, "two": 2, "three": 3}
# "Second" after a number is a duration, and "last year" is a relative date.
_COUNTED_BEFORE = re.compile(r"(?:\d|\b(?:one|two|three|four|five|ten|per|a|each|split)|%)[\s-]$", re.IGNORECASE)
_NO_RANK_AFTER = re.compile(
    r"\s(?:year|month|week|night|summer|spring|autumn|fall|winter|time|name|half|hand|lady|degree|of\sall)\b"
    r"|-(?:hand|class|time|person|degree|rate|string|grade)\b",
    re.IGNORECASE,
)


def find(reading: Reading) -> Iterator[Ordinal]:
    """Find the ranks of a sentence. An ordinal ranks something: adverbs ("first appeared") are left out."""
    text = reading.text
    for match in _ORDINAL.finditer(text):
        ordinal = _ordinal(reading, match)
        if ordinal is not None:
            yield ordinal
    for match in _NUMBERED.finditer(text):
        number = match["number"]
        rank = int(number) if number.isdigit() else _NUMBER_WORDS[number]
        yield Ordinal(span=Span(*match.span()), text=match.group(), rank=rank)


def _ordinal(reading: Reading, match: re.Match[str]) -> Ordinal | None:
    span = Span(*match.span())
    lead = reading.text[max(0, span.start - _LONGEST_LEAD) : span.start]
    among = _AMONG.search(lead)
    if match["top"] and not among and not _DETERMINER.search(lead):
        return None
    if _COUNTED_BEFORE.search(lead) or _NO_RANK_AFTER.match(reading.text, span.end) or _is_name(reading.text, span):
        return None
    thing = noun_of(reading, span)
    if thing is None:
        return None
    superlative = match["order"] or match["top"]
    return Ordinal(
        span=span,
        text=match.group(),
        rank=1 if match["top"] else _rank(match),
        order=_order(superlative) if superlative else None,
        thing=thing,
        among=among is not None,
    )


def _is_name(text: str, span: Span) -> bool:
    """True for the first word of "Second World War" and "First National Bank"."""
    return span.of(text)[0].isupper() and text[span.end : span.end + 2].strip().isupper()


def _rank(match: re.Match[str]) -> int:
    if match["digits"]:
        return int(match["digits"])
    if match["whole_hundreds"]:
        return _HUNDREDS[match["whole_hundreds"].lower()]
    hundreds = _HUNDREDS[(match["hundreds"] or "one").lower()] if match["hundred"] else 0
    return hundreds + _RANKS[re.sub(r"\s", "-", match["word"].lower())]


def _order(superlative: str) -> str:
    word = " ".join(superlative.lower().replace("-", " ").split())
    return _SUPERLATIVES.get(word, word)
