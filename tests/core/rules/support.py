"""Helpers for the tests of the families."""

from __future__ import annotations

from typing import TypeVar

from detection.core.rules import extract
from detection.core.rules.base import Relation, Value
from detection.core.types import ParsedSentence

SAME, COMPATIBLE, CONFLICT, UNRELATED = Relation.SAME, Relation.COMPATIBLE, Relation.CONFLICT, Relation.UNRELATED

V = TypeVar("V", bound=Value)


def values_of(kind: type[V], source: str | ParsedSentence) -> list[V]:
    """The values of one class in a sentence, in order."""
    return [value for value in extract(source) if isinstance(value, kind)]


def texts_of(kind: type[Value], source: str | ParsedSentence) -> list[str]:
    return [value.text for value in values_of(kind, source)]


def relation(kind: type[Value], first: str | ParsedSentence, second: str | ParsedSentence) -> Relation:
    """The relation of the only value of that class in each of two sentences; it must be symmetric."""
    (one,) = values_of(kind, first)
    (other,) = values_of(kind, second)
    assert one.relation_to(other) is other.relation_to(one)
    return one.relation_to(other)
