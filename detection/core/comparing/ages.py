"""Ages and anniversaries that do not fit the year of a beginning in another sentence of the text.

"She was born in 1928" and "She died in 2011 at the age of eighty" exclude each other, but the NLI model does not
compute. So it reads what the second sentence says of the beginning: "She was born in 1931". Whether both speak of one
thing is for the trained decision about pairs.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from ..local_models.process import LocalModels
from ..rules.elapsed import Beginning, Elapsed
from ..types import Span
from .pair_reading import PairReading, read_pairs
from .partners import EarlierPartners
from .sentence import ComparableSentence, one_sentence
from .tables import is_row

#: So many misfits of a sentence are read.
_MOST_OF_A_SENTENCE = 2


@dataclass(frozen=True, slots=True)
class Misfit:
    """A sentence whose age or anniversary excludes the beginning in another one. ``told`` and ``begun`` are indices."""

    told: int
    begun: int
    elapsed: Elapsed
    beginning: Beginning

    @property
    def pair(self) -> tuple[int, int]:
        return min(self.told, self.begun), max(self.told, self.begun)

    @property
    def passed(self) -> int:
        """The years from the beginning to the year of the age."""
        return self.elapsed.year - self.beginning.year

    def words_of(self, index: int) -> Span:
        """The age or the beginning in one of the two sentences."""
        return self.elapsed.value.span if index == self.told else self.beginning.date.span


@dataclass(frozen=True, slots=True)
class MisfitReading:
    """``restated`` is read with what the age says of the beginning; ``as_written`` has the sentences as written."""

    misfit: Misfit
    restated: PairReading
    as_written: PairReading


def misfits(sentences: Sequence[ComparableSentence], index: int, others: Iterable[int]) -> list[Misfit]:
    """The ages and beginnings of the sentence at ``index`` and of the comparable ``others`` that exclude each other.

    Of many, those of the sentences that share most words with it. An age that fits a beginning anywhere in the text
    counts from there, and excludes no other one.
    """
    if not sentences[index].is_comparable:
        return []
    beginnings = [beginning for sentence in sentences for beginning in sentence.beginnings]
    found = [
        Misfit(told, begun, elapsed, beginning)
        for other in others
        if sentences[other].is_comparable and not is_row(sentences[other])
        for told, begun in ((index, other), (other, index))
        for elapsed in sentences[told].ages
        for beginning in sentences[begun].beginnings
        if elapsed.counts_from(beginning) and beginning.year <= elapsed.year
    ]
    nearest = sorted(found, key=lambda misfit: sentences[misfit.told].overlap(sentences[misfit.begun]), reverse=True)
    unexplained = (misfit for misfit in nearest if not _is_explained(misfit.elapsed, beginnings))
    return list(islice(unexplained, _MOST_OF_A_SENTENCE))


def _is_explained(elapsed: Elapsed, beginnings: Iterable[Beginning]) -> bool:
    return any(elapsed.counts_from(one) and one.year in elapsed.first_years for one in beginnings)


async def read_misfits(
    sentences: Sequence[ComparableSentence], found: Iterable[Misfit], models: LocalModels
) -> list[MisfitReading]:
    """Read each of the misfits. Those without any sign of a contradiction are left out."""
    readings = []
    for misfit in found:
        told = await one_sentence(misfit.elapsed.restated(misfit.beginning), models)
        if told is None:
            continue
        text = EarlierPartners([*sentences[: misfit.told], told, *sentences[misfit.told + 1 :]])
        for read in await read_pairs(text, [misfit.pair], models):
            earlier, later = misfit.pair
            as_written = replace(read, sentences=(sentences[earlier], sentences[later]), conflicts=())
            readings.append(MisfitReading(misfit, read, as_written))
    return readings
