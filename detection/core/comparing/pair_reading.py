"""Read pairs of sentences of one text with the NLI model: what the trained decision about a pair is told.

The detector and the training of the decision read pairs by the same function.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..local_models.process import LocalModels
from ..rules.alignment import ValueConflict
from ..rules.base import Family, Value
from ..rules.slots import Clause
from ..rules.strength import happens_once
from ..types import NliScore
from .clashes import clashes, strongest
from .partners import EarlierPartners, mean_relatedness
from .reference import speak_of_two_things, tell_of_two_occasions
from .scores import mean_contradiction, of_text
from .sentence import ComparableSentence
from .surroundings import Surroundings, read_surroundings

#: Below this contradiction score, and if no values clash clearly, the model does not read the pair in the other
#: direction, and the pair counts as free of contradictions. Of 3,949 pairs below it whose values clash somehow, 4 would
#: have been read further, one of them a contradiction.
_MIN_FORWARD = 0.2
#: Below this contradiction score of both directions the surroundings are not read, and the pair counts as free of
#: contradictions unless values clash clearly. Of 10,538 pairs 6,349 are below; the decision without surroundings gave
#: the line of strict checks to 7 of them, 3 of them contradictions.
_MIN_MEAN = 0.45
#: Clashes from this strength on, and those of kinship, are clear. The decision doubts many of them, since plain clashes
#: are rare in the texts that it is fitted on.
_CLEAR = 0.85
#: Where the model gives both directions together ``_SURE`` or more, clashes from this strength on are clear. In the
#: texts of the decision and in six other sets that warns of 4 contradictions that the decision leaves below the
#: balanced line, and of no other pair.
_CLEAR_IF_SURE, _SURE = 0.7, 0.8
#: From this strength on, clashes count where a pair has several: entries of a series differ in two values or more.
_COUNTED = 0.2
#: Below this contradiction score of both directions together, the two values belong to two things. In 1,054 texts clear
#: clashes from here on warn of 5 contradictions and 3 other pairs that the decision leaves below the balanced line, and
#: those below of 2 other pairs.
_LEAST_TENSION = 0.3


@dataclass(frozen=True, slots=True)
class PairReading:
    """What was read of two sentences of one text.

    ``earlier`` and ``later`` are their indices in the text, ``conflicts`` their clashing values. ``forward`` and
    ``backward`` are the scores with the earlier sentence as the premise, and with the later one as the premise.
    ``around_earlier`` and ``around_later`` tell what the surroundings of either have against the other. The
    relatedness is that of each sentence to the ones before it (``partners.py``).
    """

    earlier: int
    later: int
    sentences: tuple[ComparableSentence, ComparableSentence]
    conflicts: Sequence[ValueConflict]
    forward: NliScore
    backward: NliScore
    around_earlier: Surroundings
    around_later: Surroundings
    earlier_relatedness: float
    later_relatedness: float

    @property
    def contradiction(self) -> float:
        """The mean probability of a contradiction in the two directions."""
        return mean_contradiction(self.forward, self.backward)

    @property
    def clash(self) -> float:
        """The strength of the strongest clash of values, 0 to 1."""
        conflict = strongest(self.conflicts)
        return conflict.strength if conflict is not None else 0.0

    @property
    def has_several_clashes(self) -> bool:
        """Whether two or more values of the later sentence clash, as those of the next entry of a series do."""
        return len({conflict.hypothesis.span for conflict in self.conflicts if conflict.strength >= _COUNTED}) > 1


def has_clear_clash(read: PairReading) -> bool:
    """Whether two values of one thing exclude each other so clearly that they contradict by themselves."""
    conflict = strongest(read.conflicts)
    if conflict is None or read.contradiction < _LEAST_TENSION:
        return False
    if conflict.family is Family.KINSHIP:
        return True
    least = _CLEAR_IF_SURE if read.contradiction >= _SURE else _CLEAR
    if conflict.strength < least or read.has_several_clashes:
        return False
    earlier, later = (sentence.clause for sentence in read.sentences)
    if conflict.family is Family.DATE:
        may_be_two = _is_of_chronicle(earlier, conflict.premise) and _is_of_chronicle(later, conflict.hypothesis)
    else:
        may_be_two = tell_of_two_occasions(earlier, later)
    return not (may_be_two or speak_of_two_things(earlier, later))


def _is_of_chronicle(clause: Clause, date: Value) -> bool:
    """Whether the sentence begins with the date of an event that may happen again.

    Two such sentences tell of two events: "In 1921 the city repainted the bridge", "In 2011 the city repainted it".
    """
    before = clause.tree.tokens[: clause.reading.positions(date.span).start]
    return all(token.pos in ("ADP", "DET") for token in before) and not happens_once(clause.slot(date))


async def read_pairs(text: EarlierPartners, pairs: Iterable[tuple[int, int]], models: LocalModels) -> list[PairReading]:
    """Read the pairs of indices (the smaller one first). Pairs without any sign of a contradiction are left out."""
    sentences = text.sentences
    read = await _read_both_ways(sentences, list(pairs), models)
    close = [both for both in read if both.is_close]
    turns = [turn for both in close for turn in ((both.earlier, both.later), (both.later, both.earlier))]
    around = await read_surroundings(sentences, turns, models)
    related = {index: await mean_relatedness(text, index, models) for index in dict.fromkeys(turn[0] for turn in turns)}
    return [
        PairReading(
            both.earlier,
            both.later,
            (sentences[both.earlier], sentences[both.later]),
            both.conflicts,
            both.forward,
            both.backward,
            around[both.earlier, both.later],
            around[both.later, both.earlier],
            related[both.earlier],
            related[both.later],
        )
        for both in close
    ]


@dataclass(frozen=True, slots=True)
class _BothWays:
    """A pair that was read in both directions; the fields are those of :class:`PairReading`."""

    earlier: int
    later: int
    conflicts: Sequence[ValueConflict]
    forward: NliScore
    backward: NliScore

    @property
    def is_close(self) -> bool:
        """Whether the pair may be a contradiction, so that its surroundings are worth reading."""
        return mean_contradiction(self.forward, self.backward) >= _MIN_MEAN or _may_clash_clearly(self.conflicts)


async def _read_both_ways(
    sentences: Sequence[ComparableSentence], pairs: Sequence[tuple[int, int]], models: LocalModels
) -> list[_BothWays]:
    """Read each pair, and in the other direction if values clash clearly or the first shows a sign; omit the others."""
    forwards = await models.score([of_text(sentences[earlier], sentences[later]) for earlier, later in pairs])
    doubtful = [
        (earlier, later, conflicts, forward)
        for (earlier, later), forward in zip(pairs, forwards, strict=True)
        if _may_clash_clearly(conflicts := clashes(sentences[earlier], sentences[later]))
        or forward.contradiction >= _MIN_FORWARD
    ]
    backwards = await models.score([of_text(sentences[later], sentences[earlier]) for earlier, later, *_ in doubtful])
    return [_BothWays(*pair, backward) for pair, backward in zip(doubtful, backwards, strict=True)]


def _may_clash_clearly(conflicts: Sequence[ValueConflict]) -> bool:
    """Whether values clash so clearly that the pair may be a contradiction whatever the model says."""
    conflict = strongest(conflicts)
    return conflict is not None and (conflict.family is Family.KINSHIP or conflict.strength >= _CLEAR_IF_SURE)
