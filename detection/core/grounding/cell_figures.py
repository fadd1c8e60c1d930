"""Find what a source says of the figure in a table cell, with the NLI model.

Each figure of the source that could stand in the cell takes its place in the cell's claim, and the model says which of
these claims the source entails: "The fare of Sallow to Orla is 17 euros" where the cell has 19. Comparing the claims
with each other is surer than judging one of them, because the wording of a claim is as odd with one figure as with
another.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from ..comparing.cell_claims import counts_things
from ..comparing.cells import CellClaim, may_tell_of
from ..comparing.scores import log_odds
from ..comparing.tables import Cell, CellWordings, Row, unit_in
from ..local_models.process import LocalModels
from ..rules.base import Family, Relation, Value
from ..rules.durations import Duration
from ..rules.measures import Unit
from ..rules.numbers import Number
from ..rules.numerals import Numeral, NumeralForm, find_numerals
from ..rules.quantities import Quantity
from ..rules.statement import amount_of
from ..sources.library import SourceSentence
from ..types import NliPair
from .local_reading import PassageReading, SourceReading
from .slot_reading import is_more_or_less, relation_in_slot, slot_values

#: The lead of a claim with another figure, in log odds: those that the source entails it, or how much higher they are
#: than with the cell's own figure or with another thing of the table, if that is less. In 74 tables 102 of the 117
#: cells that are marked by this or by their words are wrong. With the model before, every second one from 1.0 to 1.5
#: was.
_LEAST_LEAD = 1.75
#: The same for the cell's own figure, if no other one is entailed more. In 86 tables 67 of 72 such cells are right.
_LEAST_LEAD_OF_OWN = 1.0
#: Places of the source with another figure, and with one that agrees, of which the sentence is read; and places of
#: which the passage around it is read as well.
_MOST_OTHERS, _MOST_AGREEING, _MOST_PASSAGES = 12, 3, 3
#: Other things of the table, and names of the sentence, that are asked whether a figure is theirs.
_MOST_THINGS = 12


@dataclass(frozen=True, slots=True)
class FigurePlace:
    """A figure of a source sentence that could stand in a cell.

    ``words`` are those of the cell with this figure, and ``relation`` is the one to the cell's own figure.
    """

    source: SourceSentence
    given: Value
    words: str
    relation: Relation


@dataclass(frozen=True, slots=True)
class ToldFigure:
    """The figure that a source gives for a cell. ``is_sure``: it fits no other heading of the table better."""

    place: FigurePlace
    is_sure: bool


async def told_figure(claim: CellClaim, row: Row, read: SourceReading, models: LocalModels) -> ToldFigure | None:
    """The figure that the source gives for a cell: another one, or the cell's own; None if it is sure of neither.

    ``row`` is that of the cell, and ``read`` is what was read for the claim.
    """
    value, cell = claim.value, claim.cell
    if value is None:
        return None
    places = list(_places(claim, value, row, read))
    clashing = [place for place in places if place.relation is Relation.CONFLICT]
    others = await _heights(clashing[:_MOST_OTHERS], cell, read, models)
    agreeing = await _heights([place for place in places if place.relation.agrees][:_MOST_AGREEING], cell, read, models)
    of_cell = max(0.0, await _own(cell, read, models), *agreeing.values())
    highest = max(others.values(), default=0.0)
    if highest - of_cell >= _LEAST_LEAD:
        # If the highest one is of another thing, a lower one is no better: it may be of another heading.
        most = {place: height for place, height in others.items() if height == highest}
        if other := await _leading(most, _LEAST_LEAD, cell, row, read, models):
            return other
    same = {place: height for place, height in agreeing.items() if place.relation is Relation.SAME and height > highest}
    return await _leading(same, _LEAST_LEAD_OF_OWN, cell, row, read, models)


async def _leading(
    heights: dict[FigurePlace, float], lead: float, cell: Cell, row: Row, read: SourceReading, models: LocalModels
) -> ToldFigure | None:
    """The figure that is most of all this cell's; None if each may be that of another thing or heading.

    ``lead`` is the least one over the other things.
    """
    headings = [one for one in row.cells if one.span != cell.span]
    found: list[tuple[float, ToldFigure]] = []
    for place, height in heights.items():
        if not may_tell_of(cell, place.source.sentence, place.given):
            continue
        of_others = await _odds([(place, words) for words in _claims_of_others(place, cell, row)], read, models)
        if height - max([0.0, *of_others]) < lead:
            continue
        odds = await _odds([(place, one.wordings_of(one.thing, place.words)) for one in headings], read, models)
        of_headings = dict(zip((one.span for one in headings), odds, strict=True))
        if all(height > of_headings[one.span] for one in headings if _may_be_of(place, one, cell)):
            is_bare = isinstance(place.given, Number)
            rivals = [of_headings[one.span] for one in headings if is_bare or _has_unit_of(one, cell)]
            told = ToldFigure(place, is_sure=all(height > rival for rival in rivals))
            found.append((height - max(odds, default=0.0), told))
    return max(found, key=lambda one: one[0])[1] if found else None


def _has_unit_of(other: Cell, cell: Cell) -> bool:
    return unit_in(other.text) == unit_in(cell.text)


def _may_be_of(place: FigurePlace, other: Cell, cell: Cell) -> bool:
    """Whether the figure may well belong under another heading: one with the cell's unit, or with this figure."""
    figures = _amounts(find_numerals(place.given.text))
    return _has_unit_of(other, cell) or not figures.isdisjoint(_amounts(find_numerals(other.text)))


def _claims_of_others(place: FigurePlace, cell: Cell, row: Row) -> list[CellWordings]:
    """The claims that the figure is of another thing of the table, or of a name in its sentence."""
    names = [value.text for value in place.source.sentence.clause.values if value.family is Family.NAME]
    things = dict.fromkeys(thing for thing in (*row.things, *names) if thing.casefold() not in cell.thing.casefold())
    # A name that the table does not have may be of something else: "the candidate Vienna" would be a wrong claim.
    unnamed = replace(cell, kind="")
    return [
        (cell if thing in row.things else unnamed).wordings_of(thing, place.words)
        for thing in list(things)[:_MOST_THINGS]
    ]


def _amounts(numerals: Iterable[Numeral]) -> frozenset[float]:
    return frozenset(numeral.value for numeral in numerals)


def _places(claim: CellClaim, value: Value, row: Row, read: SourceReading) -> Iterator[FigurePlace]:
    """The figures of the source that could stand in the cell, those of the sentences nearest to the claim first."""
    seen: set[tuple[str, str]] = set()
    for source in sorted(read.sentences, key=lambda one: one.sentence.overlap(claim.sentence), reverse=True):
        for given in (*slot_values(source.sentence), *_behind_names(source, row)):
            place = _place(claim.cell, value, source, given)
            if place.relation is not Relation.UNRELATED and (source.text, given.text) not in seen:
                seen.add((source.text, given.text))
                yield place


def _behind_names(source: SourceSentence, row: Row) -> Iterator[Number]:
    """The figures that were read as a part of a name: "Weston had 131 days of rain and Northford 178"."""
    clause = source.sentence.clause
    things = {thing.casefold() for thing in row.things}
    for name in (value for value in clause.values if value.family is Family.NAME):
        for figure in clause.reading.figures:
            before = source.text[name.span.start : figure.span.start].strip()
            if figure.span.end == name.span.end and before.casefold() in things and name.text.casefold() not in things:
                yield Number(span=figure.span, text=figure.span.of(source.text), amount=figure.amount)


def _place(cell: Cell, value: Value, source: SourceSentence, given: Value) -> FigurePlace:
    words, relation = given.text, relation_in_slot(given, value)
    if is_more_or_less(given, source.text):
        return FigurePlace(source, given, words, Relation.UNRELATED)
    amount, own = amount_of(given), amount_of(value)
    if amount is None or own is None:
        return FigurePlace(source, given, words, relation)
    if isinstance(given, Number) is not isinstance(value, Number):  # the unit stands only in the sentence or cell
        if isinstance(value, Number) and counts_things(cell.heading):
            return FigurePlace(source, given, words, Relation.UNRELATED)
        relation = amount.relation_to(own)
        words = _with_figure(cell.said, words) if isinstance(given, Number) else words
    if relation is Relation.CONFLICT and _is_one_figure(given, value):
        relation = Relation.COMPATIBLE  # "below 145" gives no other maximum than 145
    is_told_apart = relation is Relation.CONFLICT or not isinstance(value, Number)
    if is_told_apart and isinstance(given, Number) and not _may_have_unit_of(value, given, source):
        relation = Relation.UNRELATED
    return FigurePlace(source, given, words, relation)


def _may_have_unit_of(value: Value, given: Number, source: SourceSentence) -> bool:
    """Whether a plain number of a sentence may have the unit of a figure in a cell, or none as that."""
    unit = _unit_before(source, given)
    if isinstance(value, Number):
        return unit is None
    return given.counted is None and (unit is None or relation_in_slot(unit, value) is not Relation.UNRELATED)


def _unit_before(source: SourceSentence, given: Number) -> Value | None:
    """The last figure with a unit before a plain number, which may have the same unit: "100 grams, or Plus 200"."""
    if given.counted is not None:
        return None
    before = [one for one in source.sentence.clause.values if one.span.end <= given.span.start]
    return next((one for one in reversed(before) if amount_of(one) and not isinstance(one, Number)), None)


def _is_one_figure(given: Value, value: Value) -> bool:
    """Whether they have the same digits and no different units."""
    figures = _amounts(find_numerals(value.text))
    units = {_unit_of(given), _unit_of(value)} - {None}
    return bool(figures) and figures <= _amounts(find_numerals(given.text)) and len(units) < 2


def _unit_of(value: Value) -> Unit | None:
    return value.measure.unit if isinstance(value, Quantity | Duration) else None


def _with_figure(words: str, figure: str) -> str:
    """The words of a cell with another figure before their unit: "1,749 °C" for "1,479 °C"."""
    own = next((numeral.span for numeral in find_numerals(words)), None)
    return words[: own.start] + _in_digits(figure) + words[own.end :] if own else figure


def _in_digits(figure: str) -> str:
    """The figure with its number words as digits: "up to 8" for "up to eight"."""
    for numeral in reversed(find_numerals(figure)):
        if numeral.form is NumeralForm.WORDS:
            figure = figure[: numeral.span.start] + f"{numeral.value:g}" + figure[numeral.span.end :]
    return figure


async def _own(cell: Cell, read: SourceReading, models: LocalModels) -> float:
    """The log odds that the source entails the claim itself."""
    claim = cell.wordings_of(cell.thing, cell.said)
    beside_sentences = [NliPair(reading.sentence.premise, claim.sentence) for reading in read.readings]
    beside_passages = [NliPair(reading.passage.text, claim.entry) for reading in read.passages]
    entailed = [score.entailment for score in await models.score([*beside_sentences, *beside_passages])]
    by_sentence = max(entailed[: len(beside_sentences)], default=0.0)
    by_passage = max(entailed[len(beside_sentences) :], default=0.0)
    return (log_odds(by_sentence) + log_odds(by_passage)) / 2


async def _heights(
    places: Sequence[FigurePlace], cell: Cell, read: SourceReading, models: LocalModels
) -> dict[FigurePlace, float]:
    """The log odds of the places whose sentences most entail the claim with their figure."""
    claims = [cell.wordings_of(cell.thing, place.words) for place in places]
    scores = await models.score(
        [NliPair(place.source.premise, claim.sentence) for place, claim in zip(places, claims, strict=True)]
    )
    ranked = sorted(zip(places, scores, strict=True), key=lambda one: one[1].entailment, reverse=True)
    best = [place for place, _ in ranked[:_MOST_PASSAGES]]
    odds = await _odds([(place, cell.wordings_of(cell.thing, place.words)) for place in best], read, models)
    return dict(zip(best, odds, strict=True))


async def _odds(
    asked: Sequence[tuple[FigurePlace, CellWordings]], read: SourceReading, models: LocalModels
) -> list[float]:
    """The mean log odds that the sentence of a place, and the passage around it, entail a claim."""
    pairs: list[NliPair] = []
    for place, claim in asked:
        pairs.append(NliPair(place.source.premise, claim.sentence))
        pairs.append(NliPair(_text_around(place, read.passages), claim.entry))
    odds = [log_odds(score.entailment) for score in await models.score(pairs)]
    return [(first + second) / 2 for first, second in zip(odds[::2], odds[1::2], strict=True)]


def _text_around(place: FigurePlace, passages: Sequence[PassageReading]) -> str:
    for reading in passages:
        passage = reading.passage
        if passage.source is place.source.source and passage.span.overlaps(place.source.span):
            return passage.text
    return place.source.premise
