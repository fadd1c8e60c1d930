"""Compare table cells with sentences that state the same or a conflicting value.

For precision, a sentence counts only if it names the cell's thing and no other thing of the table, states the
attribute of the column, and gives exactly one value of the cell's kind.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Generic, Protocol, TypeVar

from ..language.vocabulary import words as vocabulary
from ..local_models.process import LocalModels
from ..rules.base import FIGURES, Family, Relation, Value
from ..rules.slots import EVENTS
from ..types import Span
from .cell_claims import is_year
from .properties import About, gives_property, is_measured, is_of_narrower_noun, is_qualified, names_thing, speaks_of_it
from .sentence import ComparableSentence
from .tables import Cell, Row
from .value_places import WORDS, counts_members, is_amount_of, is_bound, is_of_the_present, labels_value, stem_of

#: Words of a heading that a sentence need not repeat, if the heading has other words.
_EMPTY_WORDS = frozenset(vocabulary("the a an of in per for and size number count value amount total no"))
#: "The Basic plan of a rival" and "the Pro plan with the add-on" are different plans.
_ADDING = "with|without|plus|including|excluding"
_OF_ANOTHER = re.compile(rf"\s+(?:of|from(?!\s+[A-Z])|{_ADDING})\b")
#: Only these show it whatever follows: "the bridge of 1999" is no other bridge.
_WITH_MORE = re.compile(rf"\s+(?:{_ADDING})\b")
#: Past and questioned values neither confirm nor contradict a cell.
_PAST_OR_ASKED = re.compile(r"\bused to\b|\?\W*$", re.IGNORECASE)
#: Nor do values with these words, which also stand beside the cell's own figure: where models judge, they are not read.
_LEAVES_IT_OPEN = re.compile(
    rf"{_PAST_OR_ASKED.pattern}|\b(?:previous(?:ly)?|former(?:ly)?|original(?:ly)?|initial(?:ly)?|until|once|before|would|could|might|if|"
    r"unless|instead of|rather than|rivals?|competitors?|expected|planned|forecast)\b",
    re.IGNORECASE,
)
#: Behind the name of a thing, the rest of a longer name.
_GOES_ON = re.compile(r"\s+(?:[A-Z][^\W_]|\d)")
#: "Five of the bridges" are not all.
_OF_A_PART = re.compile(r"\s+of\s+(?:the|its|his|her|their|these|those|them|which|whom|all)\b", re.IGNORECASE)
_PERIODS = re.compile(r"hour|day|week|month|quarter|year")
_PERIOD = re.compile(rf"\s*(?:per|an?|each|every|/)\s*(?P<period>{_PERIODS.pattern})", re.IGNORECASE)


class ContextSentence(Protocol):
    """A sentence of the text or of a source, with the previous sentence to resolve its pronouns."""

    @property
    def sentence(self) -> ComparableSentence: ...

    @property
    def previous(self) -> ComparableSentence | None: ...

    @property
    def before(self) -> ComparableSentence | None:
        """The sentence before it, whether or not its subject is a pronoun."""
        ...


T = TypeVar("T", bound=ContextSentence)


@dataclass(frozen=True, slots=True)
class Counterpart(Generic[T]):
    """A sentence that gives a value for the subject of a cell."""

    cell: Cell
    statement: T
    theirs: Value
    clashes: bool


@dataclass(frozen=True, slots=True)
class CellClaim:
    """The claim of a cell as a sentence. ``value`` is the only value in the cell; None for words and several values."""

    cell: Cell
    sentence: ComparableSentence
    value: Value | None


@dataclass(frozen=True, slots=True)
class CellsRead(Generic[T]):
    """The results for the cells of a row. ``claims`` are those of all cells in order, None for no sentence."""

    found: tuple[Counterpart[T], ...]
    claims: tuple[CellClaim | None, ...]

    @property
    def unread(self) -> int:
        """The number of cells without a comparable value."""
        return sum(claim is None or claim.value is None for claim in self.claims)

    @property
    def clashes(self) -> tuple[Counterpart[T], ...]:
        """One for each cell that another sentence contradicts and no sentence confirms."""
        stated = {one.cell.span for one in self.found if not one.clashes}
        first = {one.cell.span: one for one in reversed(self.found) if one.clashes and one.cell.span not in stated}
        return tuple(first[span] for span in sorted(first))

    @property
    def unknown(self) -> int:
        """The number of cells that no sentence confirms or contradicts."""
        return len(self.claims) - len({one.cell.span for one in self.found})

    @property
    def stated(self) -> tuple[Counterpart[T], ...]:
        return tuple({one.cell.span: one for one in reversed(self.found) if not one.clashes}.values())


async def read_cells(
    row: Row, statements: Sequence[T], models: LocalModels, is_about: Callable[[T, str], bool]
) -> CellsRead[T]:
    """Compare the cells of a row with sentences that may be about the same things.

    ``is_about`` tells whether a sentence without a name is about a thing, by what stands around it.
    """
    claims = [await _claim_of(cell, models) for cell in row.cells]
    found: list[Counterpart[T]] = []
    for claim in claims:
        if claim is not None and claim.value is not None:
            found += (
                _counterparts_of_property(claim.cell, claim.sentence, claim.value, statements, is_about)
                if claim.cell.is_property
                else _counterparts(claim.cell, row.things, claim.sentence, claim.value, statements)
            )
    return CellsRead(tuple(found), tuple(claims))


async def _claim_of(cell: Cell, models: LocalModels) -> CellClaim | None:
    parsed = (await models.parse(cell.claim)).sentences
    if len(parsed) != 1:
        return None
    sentence = ComparableSentence(parsed[0])
    return CellClaim(cell, sentence, _value_in(cell, sentence))


def _value_in(cell: Cell, claim: ComparableSentence) -> Value | None:
    """The only value in the cell; None for words, marks and several values."""
    place = cell.place
    values = [value for value in claim.clause.values if value.span.overlaps(place)]
    if len(values) != 1 or values[0].family not in FIGURES:
        return None
    left = claim.text[place.start : values[0].span.start] + claim.text[values[0].span.end : place.end]
    return None if any(map(str.isalnum, left)) else values[0]


def _counterparts(
    cell: Cell, things: Iterable[str], claim: ComparableSentence, value: Value, statements: Iterable[T]
) -> list[Counterpart[T]]:
    if not _telling_words(cell):
        return _agreed(_amounts(cell, value, statements))
    others = [thing for thing in things if thing.casefold() != cell.thing.casefold()]
    found: list[Counterpart[T]] = []
    for one in statements:
        if not _speaks_of(cell.thing, others, one):
            continue
        theirs = _other_value(cell, claim, value, one.sentence)
        # Another figure may be one of several, or of another thing: the models decide whether it clashes.
        if theirs is not None and theirs.relation_to(value).agrees:
            found.append(_counterpart(cell, one, theirs, value))
    return found


def _amounts(cell: Cell, value: Value, statements: Iterable[T]) -> Iterator[Counterpart[T]]:
    """The amounts of the thing of a cell, if its column says only that it is an amount: "350 ml of water"."""
    for one in statements:
        related = [theirs for theirs in one.sentence.clause.values if _may_stand_for(theirs, value)]
        own = [theirs for theirs in related if is_amount_of(cell.thing, one.sentence, theirs.span)]
        is_open = _LEAVES_IT_OPEN.search(one.sentence.text) is not None
        if len(own) == 1 and not is_open and not is_qualified(one.sentence, own[0].span):
            yield _counterpart(cell, one, own[0], value)


def _counterpart(cell: Cell, statement: T, theirs: Value, value: Value) -> Counterpart[T]:
    return Counterpart(cell, statement, theirs, theirs.relation_to(value) is Relation.CONFLICT)


def _agreed(found: Iterable[Counterpart[T]]) -> list[Counterpart[T]]:
    """Without the clashes if the sentences do not agree: then they speak of different things, or of different times."""
    found = list(found)
    agree = all(one.theirs.relation_to(found[0].theirs).agrees for one in found)
    return found if agree else [one for one in found if not one.clashes]


def _counterparts_of_property(
    cell: Cell, claim: ComparableSentence, value: Value, statements: Iterable[T], is_about: Callable[[T, str], bool]
) -> list[Counterpart[T]]:
    words = _telling_words(cell)
    found: list[Counterpart[T]] = []
    for one in statements if words else ():
        leans_on_it = one.before is not None and names_thing(cell.thing, one.before.text)
        about = About(cell.thing, is_topic=is_about(one, cell.thing), leans_on_it=leans_on_it)
        theirs = _labelled_value(about, words, value, one.sentence)
        if theirs is None and speaks_of_it(cell.thing, one.sentence, one.previous):
            theirs = _other_value(cell, claim, value, one.sentence)
            if theirs is not None and not _is_property_of(about, words, one.sentence, theirs):
                continue
        if theirs is not None and (_is_date(theirs) or not is_qualified(one.sentence, theirs.span)):
            found.append(_counterpart(cell, one, theirs, value))
    return _agreed(found)


def _labelled_value(about: About, words: Sequence[str], value: Value, other: ComparableSentence) -> Value | None:
    """The value behind the same words: "Warranty: 5 years"."""
    if not about.is_topic or _LEAVES_IT_OPEN.search(other.text):
        return None
    related = (theirs for theirs in other.clause.values if _may_stand_for(theirs, value))
    return next((theirs for theirs in related if labels_value(words, other, theirs.span)), None)


def _is_property_of(about: About, words: Sequence[str], other: ComparableSentence, theirs: Value) -> bool:
    if is_measured(words, about.subject, other, theirs.span):
        return about.is_topic or about.leans_on_it or names_thing(about.subject, other.text)
    return gives_property(about, words, other)


def _speaks_of(thing: str, others: Iterable[str], statement: ContextSentence) -> bool:
    """Whether a sentence names the thing, and no other thing of the table."""
    if _is_in_longer_name(thing, statement.sentence.text):
        return False
    text = statement.sentence.text.casefold()
    if statement.previous is not None and not is_year(thing) and _naming(thing).search(text) is None:
        text = f"{statement.previous.text.casefold()} {text}"
    if _naming(thing).search(text) is None:
        return False
    for other in sorted(others, key=len, reverse=True):
        pattern = _naming(other)
        if _naming(thing).search(other.casefold()):
            text = pattern.sub(" ", text)  # "Arlo 5 Max" does not name the Arlo 5
        elif not pattern.search(thing.casefold()) and pattern.search(text):
            return False
    found = _naming(thing).search(text)
    return found is not None and _OF_ANOTHER.match(text, found.end()) is None


def _is_in_longer_name(thing: str, text: str) -> bool:
    """Whether every mention is a part of another name: "the Velo D Sport" is not the Velo D."""
    found = list(_naming(thing).finditer(text))
    return bool(found) and not is_year(thing) and all(_GOES_ON.match(text, one.end()) for one in found)


@lru_cache(maxsize=1024)
def _naming(thing: str) -> re.Pattern[str]:
    words = r"\W+".join(map(re.escape, WORDS.findall(thing.casefold())))
    return re.compile(rf"(?<!\w){words}(?!\w)" if words else r"(?!)", re.IGNORECASE)


def _other_value(cell: Cell, claim: ComparableSentence, value: Value, other: ComparableSentence) -> Value | None:
    """The value that a sentence gives for the cell; None if it is about something else."""
    is_date = _is_date(value)
    if _LEAVES_IT_OPEN.search(other.text) or not other.parsed.tokens:
        return None
    # "120 m." of a row alone may be read as a marriage.
    event = _event(claim, value) if is_date or not cell.is_property else None
    named = [Span(*found.span()) for found in _naming(cell.thing).finditer(other.text)]
    values = (one for one in other.clause.values if not any(one.span.overlaps(span) for span in named))
    related = [one for one in values if _may_stand_for(one, value)]
    related = [one for one in related if event in (None, other.clause.slot(one).event)]
    agreeing = [one for one in related if one.relation_to(value).agrees]
    if agreeing:
        related = agreeing[:1]
    elif len(related) > 1:
        related = [one for one in related if _is_at_words(cell, other, one)]
    if len(related) != 1 or not _is_of_its_case(cell, value, other, related[0]):
        return None
    return related[0] if _says_the_same_of_it(cell, claim, value, other, related[0]) else None


def may_tell_of(cell: Cell, other: ComparableSentence, theirs: Value) -> bool:
    """Whether nothing in a sentence shows that ``theirs`` is of another case or thing than the cell's value."""
    if _PAST_OR_ASKED.search(other.text) or not _is_of_whole_and_period(cell, other, theirs):
        return False
    if is_of_narrower_noun(_telling_words(cell), cell.thing, other, theirs.span):
        return False
    named = list(_naming(cell.thing).finditer(other.text))
    return not named or any(_WITH_MORE.match(other.text, one.end()) is None for one in named)


def _is_of_its_case(cell: Cell, value: Value, other: ComparableSentence, theirs: Value) -> bool:
    if other.clause.slot(theirs).is_denied or not _is_of_whole_and_period(cell, other, theirs):
        return False
    return _is_date(value) or is_year(cell.thing) or _is_timeless(other, theirs)


def _is_of_whole_and_period(cell: Cell, other: ComparableSentence, theirs: Value) -> bool:
    """Whether a value is of no part of the things, and of the cell's period."""
    is_of_part = _OF_A_PART.match(other.text, theirs.span.end) is not None
    return not is_of_part and _is_of_one_period(cell, other.text[theirs.span.end :])


def _is_at_words(cell: Cell, other: ComparableSentence, theirs: Value) -> bool:
    words = _telling_words(cell)
    if not words:
        return False
    return is_bound(words[-1], other, theirs.span) or is_measured(words, cell.thing, other, theirs.span)


def _is_timeless(other: ComparableSentence, theirs: Value) -> bool:
    """Whether no date belongs to the value: values of another time do not conflict with the present one."""
    dates = [value for value in other.clause.values if value.family is Family.DATE]
    return all(is_of_the_present(other, theirs.span, date.span) for date in dates)


def _is_date(value: Value) -> bool:
    return value.family in (Family.DATE, Family.TIME)


def _is_of_one_period(cell: Cell, behind: str) -> bool:
    """False for "$290 per year" and "$29": a price without a period is one for a month."""
    theirs = _PERIOD.match(behind)
    if theirs is None:
        return True
    own = _PERIODS.findall(f"{cell.label} {cell.attribute}".casefold())  # the last one, as in "Hours open per week"
    return theirs["period"].casefold() == (own[-1] if own else "month")


def _may_stand_for(one: Value, value: Value) -> bool:
    return one.family is value.family and one.relation_to(value) is not Relation.UNRELATED


def _says_the_same_of_it(
    cell: Cell, claim: ComparableSentence, value: Value, other: ComparableSentence, theirs: Value
) -> bool:
    words = _telling_words(cell)
    if not words:
        return False
    known = {stem_of(word) for word in WORDS.findall(other.text.casefold())} | other.stems
    missing = [word for word in words if stem_of(word) not in known]
    if not missing or is_measured(words, cell.thing, other, theirs.span):
        return True
    if counts_members(words, cell.thing, other, theirs.span):
        return True
    event = _event(claim, value)
    return event is not None and missing == words[-1:] and event == other.clause.slot(theirs).event


def _event(claim: ComparableSentence, value: Value) -> str | None:
    """The event of the claim if it is a known one: claims without a verb are parsed unreliably."""
    event = claim.clause.slot(value).event
    return event if event in EVENTS else None


def _telling_words(cell: Cell) -> list[str]:
    return [word for word in WORDS.findall(cell.attribute.casefold()) if word not in _EMPTY_WORDS]
