"""The sentence level: whether a source sentence contradicts a sentence, and by which words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ..comparing.clashes import strongest
from ..comparing.frames import conflicts_in_frame, mentions_words
from ..comparing.sentence import ComparableSentence
from ..rules.alignment import ValueConflict, conflicts_between, missing
from ..rules.arithmetic import is_worked_out
from ..rules.base import FIGURES, Family, Relation, Value
from ..rules.denial import conflicts_of_denial
from ..rules.parties import names_a_party, telling
from ..rules.statement import states
from ..sources.library import SourceLibrary
from ..thresholds import either
from ..types import Span
from .local_reading import LEAST_OVERLAP, Reading, SourceReading

#: A sentence is a near-copy if this share of its other words, and at least this number, occur in the clashing source
#: sentence. Among labelled sentences that the rules refute and the model does not, four of five near-copies are wrong,
#: but only one of five others.
_COPY_SHARE = 0.7
_LEAST_SHARED = 2

#: Minimum overlap for clashes in the same slot of the same subject, as in a long sentence of which one half clashes.
_LEAST_OVERLAP_IN_SLOT = 0.2

#: Strength of a clash between a figure that no source contains and the source's only figure of that kind.
_STRENGTH_OF_ABSENT = 0.55
_LEAD_OF_A_DATE = re.compile(r"^(?:(?:since|from|until|till|before|after|by|in|on)\s)+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Clash:
    """A conflict of values, and the reading of the source sentence with the other value."""

    reading: Reading
    conflict: ValueConflict
    is_of_one_slot: bool = False
    """Whether the slot model found that both values fill the same slot."""


@dataclass(frozen=True, slots=True)
class Refutation:
    """A source sentence that contradicts a sentence on the same topic.

    ``clashes`` are the clashing words, if known: first the clash that best explains the error, then the strongest
    clash of each other value, in the order of the sentence.
    """

    score: float
    reading: Reading
    clashes: tuple[Clash, ...] = ()

    @property
    def conflict(self) -> ValueConflict | None:
        return self.clashes[0].conflict if self.clashes else None

    def clashes_from(self, least: float) -> tuple[Clash, ...]:
        """The best clash, and all others with at least this strength."""
        return (*self.clashes[:1], *(clash for clash in self.clashes[1:] if clash.conflict.strength >= least))


def absent_values(library: SourceLibrary, read: SourceReading, sentence: ComparableSentence) -> tuple[Value, ...]:
    """The figures and names of the sentence that no source contains in any form."""
    return tuple(value for value in missing(read.clauses, sentence.clause) if not library.mentions(_bare(value)))


def _bare(value: Value) -> str:
    """The words that a source must have to contain the value: "since September" needs "September"."""
    return _LEAD_OF_A_DATE.sub("", value.text) if value.family is Family.DATE else value.text


def says_the_rest(reading: Reading, sentence: ComparableSentence, span: Span) -> bool:
    """Whether the source sentence has most words of the sentence outside ``span``: the sentence is a near-copy."""
    rest = sentence.stems - sentence.stems_at(span)
    shared = rest & reading.sentence.sentence.stems
    return len(shared) >= max(_LEAST_SHARED, _COPY_SHARE * len(rest))


def refutation_of(
    sentence: ComparableSentence, readings: Sequence[Reading], absent: Sequence[Value] = ()
) -> Refutation | None:
    """The strongest refutation of the sentence; None if no source sentence is on its topic.

    ``absent`` are the values of the sentence that no source contains.
    """
    found = list(_clashes(sentence, readings, absent))
    refutation = max((_refutation(*of_one) for of_one in found), key=lambda one: one.score, default=None)
    if refutation is None or refutation.conflict is None:
        return refutation
    words = refutation.conflict.hypothesis.span
    others = [
        Clash(reading, clash)
        for reading, clashes in found
        for clash in clashes
        if not clash.hypothesis.span.overlaps(words)
        and not (refutation.conflict.family is Family.DENIAL and clash.family is Family.NAME)
        and not names_a_party(clash)
    ]
    others.sort(key=lambda clash: clash.conflict.strength)
    of_span = {clash.conflict.hypothesis.span: clash for clash in others}
    return replace(refutation, clashes=(*refutation.clashes, *(of_span[span] for span in sorted(of_span))))


def _refutation(reading: Reading, clashes: Sequence[ValueConflict]) -> Refutation:
    conflict = strongest(clashes)
    by_model = reading.score.contradiction * reading.overlap if reading.overlap >= LEAST_OVERLAP else 0.0
    score = either(by_model, conflict.strength if conflict else 0.0)
    if conflict is not None and conflict.family is Family.NAME:
        # If one side denies the action ("may", "shall not"), two names may be one person: the denial is the clash.
        conflict = next((clash for clash in clashes if clash.family is Family.DENIAL), conflict)
        if names_a_party(conflict):
            conflict = strongest(telling(clashes))
    return Refutation(score, reading, (Clash(reading, conflict),) if conflict else ())


def _clashes(
    sentence: ComparableSentence, readings: Sequence[Reading], absent: Sequence[Value]
) -> Iterator[tuple[Reading, list[ValueConflict]]]:
    """The readings of source sentences on the same topic, each with the clashing values."""
    for reading in readings:
        if reading.overlap < _LEAST_OVERLAP_IN_SLOT:
            continue
        source = reading.sentence.sentence
        clashes = list(conflicts_between(source.clause, sentence.clause))
        if reading.overlap >= LEAST_OVERLAP:
            clashes += conflicts_in_frame(source, sentence, reading.sentence.previous)
            clashes += _conflicts_of_absent(source, sentence, absent)
            clashes += conflicts_of_denial(source.clause, sentence.clause)
        yield reading, [clash for clash in clashes if _is_real(clash, sentence, reading, readings)]


def _conflicts_of_absent(
    source: ComparableSentence, sentence: ComparableSentence, absent: Sequence[Value]
) -> Iterator[ValueConflict]:
    """Pair each figure that no source contains with the only figure of its kind that this source sentence has left.

    Figures on which the two agree are not left. Such a conflict is too weak alone: the model must report a
    contradiction as well.
    """
    for value in absent:
        if value.family not in FIGURES:
            continue
        given = [
            other
            for other in source.clause.values
            if other.family is value.family and not any(_agree(other, own) for own in sentence.clause.values)
        ]
        if len(given) == 1 and given[0].relation_to(value) is Relation.CONFLICT:
            yield ValueConflict(given[0], value, _STRENGTH_OF_ABSENT)


def _is_real(clash: ValueConflict, sentence: ComparableSentence, reading: Reading, readings: Sequence[Reading]) -> bool:
    """False between parts of one name, for a correct sum, and for a value that the sentence or another source gives."""
    is_given = mentions_words(sentence.text, clash.premise.text)
    if clash.family is Family.NAME and (is_given or mentions_words(reading.sentence.text, clash.hypothesis.text)):
        return False
    if clash.family in FIGURES and is_given:
        return False  # "of the 221 patients 18 felt sick" does not clash with "18 patients felt sick"
    if is_worked_out(clash.hypothesis, sentence.clause, reading.sentence.sentence.clause):
        return False
    return not _is_stated_by_another(clash.hypothesis, reading, readings)


def _is_stated_by_another(value: Value, reading: Reading, readings: Sequence[Reading]) -> bool:
    """Whether another source sentence with at least the same overlap gives the value."""
    # Agreement is too weak for names: "Norwegian" agrees with "Oslo", but does not give it.
    gives = states if value.family is Family.NAME else _agree
    return any(
        gives(other, value)
        for another in readings
        if another is not reading and another.overlap >= reading.overlap
        for other in another.sentence.sentence.clause.values
    )


def _agree(other: Value, value: Value) -> bool:
    return other.relation_to(value).agrees
