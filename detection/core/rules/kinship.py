"""Statements about a person's family that exclude each other: "never married" and "his wife".

They overlap other values ("two daughters" is also a number) and are therefore compared separately.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

from detection.core.rules.alignment import ValueConflict
from detection.core.rules.base import Family, Relation, Value
from detection.core.rules.left_out import is_left_out
from detection.core.rules.slots import Clause
from detection.core.types import Span


@dataclass(frozen=True, slots=True, kw_only=True)
class FamilyTie(Value):
    """That a person has, or has not, a spouse, children, brothers or sisters. ``tie`` says which."""

    family: ClassVar[Family] = Family.KINSHIP
    tie: str
    exists: bool

    def relation_to(self, other: Value) -> Relation:
        """Ties of one kind agree or exclude each other; those of two kinds are unrelated."""
        if not isinstance(other, FamilyTie) or other.tie != self.tie:
            return Relation.UNRELATED
        return Relation.SAME if self.exists is other.exists else Relation.CONFLICT


_COUNT = r"(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|several|many|\d{1,2})"
_OWN = r"(?:his|her|their)"
_KIND = (
    r"(?:\s(?:first|second|third|late|own|only|elder|older|eldest|young|younger|youngest|adult|surviving|two|three|four"
    r"|five))?"
)
_PATTERNS = (
    (
        "spouse",
        r"\bnever\smarried\b|\b(?:was|remained|stayed|died)\s(?:unmarried|single|a\s(?:bachelor|spinster))\b|\bunmarried\b"
        r"|\bno\s(?:wife|husband|spouse)\b",
        rf"\b{_OWN}{_KIND}\s(?:wife|husband|spouse|widow|widower|marriage)\b|\b(?:he|she)\s(?:was\s)?married\b"
        r"|\bgot\smarried\b",
    ),
    (
        "children",
        r"\b(?:had|has|have|having|with|left|were|and)\sno\s(?:children|child|offspring|sons|daughters)\b|\bchildless\b"
        r"|\bwithout\s(?:children|offspring|issue)\b|\bnever\shad\s(?:any\s)?children\b",
        rf"\b{_OWN}{_KIND}{_KIND}\s(?:sons?|daughters?|children|child)\b"
        rf"|\b(?:had|has|have|raised|by|and|with)\s{_COUNT}{_KIND}\s(?:sons?|daughters?|children)\b",
    ),
    (
        "siblings",
        rf"\b(?:an|the|{_OWN}\sparents['’])\sonly\schild\b|\bno\s(?:siblings|brothers\s(?:or|and)\ssisters)\b",
        rf"\b{_OWN}{_KIND}{_KIND}\s(?:brothers?|sisters?|siblings?)\b"
        rf"|\b(?:had|has|have|with)\s{_COUNT}{_KIND}\s(?:brothers?|sisters?|siblings)\b"
        rf"|\bthe\s(?:first|second|third|fourth|fifth|sixth|youngest|eldest|oldest)\sof\s{_COUNT}\s"
        r"(?:children|siblings|brothers|sisters)\b",
    ),
)
_COMPILED = [
    (tie, exists, re.compile(pattern, re.IGNORECASE))
    for tie, denied, affirmed in _PATTERNS
    for exists, pattern in ((False, denied), (True, affirmed))
]


_STRENGTH = 0.8


def conflicts_of_kinship(premise: Clause, hypothesis: Clause) -> tuple[ValueConflict, ...]:
    """The family ties that one sentence states and the other denies, assuming that both are about the same person."""
    if is_left_out(Family.KINSHIP):
        return ()
    return tuple(
        ValueConflict(one, other, _STRENGTH)
        for one in _ties_of(premise.reading.text)
        for other in _ties_of(hypothesis.reading.text)
        if one.relation_to(other) is Relation.CONFLICT
    )


@lru_cache(maxsize=2048)
def _ties_of(text: str) -> tuple[FamilyTie, ...]:
    """Each sentence of a text is compared with many others."""
    return tuple(find(text))


def find(text: str) -> Iterator[FamilyTie]:
    """Find the statements of a sentence about a person's spouse, children, brothers and sisters."""
    for tie, exists, pattern in _COMPILED:
        for match in pattern.finditer(text):
            yield FamilyTie(span=Span(*match.span()), text=match.group(), tie=tie, exists=exists)
