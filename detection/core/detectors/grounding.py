"""Sentences against the user's sources (METHODS B, local engine, sentence level).

The chain: find the passages that speak of the same thing, ask the NLI model about them and about their sentences,
and let the value rules have a say, because the model passes a wrong number too easily.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from ..comparison import ComparableSentence, stem
from ..events import UnitDone, UnitStarted
from ..frames import conflicts_in_frame, mentions_words
from ..library import Passage, SourceLibrary, SourceSentence
from ..reference import tell_of_two_occasions
from ..rewrites import rewrites_of_absence, rewrites_of_source_conflict
from ..rules.alignment import ValueConflict, conflicts_between, missing
from ..rules.base import Family, Value
from ..rules.denial import conflicts_of_denial
from ..thresholds import THRESHOLDS, Thresholds, either
from ..types import Evidence, Finding, FindingKind, NliPair, NliScore, Span, Suggestion, Verdict
from .base import DetectionRequest, Emit, Material, Ports, Requirement
from .findings import in_document, make_finding
from .model_grounding import ModelGrounding

#: So many passages are read for a sentence; of a longer source, those that share most words with it.
MAX_PASSAGES = 10
#: So many single sentences of these passages are read beside them.
MAX_NEAR = 5

# What the source's support is made of. Chosen on development texts by the macro F1 of whole responses.
_SENTENCE_WEIGHT = 0.55
_PASSAGE_WEIGHT = 0.45
_UNKNOWN_WORDS = 0.4
_UNKNOWN_NAME = 0.35
_UNKNOWN_FIGURE = 0.2
_CORROBORATION = 0.15
#: From this share of the sentence's words in one source sentence on, that sentence corroborates it.
_LEAST_CORROBORATION = 0.6

#: A source sentence can refute a sentence only if it shares this much of its words; less where both say the same of
#: the same subject but for a value, as in a long sentence of which one half clashes.
_LEAST_OVERLAP = 0.4
_LEAST_OVERLAP_IN_SLOT = 0.2

_DISCOUNT_OF_GIVEN = 0.3
_LEAD_OF_A_DATE = re.compile(r"^(?:(?:since|from|until|till|before|after|by|in|on)\s)+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Reading:
    """A source sentence, and how the NLI model reads it as premise of the sentence under test."""

    sentence: SourceSentence
    overlap: float
    score: NliScore


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the sources say about a sentence. ``confidence`` is that of the verdict, 0 to 1."""

    verdict: Verdict
    confidence: float
    support: float
    nearest: Reading | None
    conflict: ValueConflict | None = None
    absent: tuple[Value, ...] = ()


class Grounding:
    """Compares each sentence with the sources."""

    id: ClassVar[str] = "grounding.v1"
    requires: ClassVar[frozenset[Requirement]] = frozenset({Requirement.NLI, Requirement.SOURCES})

    async def detect(self, request: DetectionRequest, ports: Ports, emit: Emit) -> None:
        if ports.grounding is not None:
            await ModelGrounding(self.id, ports.grounding).detect(request, ports.models, emit)
            return
        for index in request.pending:
            await emit(UnitStarted(self.id, index))
            sentence = request.material.sentences[index]
            judgement = await _judge(request.material, ports, sentence)
            finding = await self._finding(request, sentence, judgement)
            evidence = () if finding else _evidence(judgement)
            findings = (finding,) if finding else ()
            await emit(UnitDone(self.id, index, judgement.verdict, findings, evidence))

    async def problems(
        self, material: Material, ports: Ports, index: int, wording: ComparableSentence
    ) -> frozenset[FindingKind]:
        judgement = await _judge(material, ports, wording)
        kinds = {_KINDS.get(judgement.verdict)}
        if judgement.support < THRESHOLDS[material.strictness].absent:
            # A conflict hides that the rest of the sentence is not in the source either.
            kinds.add(FindingKind.NOT_IN_SOURCE)
        return frozenset(kind for kind in kinds if kind)

    async def _finding(
        self, request: DetectionRequest, sentence: ComparableSentence, judgement: Judgement
    ) -> Finding | None:
        kind = _KINDS.get(judgement.verdict)
        if kind is None:
            return None
        span = _wrong_words(sentence, judgement)
        return make_finding(
            sentence,
            span=in_document(span, sentence) if span else sentence.parsed.sentence.span,
            kind=kind,
            verdict=judgement.verdict,
            score=judgement.confidence,
            message=_message(judgement),
            explanation=_explanation(judgement),
            evidence=_evidence(judgement),
            detector=self.id,
            suggestions=await _suggestions(request, sentence, judgement, span),
        )


_KINDS = {
    Verdict.CONFLICTS_WITH_SOURCE: FindingKind.CONFLICTS_WITH_SOURCE,
    Verdict.NOT_IN_SOURCE: FindingKind.NOT_IN_SOURCE,
}


async def _suggestions(
    request: DetectionRequest, sentence: ComparableSentence, judgement: Judgement, span: Span | None
) -> list[Suggestion]:
    if judgement.verdict is Verdict.CONFLICTS_WITH_SOURCE and judgement.nearest is not None:
        source = judgement.nearest.sentence.sentence
        return await rewrites_of_source_conflict(sentence, source, judgement.conflict, request.recheck)
    return await rewrites_of_absence(sentence, span, request.recheck)


# --- Judging ----------------------------------------------------------------------------------------------------


async def _judge(material: Material, ports: Ports, sentence: ComparableSentence) -> Judgement:
    passages = material.library.best_passages(sentence.text, MAX_PASSAGES)
    near = _near(passages, sentence)
    premises = [passage.text for passage in passages] + [source.premise for source in near]
    scores = await ports.models.score([NliPair(premise, sentence.text) for premise in premises])
    readings = [
        Reading(source, source.sentence.overlap(sentence), score)
        for source, score in zip(near, scores[len(passages) :], strict=True)
    ]
    absent = tuple(_missing(material.library, passages, sentence))
    by_passage = max((score.entailment for score in scores[: len(passages)]), default=0.0)
    support = _support(sentence, readings, by_passage, passages, absent)
    return _decide(THRESHOLDS[material.strictness], sentence, readings, support, absent)


def _near(passages: Sequence[Passage], sentence: ComparableSentence) -> list[SourceSentence]:
    """The sentences of the passages that share most with ``sentence``, each once."""
    once = {(source.source.id, source.span): source for passage in passages for source in passage.sentences}
    ranked = sorted(once.values(), key=lambda source: source.sentence.overlap(sentence), reverse=True)
    return ranked[:MAX_NEAR]


def _missing(library: SourceLibrary, passages: Sequence[Passage], sentence: ComparableSentence) -> Iterator[Value]:
    """The figures and names of the sentence that no source gives in any form."""
    clauses = [source.sentence.clause for passage in passages for source in passage.sentences]
    return (value for value in missing(clauses, sentence.clause) if not library.mentions(_bare(value)))


def _bare(value: Value) -> str:
    """What must stand in a source for it to give the value in some way: "since September" needs "September"."""
    return _LEAD_OF_A_DATE.sub("", value.text) if value.family is Family.DATE else value.text


def _support(
    sentence: ComparableSentence,
    readings: Sequence[Reading],
    by_passage: float,
    passages: Sequence[Passage],
    absent: Sequence[Value],
) -> float:
    """How far the source says what the sentence says; about 0 to 1."""
    by_sentence = max((reading.score.entailment for reading in readings), default=0.0)
    known = frozenset[str]().union(*(source.sentence.stems for passage in passages for source in passage.sentences))
    unknown = sum(stem(word) not in known for word in sentence.content) / max(1, len(sentence.content))
    corroborated = 0.0 if absent else max((_cover(reading, sentence) for reading in readings), default=0.0)
    names = any(value.family is Family.NAME for value in absent)
    figures = any(value.family is not Family.NAME for value in absent)
    return (
        _SENTENCE_WEIGHT * by_sentence
        + _PASSAGE_WEIGHT * by_passage
        + (_CORROBORATION * corroborated if corroborated >= _LEAST_CORROBORATION else 0.0)
        - _UNKNOWN_WORDS * unknown
        - _UNKNOWN_NAME * names
        - _UNKNOWN_FIGURE * figures
    )


def _cover(reading: Reading, sentence: ComparableSentence) -> float:
    """The share of the sentence's content words, by their stems, that the source sentence has."""
    return len(sentence.stems & reading.sentence.sentence.stems) / max(1, len(sentence.stems))


def _decide(
    thresholds: Thresholds,
    sentence: ComparableSentence,
    readings: Sequence[Reading],
    support: float,
    absent: tuple[Value, ...],
) -> Judgement:
    refuting = _refuting(sentence, readings)
    if refuting is not None and refuting[0] >= thresholds.conflict:
        score, reading, conflict = refuting
        return Judgement(Verdict.CONFLICTS_WITH_SOURCE, score, support, reading, conflict)
    nearest = max(readings, key=lambda reading: reading.score.entailment + reading.overlap, default=None)
    if support >= thresholds.supported:
        return Judgement(Verdict.SUPPORTED, min(1.0, support), support, nearest)
    if support < thresholds.absent or absent:
        return Judgement(Verdict.NOT_IN_SOURCE, _confidence_of_absence(support), support, nearest, absent=absent)
    return Judgement(Verdict.UNSURE, 0.5, support, nearest)


def _confidence_of_absence(support: float) -> float:
    return min(0.99, max(0.5, 1 - support))


def _refuting(
    sentence: ComparableSentence, readings: Sequence[Reading]
) -> tuple[float, Reading, ValueConflict | None] | None:
    """The source sentence that speaks of the same thing and says otherwise, with the score and the words."""
    candidates = []
    for reading in readings:
        if reading.overlap < _LEAST_OVERLAP_IN_SLOT:
            continue
        source = reading.sentence.sentence
        is_near = reading.overlap >= _LEAST_OVERLAP
        clashes = list(conflicts_between(source.clause, sentence.clause))
        if is_near:
            clashes += conflicts_in_frame(source, sentence, reading.sentence.previous)
            if not tell_of_two_occasions(source.clause, sentence.clause):
                clashes += conflicts_of_denial(source.clause, sentence.clause)
        conflict = max(
            (clash for clash in clashes if _is_real(clash, sentence, reading, readings)),
            key=lambda clash: _closeness(clash, sentence),
            default=None,
        )
        by_model = reading.score.contradiction * reading.overlap if is_near else 0.0
        score = either(by_model, conflict.strength if conflict else 0.0)
        candidates.append((score, reading, conflict))
    return max(candidates, key=lambda candidate: candidate[0], default=None)


def _closeness(clash: ValueConflict, sentence: ComparableSentence) -> float:
    """How well a clash tells what is wrong. A value that the sentence gives, too, is hardly the one it should give."""
    is_given = mentions_words(sentence.text, clash.premise.text)
    return clash.strength - (_DISCOUNT_OF_GIVEN if is_given else 0.0)


def _is_real(clash: ValueConflict, sentence: ComparableSentence, reading: Reading, readings: Sequence[Reading]) -> bool:
    """Whether a clash is more than two parts of one name, or two things that either side tells of."""
    if clash.family is Family.NAME and (
        mentions_words(sentence.text, clash.premise.text)
        or mentions_words(reading.sentence.text, clash.hypothesis.text)
    ):
        return False
    return not _is_stated_by_another(clash.hypothesis, reading, readings)


def _is_stated_by_another(value: Value, reading: Reading, readings: Sequence[Reading]) -> bool:
    """Whether a source sentence that is at least as near gives the value: then it is about something else here."""
    return any(
        other.relation_to(value).agrees
        for another in readings
        if another is not reading and another.overlap >= reading.overlap
        for other in another.sentence.sentence.clause.values
    )


# --- Telling ----------------------------------------------------------------------------------------------------


def _wrong_words(sentence: ComparableSentence, judgement: Judgement) -> Span | None:
    """The words at fault, counted in the sentence; None when it is the sentence as a whole."""
    if judgement.conflict is not None:
        return judgement.conflict.hypothesis.span
    if len(judgement.absent) == 1:
        return judgement.absent[0].span
    return None


def _message(judgement: Judgement) -> str:
    if judgement.conflict is not None:
        theirs, own = judgement.conflict.premise.text, judgement.conflict.hypothesis.text
        return f"The source says “{theirs}”, this sentence says “{own}”."
    if judgement.verdict is Verdict.CONFLICTS_WITH_SOURCE:
        return "The source says something else about this."
    if judgement.absent:
        words = " and ".join(f"“{value.text}”" for value in judgement.absent[:3])
        return f"The source does not mention {words}."
    return "Nothing in the source says this."


def _explanation(judgement: Judgement) -> str:
    support = f"Support found in the source: {max(0.0, judgement.support):.2f} of 1."
    if judgement.conflict is not None:
        return (
            "The closest sentence of the source gives another value for the same thing: "
            f"{judgement.conflict.reason}. {support}"
        )
    if judgement.verdict is Verdict.CONFLICTS_WITH_SOURCE:
        return f"The NLI model reads the closest sentence of the source as a contradiction. {support}"
    return f"The passages of the source that are nearest to this sentence were read; none says it. {support}"


def _evidence(judgement: Judgement) -> tuple[Evidence, ...]:
    """The source sentence that the verdict rests on; none where the source has no sentence to show."""
    if judgement.nearest is None:
        return ()
    nearest, conflict = judgement.nearest.sentence, judgement.conflict
    return (
        Evidence(
            quote=nearest.text,
            span=nearest.span,
            source=nearest.source.id,
            conflict=(in_document(conflict.premise.span, nearest.sentence),) if conflict else (),
            score=round(judgement.confidence, 3),
        ),
    )
