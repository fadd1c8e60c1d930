"""The sentence level: how far the sources say what a sentence says, and whether one of them says otherwise."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ..comparing.frames import conflicts_in_frame, mentions_words
from ..comparing.reference import belong_to_two_names, tell_of_two_occasions
from ..comparing.sentence import ComparableSentence, stem
from ..language.vocabulary import words
from ..rules.alignment import ValueConflict, conflicts_between, missing
from ..rules.arithmetic import is_worked_out
from ..rules.base import FIGURES, Family, Relation, Value
from ..rules.denial import conflicts_of_denial
from ..rules.parties import names_a_party, telling
from ..rules.slots import Agreement, Phrase, agreement
from ..rules.statement import states
from ..sources.library import SourceLibrary
from ..thresholds import either
from .local_reading import LEAST_OVERLAP, Reading, SourceReading, cover_of

# What the source's support is made of. Chosen on development texts by the macro F1 of whole responses.
_SENTENCE_WEIGHT = 0.55
_PASSAGE_WEIGHT = 0.45
_UNKNOWN_WORDS = 0.4
_UNKNOWN_NAME = 0.35
_UNKNOWN_FIGURE = 0.2
_CORROBORATION = 0.15
_CONTRADICTION_WEIGHT = 0.45
#: A passage counts against the sentence if it has this share of the words that the best one has: it must speak of it.
_LEAST_COVER = 0.5
#: From this entailment by one sentence on, no passage around it counts against: the model errs on long premises.
_CERTAIN = 0.9
#: From this share of the sentence's words in one source sentence on, that sentence corroborates it.
_LEAST_CORROBORATION = 0.6

#: A source sentence that shares less of a sentence's words can still refute it where both say the same of the same
#: subject but for a value, as in a long sentence of which one half clashes.
_LEAST_OVERLAP_IN_SLOT = 0.2

_DISCOUNT_OF_GIVEN = 0.3
#: Of two values that clash as much, the one in the same unit tells better what is wrong.
_BONUS_OF_UNIT = 0.05
_DENIALS = frozenset(
    words(
        "not n't n’t never no none neither nor without nobody nothing cannot except unless exclude end close closed "
        "stop cease forbid prohibit ban"
    )
)
#: Where no source gives a figure, and a sentence that the model reads as a contradiction gives one of its kind.
_STRENGTH_OF_ABSENT = 0.55
_LEAD_OF_A_DATE = re.compile(r"^(?:(?:since|from|until|till|before|after|by|in|on)\s)+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Clash:
    """A value of the sentence, and the source sentence that gives another one for the same thing."""

    reading: Reading
    conflict: ValueConflict


@dataclass(frozen=True, slots=True)
class Refutation:
    """A source sentence that speaks of the same thing and says otherwise.

    ``clashes`` are the words, where known: first those that tell best what is wrong here, then what else clashes with
    the sources, the strongest clash of each value of the sentence, in order.
    """

    score: float
    reading: Reading
    clashes: tuple[Clash, ...] = ()

    @property
    def conflict(self) -> ValueConflict | None:
        return self.clashes[0].conflict if self.clashes else None

    def clashes_from(self, least: float) -> tuple[Clash, ...]:
        """The words that tell best what is wrong, and what else clashes at least so strongly."""
        return (*self.clashes[:1], *(clash for clash in self.clashes[1:] if clash.conflict.strength >= least))


def absent_values(library: SourceLibrary, read: SourceReading, sentence: ComparableSentence) -> tuple[Value, ...]:
    """The figures and names of the sentence that no source gives in any form."""
    return tuple(value for value in missing(read.clauses, sentence.clause) if not library.mentions(_bare(value)))


def _bare(value: Value) -> str:
    """What must stand in a source for it to give the value in some way: "since September" needs "September"."""
    return _LEAD_OF_A_DATE.sub("", value.text) if value.family is Family.DATE else value.text


def support_of(sentence: ComparableSentence, read: SourceReading, absent: Sequence[Value]) -> float:
    """How far the sources say what the sentence says; about 0 to 1."""
    by_sentence = max((reading.score.entailment for reading in read.readings), default=0.0)
    by_passage = max((passage.score.entailment for passage in read.passages), default=0.0)
    least = _LEAST_COVER * max((item.cover for item in read.passages), default=0.0)
    against = max((item.score.contradiction for item in read.passages if item.cover >= least), default=0.0)
    unknown = sum(stem(word) not in read.stems for word in sentence.content) / max(1, len(sentence.content))
    corroborated = (
        0.0 if absent else max((cover_of(sentence, [reading.sentence]) for reading in read.readings), default=0.0)
    )
    names = any(value.family is Family.NAME for value in absent)
    figures = any(value.family is not Family.NAME for value in absent)
    return (
        _SENTENCE_WEIGHT * by_sentence
        + _PASSAGE_WEIGHT * by_passage
        + (_CORROBORATION * corroborated if corroborated >= _LEAST_CORROBORATION else 0.0)
        - _UNKNOWN_WORDS * unknown
        - _UNKNOWN_NAME * names
        - _UNKNOWN_FIGURE * figures
        - (_CONTRADICTION_WEIGHT * against if by_sentence < _CERTAIN else 0.0)
    )


def is_denied_by_one(sentence: ComparableSentence, read: SourceReading) -> bool:
    """Whether only one of the sentence and what comes nearest to it denies, ends or excludes what both tell of.

    "The shop is open on Sundays" beside "a shop that is closed on Sundays": the model takes the one for the other.
    """
    if read.nearest is None:
        return False
    source = read.nearest.sentence.sentence
    sides = ((source, sentence), (sentence, source))
    return any(_denied_stems(one) & other.stems and not _denials(other) for one, other in sides)


def is_told_the_other_way_round(sentence: ComparableSentence, read: SourceReading) -> bool:
    """Whether what comes nearest has the two in each other's part: "Veldt bought Kaspar", "Kaspar bought Veldt"."""
    if read.nearest is None:
        return False
    return any(
        one.event == other.event and _agree_on(one.agent, other.patient) and _agree_on(one.patient, other.agent)
        for one in sentence.clause.happenings
        for other in read.nearest.sentence.sentence.clause.happenings
    )


def _agree_on(one: Phrase | None, other: Phrase | None) -> bool:
    """Whether both are named, and by the same name."""
    return bool(one and other and one.names and other.names) and agreement(one, other) is Agreement.AGREE


def _denials(sentence: ComparableSentence) -> list[int]:
    """The places of the words that deny, end or exclude something."""
    tokens = sentence.parsed.tokens
    return [i for i, token in enumerate(tokens) if _DENIALS & {token.text.casefold(), token.lemma.casefold()}]


def _denied_stems(sentence: ComparableSentence) -> frozenset[str]:
    """What is denied, ended or excluded: the stems around such words in the tree."""
    tokens, tree = sentence.parsed.tokens, sentence.clause.tree
    if not tree.tokens:
        return frozenset()
    around: set[int] = set()
    for place in _denials(sentence):
        head = tokens[place].head
        around |= {head, tokens[head].head, *tree.children[place]}
    return frozenset(stem(tokens[i].lemma.casefold()) for i in around)


def refutation_of(
    sentence: ComparableSentence, readings: Sequence[Reading], absent: Sequence[Value] = ()
) -> Refutation | None:
    """What refutes the sentence most; None when no source sentence speaks of the same thing.

    ``absent`` are the values of the sentence that no source gives.
    """
    found = list(_clashes(sentence, readings, absent))
    refutation = max((_refutation(sentence, *of_one) for of_one in found), key=lambda one: one.score, default=None)
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
    strongest = {clash.conflict.hypothesis.span: clash for clash in others}
    return replace(refutation, clashes=(*refutation.clashes, *(strongest[span] for span in sorted(strongest))))


def _refutation(sentence: ComparableSentence, reading: Reading, clashes: Sequence[ValueConflict]) -> Refutation:
    conflict = max(clashes, key=lambda clash: _closeness(clash, sentence), default=None)
    by_model = reading.score.contradiction * reading.overlap if reading.overlap >= LEAST_OVERLAP else 0.0
    source = reading.sentence.sentence.clause
    if conflict is None and any(is_worked_out(value, sentence.clause, source) for value in sentence.clause.values):
        by_model = 0.0  # the model does not count
    if conflict is None and _cost_nothing(sentence.text) and _cost_nothing(reading.sentence.text):
        by_model = 0.0  # "free for children", "children do not pay"
    score = either(by_model, conflict.strength if conflict else 0.0)
    if conflict is not None and conflict.family is Family.NAME:
        # Who "may" do what the source says that somebody "shall not" do may well be the same: the clash is the denial.
        conflict = next((clash for clash in clashes if clash.family is Family.DENIAL), conflict)
        if names_a_party(conflict):
            conflict = max(telling(clashes), key=lambda clash: _closeness(clash, sentence))
    return Refutation(score, reading, (Clash(reading, conflict),) if conflict else ())


_COSTS_NOTHING = re.compile(
    r"\bfree\b|\b(?:no|without)\s(?:charge|cost|fee)\b|"
    r"\b(?:not|n[’']t|never|nothing|nobody|none)\s(?:\w+\s){0,3}(?:pay|cost|charge)",
    re.IGNORECASE,
)


def _cost_nothing(text: str) -> bool:
    return _COSTS_NOTHING.search(text) is not None


def _clashes(
    sentence: ComparableSentence, readings: Sequence[Reading], absent: Sequence[Value]
) -> Iterator[tuple[Reading, list[ValueConflict]]]:
    """The source sentences that speak of the same thing, each with the values that clash."""
    readings = [item for item in readings if not belong_to_two_names(item.sentence.sentence.clause, sentence.clause)]
    for reading in readings:
        if reading.overlap < _LEAST_OVERLAP_IN_SLOT or _is_said_by_its_source(reading, readings):
            continue
        source = reading.sentence.sentence
        clashes = list(conflicts_between(source.clause, sentence.clause))
        if reading.overlap >= LEAST_OVERLAP:
            clashes += conflicts_in_frame(source, sentence, reading.sentence.previous)
            if not tell_of_two_occasions(source.clause, sentence.clause):
                clashes += conflicts_of_denial(source.clause, sentence.clause)
                clashes += _conflicts_of_absent(source, absent)
        yield reading, [clash for clash in clashes if _is_real(clash, sentence, reading, readings)]


def _conflicts_of_absent(source: ComparableSentence, absent: Sequence[Value]) -> Iterator[ValueConflict]:
    """The figures that no source gives, beside the only one of their kind that this sentence of a source gives.

    Far too little alone: the model must see a contradiction, too.
    """
    for value in absent:
        if value.family not in FIGURES:
            continue
        given = [other for other in source.clause.values if other.family is value.family]
        if len(given) == 1 and given[0].relation_to(value) is Relation.CONFLICT:
            reason = f"{given[0].text} against {value.text}"
            yield ValueConflict(given[0], value, value.family, _STRENGTH_OF_ABSENT, reason)


def _is_said_by_its_source(reading: Reading, readings: Sequence[Reading]) -> bool:
    """Whether the same source says the very thing elsewhere: then this sentence of it tells of something else."""
    return any(
        other.score.entailment >= _CERTAIN and other.overlap > reading.overlap
        for other in readings
        if other.sentence.source is reading.sentence.source
    )


def _closeness(clash: ValueConflict, sentence: ComparableSentence) -> float:
    """How well a clash tells what is wrong. A value that the sentence gives, too, is hardly the one it should give."""
    is_given = mentions_words(sentence.text, clash.premise.text)
    has_one_unit = clash.premise.text.split()[-1] == clash.hypothesis.text.split()[-1]
    return clash.strength - (_DISCOUNT_OF_GIVEN if is_given else 0.0) + (_BONUS_OF_UNIT if has_one_unit else 0.0)


def _is_real(clash: ValueConflict, sentence: ComparableSentence, reading: Reading, readings: Sequence[Reading]) -> bool:
    """Whether a clash is more than two parts of one name, a sum, or two things that either side tells of."""
    if clash.family is Family.NAME and (
        mentions_words(sentence.text, clash.premise.text)
        or mentions_words(reading.sentence.text, clash.hypothesis.text)
    ):
        return False
    if is_worked_out(clash.hypothesis, sentence.clause, reading.sentence.sentence.clause):
        return False
    return not _is_stated_by_another(clash.hypothesis, reading, readings)


def _is_stated_by_another(value: Value, reading: Reading, readings: Sequence[Reading]) -> bool:
    """Whether a source sentence that is at least as near gives the value: then it is about something else here."""
    # Of names, "Norwegian" agrees with "Oslo" and does not give it.
    gives = states if value.family is Family.NAME else _agree
    return any(
        gives(other, value)
        for another in readings
        if another is not reading and another.overlap >= reading.overlap
        for other in another.sentence.sentence.clause.values
    )


def _agree(other: Value, value: Value) -> bool:
    return other.relation_to(value).agrees
