"""The chain of METHODS B with the local models: the sentence level, the entity level for what passed it, the merge."""

from __future__ import annotations

from dataclasses import dataclass

from ..comparing.sentence import ComparableSentence
from ..grounding.local_entity import EntityReading, unsupported_entities
from ..grounding.local_reading import Reading, SourceReading, read_for
from ..grounding.local_sentence import (
    Clash,
    absent_values,
    is_denied_by_one,
    is_told_the_other_way_round,
    refutation_of,
    support_of,
)
from ..local_models.process import LocalModels
from ..ports import Material
from ..rules.base import Family, Value
from ..thresholds import THRESHOLDS, Thresholds
from ..types import GroundingLevel, Verdict

#: From this support on a sentence reads like the source, and a name out of place is reported. Below it the tool is
#: unsure of the whole sentence, and a name that stands elsewhere says nothing.
READS_LIKE_SOURCE = 0.3


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a sentence does not pass one of the levels. ``confidence`` is that of the verdict, 0 to 1."""

    level: GroundingLevel
    verdict: Verdict
    confidence: float
    reading: Reading | None
    """The source sentence that the verdict rests on."""
    clashes: tuple[Clash, ...] = ()
    """The words that clash, first those that the verdict rests on; none where only the model says so."""
    absent: tuple[Value, ...] = ()
    """The names and values that no source gives; beside a clash only the figures."""
    entities: tuple[EntityReading, ...] = ()
    """The names and values of which the sources do not say what the sentence says."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the sources say about a sentence. ``absent`` are its names and values that none of them gives.

    ``failure`` is None for one that passes both levels. The entity level judges only what passed the sentence level,
    so that there is never more than one failure.
    """

    verdict: Verdict
    support: float
    read: SourceReading
    absent: tuple[Value, ...]
    failure: Failure | None = None


async def judge(material: Material, models: LocalModels, index: int, sentence: ComparableSentence) -> Judgement:
    """Compare a wording of the sentence at ``index`` of the text with the sources."""
    thresholds = THRESHOLDS[material.strictness]
    read = await read_for(sentence, material.library, models, _context(material, index, sentence))
    absent = absent_values(material.library, read, sentence)
    support = support_of(sentence, read, absent)
    failure = None
    if GroundingLevel.SENTENCE in material.levels:
        failure = _fail_as_sentence(thresholds, sentence, read, absent, support)
    reads_like_source = support >= READS_LIKE_SOURCE or GroundingLevel.SENTENCE not in material.levels
    if failure is None and GroundingLevel.ENTITY in material.levels and reads_like_source:
        entities = await unsupported_entities(sentence, read, absent, material.library, models, thresholds.entity)
        failure = _fail_as_entities(entities, read, support)
    if failure is not None and failure.verdict is Verdict.NOT_IN_SOURCE and sentence.parsed.is_instruction:
        failure = None  # what is to be done need not stand in a source
    if failure is not None:
        return Judgement(failure.verdict, support, read, absent, failure)
    is_supported = support >= thresholds.supported and not (
        is_denied_by_one(sentence, read) or is_told_the_other_way_round(sentence, read)
    )
    return Judgement(Verdict.SUPPORTED if is_supported else Verdict.UNSURE, support, read, absent)


def _context(material: Material, index: int, sentence: ComparableSentence) -> str:
    """The sentence before, where it tells whom a pronoun stands for."""
    return material.sentences[index - 1].text if index > 0 and sentence.leans_on_previous else ""


def _fail_as_sentence(
    thresholds: Thresholds,
    sentence: ComparableSentence,
    read: SourceReading,
    absent: tuple[Value, ...],
    support: float,
) -> Failure | None:
    refutation = refutation_of(sentence, read.readings, absent)
    if refutation is not None and refutation.score >= thresholds.conflict:
        clashes = refutation.clashes_from(thresholds.conflict)
        clashing = {clash.conflict.hypothesis.span for clash in clashes}
        # A name may be another word for what the source names; a figure is none.
        figures = (value for value in absent if value.family is not Family.NAME)
        return Failure(
            GroundingLevel.SENTENCE,
            Verdict.CONFLICTS_WITH_SOURCE,
            refutation.score,
            refutation.reading,
            clashes,
            absent=tuple(value for value in figures if value.span not in clashing),
        )
    if support < thresholds.absent:
        confidence = _confidence_of_absence(support)
        return Failure(GroundingLevel.SENTENCE, Verdict.NOT_IN_SOURCE, confidence, read.nearest, absent=absent)
    return None


def _fail_as_entities(entities: tuple[EntityReading, ...], read: SourceReading, support: float) -> Failure | None:
    if not entities:
        return None
    return Failure(
        GroundingLevel.ENTITY,
        Verdict.NOT_IN_SOURCE,
        _confidence_of_absence(support),
        read.nearest,
        absent=tuple(entity.value for entity in entities if entity.given is None),
        entities=tuple(entity for entity in entities if entity.given is not None),
    )


def _confidence_of_absence(support: float) -> float:
    """From 0.5, half sure, where the sources say half of it, to 0.75 where nothing of it is there (a support of -1)."""
    return min(0.75, max(0.5, 0.5 - support / 4))
