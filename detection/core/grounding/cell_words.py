"""Find what a source says instead of the words of a table cell, with the NLI model.

The words of the other cells under the heading take their place in the cell's claim, and the model says which of these
claims the source entails, as with figures (``cell_figures``).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ..comparing.cells import CellClaim
from ..comparing.scores import log_odds
from ..comparing.sentence import one_sentence
from ..comparing.tables import Cell, Row
from ..local_models.process import LocalModels
from ..sources.library import SourceSentence
from ..types import NliPair
from .local_reading import SourceReading

#: The lead of a claim with the words of another cell, in log odds: those that the source entails it, or how much higher
#: they are than with the cell's own words or with another thing of the table, if that is less.
_LEAST_LEAD = 1.0
#: The words of a cell are another thing's if the claim has at least this lead with that thing, and the source
#: contradicts the cell's claim by ``_LEAST_OPPOSED`` more log odds than it entails it. In 62 tables the two ways name
#: 39 cells of words, of which 35 are wrong; the first one alone, 25, 22.
_LEAST_LEAD_OF_THING, _LEAST_OPPOSED = 2.0, 4.0
#: From these log odds on, the words of the other cell are offered: in 40 tables 14 of 16 are right, below 4 of 9.
_LEAST_FOR_WORDS = 2.5
#: Other things of the table that are asked whether the words are theirs.
_MOST_THINGS = 12
#: Sentences of the source that are read for a claim.
_MOST_SENTENCES = 4


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
    if best is not None and best.entailed - max(own.entailed, 0) >= _LEAST_LEAD:
        other = await of_another_thing(best.words)
        if best.entailed - (other.entailed if other else 0) >= _LEAST_LEAD:
            return OtherWords(best.source, best.words if best.entailed >= _LEAST_FOR_WORDS else "")
    if own.contradicted - own.entailed < _LEAST_OPPOSED:
        return None
    other = await of_another_thing(cell.said)
    is_others = other is not None and other.entailed - max(own.entailed, 0) >= _LEAST_LEAD_OF_THING
    return OtherWords(other.source) if other is not None and is_others else None


@dataclass(frozen=True, slots=True)
class _Standing:
    """The log odds that a source entails and contradicts a claim with some words in the cell.

    They are the means for the best sentence and for the passage, as for figures. ``source`` is the sentence with
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
    claim = cell.wordings_of(thing, words)
    parsed = await one_sentence(claim.sentence, models)
    if parsed is None or not (read.sentences and read.passages):
        return None
    overlaps = {one: one.sentence.overlap(parsed) for one in read.sentences}
    near = sorted(overlaps, key=overlaps.__getitem__, reverse=True)[:_MOST_SENTENCES]
    pairs = [NliPair(one.premise, claim.sentence) for one in near]
    *scores, whole = await models.score([*pairs, NliPair(read.passages[0].passage.text, claim.entry)])
    by_sentence = dict(zip(near, scores, strict=True))
    return _Standing(
        words,
        (log_odds(max(score.entailment for score in scores)) + log_odds(whole.entailment)) / 2,
        (log_odds(max(score.contradiction for score in scores)) + log_odds(whole.contradiction)) / 2,
        max(near, key=lambda one: by_sentence[one].entailment + overlaps[one]),
    )
