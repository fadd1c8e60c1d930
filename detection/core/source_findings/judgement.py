"""The chain of METHODS B with the local models: the sentence level, the entity level for what passed it, the merge."""

from __future__ import annotations

from dataclasses import dataclass

from ..comparing.sentence import ComparableSentence
from ..grounding.features import source_features
from ..grounding.local_entity import EntityReading, unsupported_entities
from ..grounding.local_reading import Reading, SourceReading, read_for
from ..grounding.local_sentence import (
    Clash,
    Refutation,
    absent_values,
    has_swapped_roles,
    is_denied_by_one,
    is_misread,
    refutation_of,
    says_the_rest,
)
from ..local_models.decision import CERTAIN_SUPPORT, Assessment, Decision
from ..local_models.process import LocalModels
from ..ports import Material
from ..rules.base import Family, Value
from ..thresholds import THRESHOLDS, Thresholds
from ..types import GroundingLevel, Verdict

#: From this probability of a contradiction on a sentence without clashing words is called a conflict. Of 1,761 claims
#: about held-out sources 30 are, 27 of them rightly; where a contradiction is only likelier than silence, 84 of 97 in
#: these, but 2 of 18 in summaries.
_CONFLICT = 0.5


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
    assessment: Assessment
    read: SourceReading
    absent: tuple[Value, ...]
    failure: Failure | None = None


async def judge(material: Material, models: LocalModels, index: int, sentence: ComparableSentence) -> Judgement:
    """Compare a wording of the sentence at ``index`` of the text with the sources."""
    thresholds = THRESHOLDS[material.strictness]
    read = await read_for(sentence, material.library, models, _context(material, index, sentence))
    absent = absent_values(material.library, read, sentence)
    refutation = refutation_of(sentence, read.readings, absent)
    is_refuted = refutation is not None and refutation.score >= thresholds.conflict
    is_copied = read.has_copy_of(sentence)
    if is_copied and not is_refuted:
        return Judgement(Verdict.SUPPORTED, CERTAIN_SUPPORT, read, absent=())
    features = source_features(sentence, read, absent, refutation)
    assessment = Assessment(*models.decision(Decision.OF_SOURCES).shares(features))
    failure = None
    if GroundingLevel.SENTENCE in material.levels:
        failure = _fail_as_sentence(thresholds, sentence, read, absent, refutation, assessment, is_copied=is_copied)
    if failure is None and GroundingLevel.ENTITY in material.levels:
        entities = await _unsupported_entities(material, models, sentence, read, absent)
        failure = _fail_as_entities(entities, read, assessment)
    if failure is not None and failure.verdict is Verdict.NOT_IN_SOURCE and sentence.parsed.is_instruction:
        failure = None  # what is to be done need not stand in a source
    if failure is not None:
        return Judgement(failure.verdict, assessment, read, absent, failure)
    is_supported = assessment.supported >= thresholds.supported and not (
        is_denied_by_one(sentence, read) or has_swapped_roles(sentence, read)
    )
    return Judgement(Verdict.SUPPORTED if is_supported else Verdict.UNSURE, assessment, read, absent)


def _context(material: Material, index: int, sentence: ComparableSentence) -> str:
    """The sentence before, where it tells whom a pronoun stands for."""
    return material.sentences[index - 1].text if index > 0 and sentence.leans_on_previous else ""


def _fail_as_sentence(
    thresholds: Thresholds,
    sentence: ComparableSentence,
    read: SourceReading,
    absent: tuple[Value, ...],
    refutation: Refutation | None,
    assessment: Assessment,
    *,
    is_copied: bool,
) -> Failure | None:
    """``is_copied``: a source has the very sentence; what refutes it is another source."""
    is_doubtful = assessment.supported < thresholds.absent
    counts = is_doubtful or is_copied or (refutation is not None and _is_of_copy(sentence, refutation))
    if refutation is not None and refutation.score >= thresholds.conflict and counts:
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
    if not is_doubtful or (read.nearest is not None and is_misread(sentence, read.nearest)):
        return None
    doubt = 1 - assessment.supported
    if read.nearest is not None and assessment.contradicted >= _CONFLICT:
        return Failure(GroundingLevel.SENTENCE, Verdict.CONFLICTS_WITH_SOURCE, doubt, read.nearest, absent=absent)
    return Failure(GroundingLevel.SENTENCE, Verdict.NOT_IN_SOURCE, doubt, read.nearest, absent=absent)


def _is_of_copy(sentence: ComparableSentence, refutation: Refutation) -> bool:
    """Whether the source says the same but for the words that clash: there the rules are right against the model."""
    clash = refutation.conflict
    return clash is not None and says_the_rest(refutation.reading, sentence, clash.hypothesis.span)


async def _unsupported_entities(
    material: Material,
    models: LocalModels,
    sentence: ComparableSentence,
    read: SourceReading,
    absent: tuple[Value, ...],
) -> tuple[EntityReading, ...]:
    """The names and values that no source gives for this; beside the sentence level, those of near-copies alone.

    In free words a name or value stands anywhere in the source, or in none: the sentence level has judged that.
    """
    spans = {value.span for value in sentence.clause.values}
    if GroundingLevel.SENTENCE in material.levels:
        spans = {span for span in spans if any(says_the_rest(one, sentence, span) for one in read.readings)}
    if not spans:
        return ()  # and no pair is put to the model
    threshold = THRESHOLDS[material.strictness].entity
    entities = await unsupported_entities(sentence, read, absent, material.library, models, threshold)
    return tuple(entity for entity in entities if entity.value.span in spans)


def _fail_as_entities(
    entities: tuple[EntityReading, ...], read: SourceReading, assessment: Assessment
) -> Failure | None:
    if not entities:
        return None
    return Failure(
        GroundingLevel.ENTITY,
        Verdict.NOT_IN_SOURCE,
        1 - assessment.supported,
        read.nearest,
        absent=tuple(entity.value for entity in entities if entity.given is None),
        entities=tuple(entity for entity in entities if entity.given is not None),
    )
