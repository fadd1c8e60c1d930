"""Ages and anniversaries: for how long something has existed in a year, and so in which year it began.

"She died in 2011 at the age of eighty" says that she was born in 1930 or 1931.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from detection.core.rules.amounts import Qualifier
from detection.core.rules.base import Value
from detection.core.rules.dates import Date
from detection.core.rules.durations import YEARS, Duration, DurationKind
from detection.core.rules.numbers import Number
from detection.core.rules.ordinals import Ordinal
from detection.core.rules.slots import Clause

_BIRTH = "birth"
#: The words for a beginning, by its event.
_BEGUN = {
    _BIRTH: "born",
    "founding": "founded",
    "opening": "opened",
    "release": "released",
    "construction": "built",
    "launch": "launched",
}
#: The words of a noun phrase around its noun, without those that describe it in a clause of their own.
_OF_THE_PHRASE = frozenset({"det", "amod", "compound", "flat", "nmod:poss", "nmod:desc", "nummod"})


class ElapsedKind(StrEnum):
    AGE = "age"
    """It counts from a birth: "at the age of eighty"."""
    ANNIVERSARY = "anniversary"
    """It counts from anything but a birth: "its twentieth anniversary"."""
    BIRTHDAY = "birthday"
    """It counts from any beginning: "Ada's twentieth birthday", "she turned twenty"."""


_KINDS_OF_NOUNS = {
    "anniversary": ElapsedKind.ANNIVERSARY,
    "jubilee": ElapsedKind.ANNIVERSARY,
    "birthday": ElapsedKind.BIRTHDAY,
}
#: Nouns that give the number of years themselves.
_CENTENARIES = {
    "centenary": 100,
    "centennial": 100,
    "sesquicentennial": 150,
    "bicentenary": 200,
    "bicentennial": 200,
    "tercentenary": 300,
}
_TURN = "turn"
_PERSONS = frozenset({"he", "she"})
#: "She was 34 when she won the prize in 1987."
_WHEN = re.compile(r"\swhen\b")


@dataclass(frozen=True, slots=True)
class Beginning:
    """An event with which something begins, and its year, which ``date`` gives."""

    date: Date
    event: str
    year: int


@dataclass(frozen=True, slots=True)
class Elapsed:
    """The years for which something has existed in a year; ``value`` gives their number.

    ``subject`` has the words for it at the beginning of a sentence.
    """

    value: Value
    kind: ElapsedKind
    years: int
    year: int
    subject: str
    is_plural: bool

    def counts_from(self, beginning: Beginning) -> bool:
        """Whether it is about such a beginning: an age is about a birth."""
        return self.kind is ElapsedKind.BIRTHDAY or (self.kind is ElapsedKind.AGE) is (beginning.event == _BIRTH)

    @property
    def first_years(self) -> range:
        """The years in which it may have begun.

        Who is eighty was born eighty years before, or eighty-one. An anniversary may be a year early or late.
        """
        first = self.year - self.years
        return range(first - 1, first + 1) if self.kind is ElapsedKind.AGE else range(first - 1, first + 2)

    def restated(self, beginning: Beginning) -> str:
        """What it says of the beginning, in words like those for ``beginning``: "She was born in 1931."."""
        verb = "were" if self.is_plural else "was"
        return f"{self.subject} {verb} {_BEGUN[beginning.event]} in {self.year - self.years}."


def find_beginnings(clause: Clause) -> Iterator[Beginning]:
    """The beginnings that a sentence dates to a year; none of a sentence that is too long to parse."""
    for value, year in _dated(clause) if clause.tree.tokens else ():
        if (event := clause.slot(value).event) in _BEGUN:
            yield Beginning(value, event, year)


def find_elapsed(clause: Clause) -> Iterator[Elapsed]:
    """The ages and anniversaries of a sentence that gives their year; none of one that is too long to parse."""
    for value in (*clause.values, *_find_centenaries(clause)) if clause.tree.tokens else ():
        kind, years = _kind_of(value, clause), _years_of(value)
        if kind is None or years is None:
            continue
        year, subject = _year_beside(value, clause), _subject_of(value, clause)
        if year is not None and subject is not None:
            words, token = _words_of(subject, clause), clause.tree.tokens[subject]
            is_person = words.casefold() in _PERSONS or token.pos == "PROPN"
            if kind is ElapsedKind.AGE and isinstance(value, Number) and not is_person:
                continue  # "The temperature was 34 when it was measured in 1987."
            if kind is ElapsedKind.BIRTHDAY and not is_person:
                kind = ElapsedKind.ANNIVERSARY
            is_plural = token.tag in ("NNS", "NNPS") or words.casefold() == "they"
            yield Elapsed(value, kind, years, year, words[:1].upper() + words[1:], is_plural)


def _find_centenaries(clause: Clause) -> Iterator[Ordinal]:
    """ "Its centenary" as its hundredth anniversary."""
    for position in range(len(clause.tree.tokens)):
        rank = _CENTENARIES.get(clause.tree.lemma(position))
        if rank is not None:
            span = clause.reading.token_span(position)
            yield Ordinal(span=span, text=span.of(clause.reading.text), rank=rank)


def _kind_of(value: Value, clause: Clause) -> ElapsedKind | None:
    if isinstance(value, Duration):
        is_age = value.kind is DurationKind.AGE and value.measure.unit == YEARS
        return ElapsedKind.AGE if is_age else None
    if isinstance(value, Ordinal):
        noun = _noun_of(value, clause)
        return None if noun is None else _KINDS_OF_NOUNS.get(clause.tree.lemma(noun), ElapsedKind.ANNIVERSARY)
    if not isinstance(value, Number) or value.counted is not None:
        return None
    slot = clause.slot(value)
    if _WHEN.match(clause.reading.text, value.span.end) and slot.is_predicated:
        return ElapsedKind.AGE
    return ElapsedKind.BIRTHDAY if slot.event == _TURN and slot.attribute is None else None


def _noun_of(ordinal: Ordinal, clause: Clause) -> int | None:
    """The anniversary that has this number: the noun behind it, or the word itself."""
    own, tree = clause.reading.positions(ordinal.span), clause.tree
    candidates = (i for i in (own.stop, own.stop - 1) if i < len(tree.tokens))
    return next((i for i in candidates if tree.lemma(i) in (*_KINDS_OF_NOUNS, *_CENTENARIES)), None)


def _years_of(value: Value) -> int | None:
    if isinstance(value, Ordinal):
        return value.rank if value.rank > 0 else None
    if not isinstance(value, Number | Duration):
        return None
    amount = value.measure.amount if isinstance(value, Duration) else value.amount
    return int(amount.value) if amount.qualifier is Qualifier.EXACTLY else None


def _dated(clause: Clause) -> Iterator[tuple[Date, int]]:
    """The dates that lie in a single year, with the year."""
    for value in clause.values:
        if isinstance(value, Date) and value.year is not None:
            yield value, value.year


def _year_beside(value: Value, clause: Clause) -> int | None:
    """The year of the only date of the sentence; for an age, of the only one with its event.

    "She retired in 1996 and died eleven years later, at the age of seventy-six" does not give the year of her death.
    """
    years = dict(_dated(clause))
    if _WHEN.match(clause.reading.text, value.span.end):
        years = {date: year for date, year in years.items() if date.span.start > value.span.end}
    elif isinstance(value, Duration) or len(years) > 1:
        event = clause.slot(value).event
        years = {date: year for date, year in years.items() if clause.slot(date).event == event}
    return next(iter(years.values())) if len(years) == 1 else None


def _subject_of(value: Value, clause: Clause) -> int | None:
    """The noun for what has the age or anniversary; None where that is not clear."""
    noun = _noun_of(value, clause) if isinstance(value, Ordinal) else None
    if noun is None:
        return clause.subject_of(value)
    tree = clause.tree
    # Parsers attach "its" to the noun, or to a word of the ordinal.
    owners = (tree.owner(i) for i in (noun, *clause.reading.positions(value.span)))
    owner = next((owner for owner in owners if owner is not None), None)
    if owner is None or tree.tokens[owner].pos != "PRON":
        return owner
    subject = clause.subject_of(value)
    return None if subject == noun else subject


def _words_of(noun: int, clause: Clause) -> str:
    """The noun with the words around it that belong to its phrase, without a date."""
    tree = clause.tree
    dated = {i for value in clause.values if isinstance(value, Date) for i in clause.reading.positions(value.span)}
    beside = [child for child in tree.children[noun] if tree.tokens[child].dependency in _OF_THE_PHRASE]
    inside = {noun, *(i for child in beside for i in tree.subtree(child) if i not in dated)}
    first = last = noun
    while first - 1 in inside:
        first -= 1
    while last + 1 in inside:
        last += 1
    return clause.reading.phrase_span(range(first, last + 1)).of(clause.reading.text)
