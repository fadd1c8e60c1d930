"""Sentences of whole texts with the sentences around them as the premise, as a check reads a pair.

What stands around a sentence contradicts another sentence if the sentence itself does, and no longer once it is taken
out. So every premise has a twin without the sentence, and the two are ranked.
"""

import random
from collections.abc import Collection, Mapping, Sequence
from itertools import combinations

from detection.core.comparing.surroundings import REACH

from .authored import blurred_likeness, keeps_partner, places_of, repaired_sentences
from .data import Example, Row
from .labels import InferenceClass, Label
from .units import Rank, Unit, ranked

_CONTRADICTIONS_PER_TEXT = 3
_COMPATIBLE_PAIRS_PER_TEXT = 4
_NEAREST = 10  # pairs that share most words, from which the compatible ones are drawn
_REPAIRED_SHARE = 1 / 3

Places = tuple[int, int]


def surrounded_unit(row: Row, chooser: random.Random) -> Unit:
    """Contradictions of a text in their surroundings, the same without the one sentence, and compatible pairs."""
    planted = {places_of(pair) for pair in row["pairs"]}
    fixed = {places_of(pair): pair["fixed"] for pair in row["pairs"] if "fixed" in pair and keeps_partner(row, pair)}
    return _Text(row["sentences"], planted, chooser).unit(fixed)


def _repaired_unit(row: Row, chooser: random.Random) -> Unit:
    """Compatible pairs of a text whose contradictions are repaired, in their surroundings."""
    return _Text(repaired_sentences(row), (), chooser).unit({})


def surrounded_twins(rows: Sequence[Row], chooser: random.Random) -> list[Unit]:
    """Texts with contradictions in their surroundings, and a third of them repaired."""
    units = [surrounded_unit(row, chooser) for row in rows]
    return units + [_repaired_unit(row, chooser) for row in rows if chooser.random() < _REPAIRED_SHARE]


class _Text:
    """Forms the pairs of one text. ``planted`` are the contradictory pairs of places, the smaller place first."""

    def __init__(self, sentences: Sequence[str], planted: Collection[Places], chooser: random.Random) -> None:
        self._sentences = sentences
        self._planted = planted
        self._chooser = chooser
        self._examples: list[Example] = []
        self._ranks: list[Rank] = []

    def unit(self, fixed: Mapping[Places, str]) -> Unit:
        contradictions = self._chooser.sample(sorted(self._planted), len(self._planted))[:_CONTRADICTIONS_PER_TEXT]
        clashing = [self._add_contradiction(pair, fixed.get(pair)) for pair in contradictions]
        first = len(self._examples)
        self._add_compatible()
        apart = range(first, len(self._examples))
        self._ranks += ranked(InferenceClass.CONTRADICTION, clashing, apart, self._chooser)
        return Unit(tuple(self._examples), tuple(self._ranks))

    def _add_contradiction(self, pair: Places, fixed: str | None) -> int:
        place, other = self._chooser.sample(pair, 2)
        near = self._around(place, other)
        number = self._add(near, self._sentences[other], Label.CONTRADICTION)
        rest = [i for i in near if i != place]
        if rest and not self._contradict(rest, other):
            self._add_twin(number, rest, self._sentences[other])
            if fixed is not None and other == pair[1]:
                self._add_twin(number, near, fixed)
        return number

    def _add_twin(self, number: int, premise: Sequence[int], hypothesis: str) -> None:
        """A compatible pair that should contradict less than the contradiction of this number."""
        twin = self._add(premise, hypothesis, Label.NOT_CONTRADICTION)
        self._ranks.append(Rank(InferenceClass.CONTRADICTION, better=number, worse=twin))

    def _add_compatible(self) -> None:
        pairs = [pair for pair in combinations(range(len(self._sentences)), 2) if pair not in self._planted]
        nearest = sorted(pairs, key=self._likeness, reverse=True)[:_NEAREST]
        for pair in self._chooser.sample(nearest, min(len(nearest), _COMPATIBLE_PAIRS_PER_TEXT)):
            place, other = self._chooser.sample(pair, 2)
            near = self._around(place, other)
            if not self._contradict(near, other):
                self._add(near, self._sentences[other], Label.NOT_CONTRADICTION)

    def _add(self, premise: Sequence[int], hypothesis: str, label: Label) -> int:
        text = " ".join(self._sentences[i] for i in premise)
        self._examples.append(Example(text, hypothesis, label))
        return len(self._examples) - 1

    def _around(self, place: int, other: int) -> list[int]:
        return [i for i in range(len(self._sentences)) if abs(i - place) <= REACH and i != other]

    def _contradict(self, places: Sequence[int], other: int) -> bool:
        return any(places_of((i, other)) in self._planted for i in places)

    def _likeness(self, pair: Places) -> float:
        first, second = pair
        return blurred_likeness((self._sentences[first], self._sentences[second]), self._chooser)
