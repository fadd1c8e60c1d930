"""Rules for values: extract them from a sentence, compare two of them, and find those that clash.

A language model judges by the wording; these rules compare values: 12 km with 7.5 miles, 2 March with March 1921.

To add a family, write a module with a :class:`Value` and a ``find`` function, and add ``find`` to ``FINDERS``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from detection.core.rules import (
    dates,
    durations,
    frequencies,
    life_dates,
    money,
    names,
    numbers,
    opposites,
    ordinals,
    percentages,
    quantities,
    times,
)
from detection.core.rules.base import Family, Relation, Value
from detection.core.rules.cover import Cover
from detection.core.rules.left_out import is_left_out
from detection.core.rules.reading import Reading
from detection.core.types import ParsedSentence

__all__ = ["FINDERS", "Family", "Relation", "Value", "compare", "extract"]

Finder = Callable[[Reading], Iterator[Value]]

# More specific families come first and win if two read the same characters.
FINDERS: tuple[Finder, ...] = (
    dates.find,
    times.find,
    money.find,
    percentages.find,
    frequencies.find,
    durations.find,
    quantities.find,
    ordinals.find,
    numbers.find,
    names.find,
    opposites.find,
)


def extract(source: str | ParsedSentence) -> tuple[Value, ...]:
    """Find the values of a sentence, in order and without overlaps: the longest reading wins.

    Spans count in the text (for a parsed sentence: in the sentence's own text). The parse, if there is one, gives
    counted nouns and names; a plain text is read by its wording alone.
    """
    return extract_from(Reading.of(source))


def extract_from(reading: Reading) -> tuple[Value, ...]:
    """Like :func:`extract`, for a prepared sentence."""
    found = [(-len(value.span), order, value) for order, find in enumerate(FINDERS) for value in find(reading)]
    cover = Cover(len(reading.text))
    chosen = [value for _, _, value in sorted(found, key=lambda candidate: candidate[:2]) if cover.take(value.span)]
    values = life_dates.set_apart(sorted(chosen, key=lambda value: value.span), reading.text)
    # Filter last, so that the figures of a date that is left out are not read as numbers.
    return tuple(
        replace(value, text=value.span.of(reading.written)) for value in values if not is_left_out(value.family)
    )


def compare(first: Value, second: Value) -> Relation:
    """Compare two values, assuming that both are about the same thing. Symmetric."""
    return first.relation_to(second)
