"""Find what a source says instead of a table cell, with the NLI model.

What could stand in the cell takes its place in the cell's claim, and the model says which of these claims the source
entails: "The fare of Sallow to Orla is 17 euros" where the cell has 19. A figure is compared with the other figures of
the source, words with those of the other cells under the heading. Comparing the claims with each other is surer than
judging one of them, because the wording of a claim is as odd with one cell as with another.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..comparing.cells import CellClaim, may_tell_of
from ..comparing.scores import log_odds
from ..comparing.sentence import one_sentence
from ..comparing.tables import Cell, Row, unit_in
from ..local_models.process import LocalModels
from ..rules.base import Family, Relation, Value
from ..sources.library import SourceSentence
from ..types import NliPair
from .local_reading import PassageReading, SourceReading
from .slot_reading import relation_in_slot, slot_values

#: The lead of a claim with another figure, in log odds: those that the source entails it, or how much higher they are
#: than with the cell's own figure or with another thing of the table, if that is less. In ``authored-tables`` all 15
#: cells with at least this lead are wrong, of 224; from 1.0 to 2.0 three in five are.
_LEAST_LEAD = 2.0
#: Places of the source with another figure, and with one that agrees, of which the sentence is read; and places of
#: which the passage around it is read as well.
_MOST_OTHERS, _MOST_AGREEING, _MOST_PASSAGES = 8, 3, 3
#: Other things of the table, and names of the sentence, that are asked whether a figure is theirs.
_MOST_THINGS = 12
#: The lead of a claim with the words of another cell, as above.
_LEAST_LEAD_OF_WORDS = 1.0
#: The words of a cell are another thing's if the claim has at least this lead with that thing, and the source
#: contradicts the cell's claim by ``_LEAST_OPPOSED`` more log odds than it entails it. In 62 tables the two ways name
#: 39 cells of words, of which 35 are wrong; the first one alone, 25, 22.
_LEAST_LEAD_OF_THING, _LEAST_OPPOSED = 2.0, 4.0
#: From these log odds on, the words of the other cell are offered: in 40 tables 14 of 16 are right, below 4 of 9.
_LEAST_FOR_WORDS = 2.5
#: Sentences of the source that are read for a claim.
_MOST_SENTENCES = 4
_DIGITS = re.compile(r"\d[\d.,]*")


@dataclass(frozen=True, slots=True)
class FigurePlace:
    """A figure of a source sentence that could stand in a cell."""

    source: SourceSentence
    given: Value


async def other_figure(claim: CellClaim, row: Row, read: SourceReading, models: LocalModels) -> FigurePlace | None:
    """The figure that the source gives for a cell instead of its own; None if it gives none.

    ``row`` is that of the cell, and ``read`` is what was read for the claim.
    """
    value, cell = claim.value, claim.cell
    if value is None:
        return None
    agreeing, others = _places(claim, value, read)
    if not others:
        return None
    heights = await _heights(others, cell, read, models)
    best = max(heights, key=heights.__getitem__)
    if heights[best] - max(_own(read), 0) < _LEAST_LEAD or not may_tell_of(
        cell, value, best.source.sentence, best.given
    ):
        return None
    own = await _heights(agreeing, cell, read, models)
    of_others = await _odds([(best, words) for words in _claims_of_others(best, cell, row)], read, models)
    of_headings = await _odds([(best, words) for words in _claims_of_headings(best, cell, row)], read, models)
    lead = heights[best] - max([*own.values(), *of_others], default=0.0)
    return best if lead >= _LEAST_LEAD and heights[best] > max(of_headings, default=0.0) else None


@dataclass(frozen=True, slots=True)
class OtherWords:
    """The source sentence that contradicts a cell of words, and the words of another cell that it gives instead.

    ``words`` is "" if it gives none of them for sure. Then ``source`` may give the cell's words for another thing.
    """

    source: SourceSentence
    words: str = ""


async def other_words(claim: CellClaim, row: Row, read: SourceReading, models: LocalModels) -> OtherWords | None:
    """What the source says instead of the words of a cell; None if it is not sure that they are wrong."""
    cell = claim.cell
    own = await _standing_of(cell, cell.thing, cell.said, read, models)
    if own is None:
        return None
    things = [thing for thing in row.things if thing.casefold() != cell.thing.casefold()][:_MOST_THINGS]

    async def of_another_thing(words: str) -> _Standing | None:
        return _highest([await _standing_of(cell, thing, words, read, models) for thing in things])

    best = _highest([await _standing_of(cell, cell.thing, words, read, models) for words in cell.others])
    if best is not None and best.entailed - max(own.entailed, 0) >= _LEAST_LEAD_OF_WORDS:
        other = await of_another_thing(best.words)
        if best.entailed - (other.entailed if other else 0) >= _LEAST_LEAD_OF_WORDS:
            return OtherWords(best.source, best.words if best.entailed >= _LEAST_FOR_WORDS else "")
    if own.contradicted - own.entailed < _LEAST_OPPOSED:
        return None
    other = await of_another_thing(cell.said)
    is_others = other is not None and other.entailed - max(own.entailed, 0) >= _LEAST_LEAD_OF_THING
    return OtherWords(other.source) if other is not None and is_others else None


@dataclass(frozen=True, slots=True)
class _Standing:
    """The log odds that a source entails and contradicts a claim with some words in the cell.

    They are the means for the best sentence and for the passage, as in :func:`_own`. ``source`` is the sentence with
    the highest entailment plus overlap.
    """

    words: str
    entailed: float
    contradicted: float
    source: SourceSentence


def _highest(standings: Iterable[_Standing | None]) -> _Standing | None:
    return max(filter(None, standings), key=lambda one: one.entailed, default=None)


async def _standing_of(
    cell: Cell, thing: str, words: str, read: SourceReading, models: LocalModels
) -> _Standing | None:
    """Read the claim that a thing of the table has these words in the cell; None if nothing was read for the cell."""
    claim = cell.full_claim_of(thing, words)
    parsed = await one_sentence(claim, models)
    if parsed is None or not (read.sentences and read.passages):
        return None
    overlaps = {one: one.sentence.overlap(parsed) for one in read.sentences}
    near = sorted(overlaps, key=overlaps.__getitem__, reverse=True)[:_MOST_SENTENCES]
    premises = [*(one.premise for one in near), read.passages[0].passage.text]
    *scores, whole = await models.score([NliPair(premise, claim) for premise in premises])
    by_sentence = dict(zip(near, scores, strict=True))
    return _Standing(
        words,
        (log_odds(max(score.entailment for score in scores)) + log_odds(whole.entailment)) / 2,
        (log_odds(max(score.contradiction for score in scores)) + log_odds(whole.contradiction)) / 2,
        max(near, key=lambda one: by_sentence[one].entailment + overlaps[one]),
    )


def _claims_of_others(place: FigurePlace, cell: Cell, row: Row) -> list[str]:
    """The claims that the figure is of another thing of the table, or of a name in its sentence."""
    names = [value.text for value in place.source.sentence.clause.values if value.family is Family.NAME]
    things = [thing for thing in (*row.things, *names) if thing.casefold() not in cell.thing.casefold()]
    return [cell.claim_of(thing, place.given.text) for thing in dict.fromkeys(things[:_MOST_THINGS])]


def _claims_of_headings(place: FigurePlace, cell: Cell, row: Row) -> list[str]:
    """The claims that the figure belongs under another heading of the table; one with a unit only beside that unit."""
    is_bare = place.given.family is Family.NUMBER
    others = [
        one for one in row.cells if one.span != cell.span and (is_bare or unit_in(one.text) == unit_in(cell.text))
    ]
    return [other.claim_of(other.thing, place.given.text) for other in others]


def _places(claim: CellClaim, value: Value, read: SourceReading) -> tuple[list[FigurePlace], list[FigurePlace]]:
    """The places with a figure that agrees, and those with another, nearest to the claim first."""
    found: dict[tuple[str, str], FigurePlace] = {}
    for source in sorted(read.sentences, key=lambda one: one.sentence.overlap(claim.sentence), reverse=True):
        for given in slot_values(source.sentence):
            found.setdefault((source.text, given.text), FigurePlace(source, given))
    related = [(place, relation_in_slot(place.given, value)) for place in found.values()]
    agreeing = [place for place, relation in related if relation.agrees or _has_digits_of(value, place.given)]
    others = [place for place, relation in related if relation is Relation.CONFLICT and place not in agreeing]
    return agreeing[:_MOST_AGREEING], others[:_MOST_OTHERS]


def _has_digits_of(value: Value, given: Value) -> bool:
    """Whether both are of one figure: "below 145" gives no other maximum than 145."""
    digits = _DIGITS.findall(value.text)
    return bool(digits) and digits == _DIGITS.findall(given.text)


def _own(read: SourceReading) -> float:
    """The log odds that the source entails the claim itself."""
    by_sentence = max((reading.score.entailment for reading in read.readings), default=0.0)
    by_passage = max((reading.score.entailment for reading in read.passages), default=0.0)
    return (log_odds(by_sentence) + log_odds(by_passage)) / 2


async def _heights(
    places: Sequence[FigurePlace], cell: Cell, read: SourceReading, models: LocalModels
) -> dict[FigurePlace, float]:
    """The log odds of the places whose sentences most entail the claim with their figure."""
    claims = [cell.claim_of(cell.thing, place.given.text) for place in places]
    scores = await models.score(
        [NliPair(place.source.premise, words) for place, words in zip(places, claims, strict=True)]
    )
    ranked = sorted(zip(places, scores, strict=True), key=lambda one: one[1].entailment, reverse=True)
    best = [place for place, _ in ranked[:_MOST_PASSAGES]]
    odds = await _odds([(place, cell.claim_of(cell.thing, place.given.text)) for place in best], read, models)
    return dict(zip(best, odds, strict=True))


async def _odds(asked: Sequence[tuple[FigurePlace, str]], read: SourceReading, models: LocalModels) -> list[float]:
    """The mean log odds that the sentence of a place, and the passage around it, entail a claim."""
    pairs: list[NliPair] = []
    for place, claim in asked:
        pairs += [NliPair(place.source.premise, claim), NliPair(_text_around(place, read.passages), claim)]
    odds = [log_odds(score.entailment) for score in await models.score(pairs)]
    return [(first + second) / 2 for first, second in zip(odds[::2], odds[1::2], strict=True)]


def _text_around(place: FigurePlace, passages: Sequence[PassageReading]) -> str:
    for reading in passages:
        passage = reading.passage
        if passage.source is place.source.source and passage.span.overlaps(place.source.span):
            return passage.text
    return place.source.premise
