"""METHODS B with the local models: the sentence level judges, and the entity level names words where it names none."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from ..comparing.sentence import ComparableSentence
from ..grounding.features import source_features
from ..grounding.figure_exchange import telling_exchange
from ..grounding.local_entity import EntityReading, unsupported_entities
from ..grounding.local_reading import Reading, SourceReading, read_for
from ..grounding.local_sentence import Clash, Refutation, absent_values, refutation_of, says_the_rest
from ..grounding.slot_reading import Place, SlotClash, clash_of_slots
from ..local_models.decision import CERTAIN_SUPPORT, Assessment, Decision
from ..local_models.process import LocalModels
from ..ports import Material
from ..rewriting.rewrites import SourceConflict
from ..rules.alignment import ValueConflict
from ..rules.base import Family, Relation, Value
from ..thresholds import THRESHOLDS, Thresholds
from ..types import UNREAD, FindingKind, GroundingLevel, Verdict

#: From this contradiction probability on, a sentence without clashing words is a conflict. On five sets of summaries to
#: which nothing is fitted (2,057 sentences) that names 273 sentences, 237 of them correctly; from 0.5 on 209 of 237.
_CONFLICT = 0.45

#: From this score on, clashing values are a conflict whatever the decision says: of 32 such sentences among 2,845 in
#: four sets of summaries 31 are wrong, and the decision doubts only 23 of these. From 0.85 on 35 of 41 are wrong.
_CERTAIN_CLASH = 0.9

#: Slots are read where the decision gives less than this for support. Of 2,280 sentences of six sets of summaries only
#: one more conflict is found if all slots are read, which takes two and a half times as many readings.
_DOUBTED = 0.8
#: From this lead of a clash of slots on (log odds), the figure of the source is a conflict. Of 2,845 sentences of four
#: sets to which the decision gives 0.55 to 0.8, that names 15 conflicts and one false one; 1.5 would name 19 and 3.
_LEAD = 1.75


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a sentence fails a level. ``confidence`` is the confidence in the verdict, 0 to 1."""

    level: GroundingLevel
    verdict: Verdict
    confidence: float
    reading: Reading | None
    """The source sentence behind the verdict."""
    clashes: tuple[Clash, ...] = ()
    """The clashing words, the decisive ones first; none if only the model reports a contradiction."""
    absent: tuple[Value, ...] = ()
    """The names and values that no source contains; with a clash only the figures."""
    entities: tuple[EntityReading, ...] = ()
    """The names and values about which the sources do not support the sentence."""

    @property
    def kind(self) -> FindingKind:
        is_conflict = self.verdict is Verdict.CONFLICTS_WITH_SOURCE
        return FindingKind.CONFLICTS_WITH_SOURCE if is_conflict else FindingKind.NOT_IN_SOURCE

    @property
    def lacks_words(self) -> bool:
        """Whether it is a conflict of which neither clashing values nor misplaced names are known."""
        return self.kind is FindingKind.CONFLICTS_WITH_SOURCE and not self.clashes and not self.entities

    @property
    def conflicts(self) -> list[SourceConflict]:
        """What to correct: the clashes as the rewriting takes them."""
        return [
            SourceConflict(clash.reading.sentence.sentence, clash.conflict, clash.is_of_one_slot)
            for clash in self.clashes
        ]


@dataclass(frozen=True, slots=True)
class Judgement:
    """The result of comparing a sentence with the sources. ``absent`` are its values that no source contains.

    ``failure`` is None if the sentence passes. There is at most one: the sentence level judges, and the entity level
    names the words that the source has elsewhere; without the sentence level it judges.
    """

    verdict: Verdict
    assessment: Assessment
    read: SourceReading
    absent: tuple[Value, ...]
    failure: Failure | None = None


async def judge(material: Material, models: LocalModels, index: int, sentence: ComparableSentence) -> Judgement:
    """Compare a wording of the sentence at ``index`` of the text with the sources."""
    thresholds = THRESHOLDS[material.strictness]
    read = await _read(material, models, index, sentence)
    absent = absent_values(material.library, read, sentence)
    refutation = refutation_of(sentence, read.readings, absent)
    is_refuted = refutation is not None and refutation.score >= thresholds.conflict
    is_copied = read.has_copy_of(sentence)
    if is_copied and not is_refuted:
        return Judgement(Verdict.SUPPORTED, CERTAIN_SUPPORT, read, absent=())
    assessment = _assess(sentence, read, absent, models)
    failure = None
    if GroundingLevel.SENTENCE in material.levels:
        failure = _fail_as_sentence(thresholds, sentence, read, absent, refutation, assessment, is_copied=is_copied)
        if not is_copied and assessment.supported < _DOUBTED:
            slots = await clash_of_slots(sentence, read, models)
            if slots is not None and slots.lead >= _LEAD:
                failure = _with_slots(failure, slots, sentence, read)
        if not is_copied and (failure is None or not failure.clashes):
            support = partial(support_of, material, models, index)
            exchange = await telling_exchange(sentence, read, absent, assessment.supported, support, models)
            if exchange is not None:
                failure = _fail_by_figure(exchange.place, exchange.lead, sentence, read)
    if GroundingLevel.ENTITY in material.levels and _needs_entities(failure, material):
        entities = await _unsupported_entities(material, models, sentence, read, absent)
        failure = _with_entities(failure, entities) if failure else _fail_as_entities(entities, read, assessment)
    if failure is not None and failure.verdict is Verdict.NOT_IN_SOURCE and sentence.parsed.is_instruction:
        failure = None  # instructions need no source
    if failure is not None:
        return Judgement(failure.verdict, assessment, read, absent, failure)
    is_supported = assessment.supported >= thresholds.supported
    return Judgement(Verdict.SUPPORTED if is_supported else Verdict.UNSURE, assessment, read, absent)


async def support_of(material: Material, models: LocalModels, index: int, sentence: ComparableSentence) -> float:
    """The probability that the sources support a wording of the sentence at ``index`` of the text."""
    read = await _read(material, models, index, sentence)
    return _assess(sentence, read, absent_values(material.library, read, sentence), models).supported


async def _read(material: Material, models: LocalModels, index: int, sentence: ComparableSentence) -> SourceReading:
    """A wording of the sentence at ``index`` beside the sources. The previous sentence may resolve its pronoun."""
    context = material.sentences[index - 1].text if index > 0 and sentence.leans_on_previous else ""
    return await read_for(sentence, material.library, models, context)


def _assess(
    sentence: ComparableSentence, read: SourceReading, absent: Sequence[Value], models: LocalModels
) -> Assessment:
    return Assessment(*models.decision(Decision.OF_SOURCES).shares(source_features(sentence, read, absent)))


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
    """``is_copied``: one source has the sentence word for word, so that only another source can refute it."""
    is_doubtful = assessment.supported < thresholds.absent
    counts = is_doubtful or is_copied or (refutation is not None and _is_certain(sentence, refutation))
    # Without clashing words the decision judges: a contradiction that only the model sees in one sentence was wrong in
    # 9 of 14 cases.
    by_values = refutation if refutation is not None and refutation.clashes else None
    if not is_copied:
        refutation = by_values
    if refutation is not None and refutation.score >= thresholds.conflict and counts:
        clashes = refutation.clashes_from(thresholds.conflict)
        clashing = {clash.conflict.hypothesis.span for clash in clashes}
        # An absent name may be a synonym; an absent figure may not.
        figures = (value for value in absent if value.family is not Family.NAME)
        return Failure(
            GroundingLevel.SENTENCE,
            Verdict.CONFLICTS_WITH_SOURCE,
            refutation.score,
            refutation.reading,
            clashes,
            absent=tuple(value for value in figures if value.span not in clashing),
        )
    if not is_doubtful:
        return None
    doubt = 1 - assessment.supported
    if read.most_opposed is not None and assessment.contradicted >= _CONFLICT:
        return Failure(GroundingLevel.SENTENCE, Verdict.CONFLICTS_WITH_SOURCE, doubt, read.most_opposed, absent=absent)
    return Failure(GroundingLevel.SENTENCE, Verdict.NOT_IN_SOURCE, doubt, read.nearest, absent=absent)


def _with_slots(
    failure: Failure | None, slots: SlotClash, sentence: ComparableSentence, read: SourceReading
) -> Failure:
    """A conflict by rules whose clash the slots confirm, or the conflict of the slots."""
    if failure is None or failure.verdict is not Verdict.CONFLICTS_WITH_SOURCE:
        return _fail_by_figure(slots.place, slots.lead, sentence, read)
    clashes = (replace(clash, is_of_one_slot=_is_clash_of(slots, clash)) for clash in failure.clashes)
    return replace(failure, clashes=tuple(clashes))


def _is_clash_of(slots: SlotClash, clash: Clash) -> bool:
    conflict = clash.conflict
    place = slots.place
    return conflict.hypothesis.span == place.value.span and conflict.premise.relation_to(place.given) is Relation.SAME


def _fail_by_figure(place: Place, lead: float, sentence: ComparableSentence, read: SourceReading) -> Failure:
    """The conflict with a source sentence that gives another figure for the same slot. ``lead`` is in log odds."""
    reading = next(
        (one for one in read.readings if one.sentence.place == place.source.place),
        Reading(place.source, place.source.sentence.overlap(sentence), UNREAD),
    )
    certainty = 1 / (1 + math.exp(-lead))
    clash = Clash(reading, ValueConflict(place.given, place.value, certainty), is_of_one_slot=True)
    return Failure(GroundingLevel.SENTENCE, Verdict.CONFLICTS_WITH_SOURCE, certainty, reading, (clash,))


def _is_certain(sentence: ComparableSentence, refutation: Refutation) -> bool:
    """Whether clashing words overrule the decision: the source states the same except for them, or they are clear."""
    clash = refutation.conflict
    if clash is None:
        return False
    return refutation.score >= _CERTAIN_CLASH or says_the_rest(refutation.reading, sentence, clash.hypothesis.span)


def _needs_entities(failure: Failure | None, material: Material) -> bool:
    """Whether names and values are looked up: without the sentence level to judge by them, else to name wrong words.

    In four sets of summaries to which nothing is fitted, 12 of the 13 sentences that only they doubted were faithful.
    """
    if GroundingLevel.SENTENCE not in material.levels:
        return True
    return failure is not None and not failure.clashes


async def _unsupported_entities(
    material: Material,
    models: LocalModels,
    sentence: ComparableSentence,
    read: SourceReading,
    absent: tuple[Value, ...],
) -> tuple[EntityReading, ...]:
    """The unsupported names and values; with the sentence level enabled, only those of near-copies.

    In freely worded sentences their place in the source is no evidence; the sentence level has judged these.
    """
    spans = {value.span for value in sentence.clause.values}
    if GroundingLevel.SENTENCE in material.levels:
        spans = {span for span in spans if any(says_the_rest(one, sentence, span) for one in read.readings)}
    if not spans:
        return ()
    threshold = THRESHOLDS[material.strictness].entity
    entities = await unsupported_entities(sentence, read, absent, material.library, models, threshold)
    return tuple(entity for entity in entities if entity.value.span in spans)


def _with_entities(failure: Failure, entities: Sequence[EntityReading]) -> Failure:
    """The failure with the names and values that the sources have elsewhere, if any.

    Of a conflict, those that the opposed source sentence has, too, are not the wrong words.
    """
    found = [entity for entity in entities if entity.given is not None]
    if failure.verdict is Verdict.CONFLICTS_WITH_SOURCE and failure.reading is not None:
        opposed = failure.reading.sentence.sentence.clause.values
        found = [one for one in found if not any(other.relation_to(one.value).agrees for other in opposed)]
    if not found:
        return failure
    absent = tuple(entity.value for entity in entities if entity.given is None)
    return replace(failure, level=GroundingLevel.ENTITY, absent=absent, entities=tuple(found))


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
