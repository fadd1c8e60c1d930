"""Values and the relations between two values."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from detection.core.types import Span


class Family(StrEnum):
    """The kinds of values that the rules read. Values of two families never conflict."""

    DATE = "date"
    TIME = "time"
    MONEY = "money"
    SHARE = "share"
    QUANTITY = "quantity"
    DURATION = "duration"
    FREQUENCY = "frequency"
    ORDINAL = "ordinal"
    NUMBER = "number"
    NAME = "name"
    OPPOSITE = "opposite"
    KINSHIP = "kinship"
    DENIAL = "denial"


FIGURES = frozenset(
    {
        Family.DATE,
        Family.TIME,
        Family.MONEY,
        Family.SHARE,
        Family.QUANTITY,
        Family.DURATION,
        Family.NUMBER,
        Family.FREQUENCY,
    }
)


class Relation(StrEnum):
    """The relation of two values that are about the same thing."""

    SAME = "same"
    """They are equal, perhaps in another unit or in other words."""
    COMPATIBLE = "compatible"
    """They differ, and both can be true: "2 March" and "March 1921", "about 20" and 21."""
    CONFLICT = "conflict"
    """At most one of them is true."""
    UNRELATED = "unrelated"
    """They measure or name different things: kilometres and kilograms, an age and a year."""

    @property
    def agrees(self) -> bool:
        return self in (Relation.SAME, Relation.COMPATIBLE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Value(ABC):
    """A part of a sentence that can be right or wrong: a number, a date, a name.

    ``span`` counts in the sentence's own text (not in the document), and ``text`` is exactly those characters.
    Qualifiers of a value ("more than", "about", "since") belong to it; a plain preposition does not.
    """

    family: ClassVar[Family]

    span: Span
    text: str

    @abstractmethod
    def relation_to(self, other: Value) -> Relation:
        """Compare the two, assuming that both are about the same thing. Symmetric."""
