"""Suggestions for a sentence that fails against the sources: corrections, shorter wordings, and its removal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial

from ..comparing.sentence import ComparableSentence
from ..grounding.local_sentence import Clash
from ..grounding.opposite_exchange import supported_opposite
from ..labels import SuggestionLabel
from ..local_models.decision import Assessment
from ..local_models.process import LocalModels
from ..ports import DetectionRequest
from ..rewriting.rewrites import (
    Correction,
    SourceConflict,
    corrected,
    proposal,
    removal_of,
    rewrites_of_source_conflict,
)
from ..rewriting.shortening import shortenings
from ..rules.antonyms import OppositeWording
from ..rules.base import Family, Relation, Value
from ..types import FindingKind, NliPair, Span, Suggestion, Verdict
from .judgement import Failure, Judgement, judge, support_of
from .support import defender

_MOST_CORRECTIONS = 3
#: Corrections with less support are not offered.
_LEAST_SUPPORT = 0.5
#: Corrections are offered where the conflict is this certain, or where the NLI model sees a contradiction with the same
#: source sentence from this probability on. Of 25 corrections for 264 summaries all 21 of these were right, and none of
#: the others.
_LEAST_CERTAINTY = 0.82
_LEAST_CONTRADICTION = 0.5
#: A phrase is left out if a source sentence entails the rest with this probability, and the sources support the rest.
#: Of 402 conflicts in six sets of summaries 16 get such a wording, and a reader finds all of them true.
_LEAST_ENTAILMENT_OF_REST = 0.9


@dataclass(frozen=True, slots=True)
class WordChange:
    """The opposite of a sentence, and the suggestion of it."""

    opposite: OppositeWording
    suggestion: Suggestion


async def word_change(
    request: DetectionRequest,
    models: LocalModels,
    sentence: ComparableSentence,
    failure: Failure,
    assessment: Assessment,
) -> WordChange | None:
    """The wrong words of a conflict whose words are unknown, if the sources support the opposite of the sentence and
    that can be worded.
    """
    if not failure.lacks_words or failure.reading is None:
        return None
    support = partial(support_of, request.material, models, sentence.parsed.sentence.index)
    premise = failure.reading.sentence.premise
    opposite = await supported_opposite(sentence, premise, assessment.supported, support, models)
    if opposite is None:
        return None
    label = SuggestionLabel.NEGATE if opposite.is_negation else SuggestionLabel.CHANGE_WORD
    suggestion = await proposal(sentence, opposite.text, label.of(), request.recheck, fixes=failure.kind)
    return WordChange(opposite, suggestion) if suggestion is not None else None


async def suggestions_of_failure(
    request: DetectionRequest,
    models: LocalModels,
    sentence: ComparableSentence,
    failure: Failure,
    judgement: Judgement,
    wrong: Span | None,
) -> list[Suggestion]:
    """The correction of a conflict, or the sentence without the words in conflict, and its removal.

    What the sources are merely silent about may be true, so nothing but a removal of the sentence is offered there.
    ``wrong`` is the span of the wrong words, if known.
    """
    offered = await _corrections_offered(request, models, sentence, failure, judgement)
    if not offered and failure.verdict is Verdict.CONFLICTS_WITH_SOURCE:
        shortened = await _shortened(request, models, sentence, failure, judgement, wrong)
        offered = [shortened] if shortened is not None else []
    return [*offered, removal_of(sentence)]


async def _shortened(
    request: DetectionRequest,
    models: LocalModels,
    sentence: ComparableSentence,
    failure: Failure,
    judgement: Judgement,
    wrong: Span | None,
) -> Suggestion | None:
    """The sentence without a phrase, if a source sentence entails the rest and the sources support it."""
    wordings = [one.wording for one in shortenings(sentence) if wrong is None or one.span.contains(wrong)]
    near = {reading.sentence.place: reading for reading in (failure.reading, judgement.read.nearest) if reading}
    tried = [(reading, wording) for reading in near.values() for wording in wordings]
    scores = await models.score([NliPair(reading.sentence.premise, wording) for reading, wording in tried])
    entailed = [(score.entailment, wording) for score, (_, wording) in zip(scores, tried, strict=True)]
    entailment, wording = max(entailed, default=(0.0, ""))
    if entailment < _LEAST_ENTAILMENT_OF_REST:
        return None
    changed = await request.recheck.parsed(wording)
    if changed is None:
        return None
    rest = await judge(request.material, models, sentence.parsed.sentence.index, changed)
    if rest.verdict is not Verdict.SUPPORTED:
        return None
    return await proposal(sentence, wording, SuggestionLabel.REMOVE_WORDS.of(), request.recheck, fixes=failure.kind)


async def _corrections_offered(
    request: DetectionRequest,
    models: LocalModels,
    sentence: ComparableSentence,
    failure: Failure,
    judgement: Judgement,
) -> list[Suggestion]:
    """The correction of a conflict, if one holds; none for an unstated sentence, whose correct wording is unknown."""
    if failure.verdict is not Verdict.CONFLICTS_WITH_SOURCE or failure.reading is None:
        return []
    is_seen_by_model = failure.reading.score.contradiction >= _LEAST_CONTRADICTION
    if failure.confidence < _LEAST_CERTAINTY and not is_seen_by_model:
        return []
    repeated = _give_wrong_value(request, sentence, failure)
    repeats = await _repeats(request, models, failure, repeated)
    # Where other sentences give the old value and no source speaks against them, the text would contradict itself.
    is_disputed = bool(repeated.keys() - repeats) or _is_disputed_by_sources(failure, judgement)
    corrections = [
        replace(correction, is_doubtful=correction.is_doubtful or is_disputed, repeats=repeats)
        for correction in await _corrections(request, models, sentence, failure)
    ]
    offered = await rewrites_of_source_conflict(sentence, corrections, request.recheck)
    return [one for one in offered if one.replacement]


def _give_wrong_value(
    request: DetectionRequest, sentence: ComparableSentence, failure: Failure
) -> dict[int, ComparableSentence]:
    """The other sentences of the text that give one of the clashing values, by index."""
    return {
        index: other
        for index, other in enumerate(request.material.sentences)
        if index != sentence.parsed.sentence.index and _shares(failure, other.clause.values)
    }


def _shares(failure: Failure, values: Iterable[Value]) -> bool:
    """Whether one of the values is one that clashes in ``failure``."""
    wrong = [clash.conflict.hypothesis for clash in failure.clashes]
    return any(value.relation_to(one) is Relation.SAME for value in values for one in wrong)


async def _repeats(
    request: DetectionRequest, models: LocalModels, failure: Failure, repeated: Mapping[int, ComparableSentence]
) -> frozenset[int]:
    """Those of the sentences in which the same value clashes with the sources, so that each is corrected by itself."""
    found = set()
    for index, other in repeated.items():
        if not other.is_comparable or not await request.recheck.has(index, other, FindingKind.CONFLICTS_WITH_SOURCE):
            continue
        judged = await judge(request.material, models, index, other)
        clashes = judged.failure.clashes if judged.failure else ()
        if _shares(failure, [clash.conflict.hypothesis for clash in clashes]):
            found.add(index)
    return frozenset(found)


def _is_disputed_by_sources(failure: Failure, judgement: Judgement) -> bool:
    """Whether a source bears out the old value, or contains it in any context."""
    return defender(failure, judgement.read) is not None or _is_given(failure, judgement)


def _is_given(failure: Failure, judgement: Judgement) -> bool:
    """Whether the sources contain one of the clashing values in any context; then it may be correct."""
    absent = {value.span for value in judgement.absent}
    clashing = (clash.conflict.hypothesis for clash in failure.clashes)
    return any(value.family is not Family.OPPOSITE and value.span not in absent for value in clashing)


async def _corrections(
    request: DetectionRequest, models: LocalModels, sentence: ComparableSentence, failure: Failure
) -> list[Correction]:
    """Correct the sentence with the values of the source, as many as possible first.

    This includes values that clash only after the first corrections.
    """
    index, wording = sentence.parsed.sentence.index, sentence
    made: list[SourceConflict] = []
    found: list[Correction] = []
    for _ in range(_MOST_CORRECTIONS):
        if any(_may_be_another_name(request, clash) for clash in failure.clashes):
            break
        conflicts = failure.conflicts
        changed = corrected(wording, conflicts)
        if changed is None or changed == wording.text:
            break
        made += conflicts
        found.append(Correction(changed, tuple(made)))
        parsed = await request.recheck.parsed(changed)
        if parsed is None:
            break
        wording = parsed
        judgement = await judge(request.material, models, index, wording)
        if _is_hardly_supported(judgement):
            found.pop()  # a wrong rewrite is worse than none
            break
        found[-1] = replace(found[-1], is_doubtful=bool(judgement.absent))
        if judgement.failure is None:
            break
        failure = judgement.failure
    return found[::-1]


def _is_hardly_supported(judgement: Judgement) -> bool:
    """Whether a corrected sentence passes without support, as an instruction does."""
    return judgement.failure is None and judgement.assessment.supported < _LEAST_SUPPORT


def _may_be_another_name(request: DetectionRequest, clash: Clash) -> bool:
    """Whether the sources contain the name, too: it may be a synonym, or intended."""
    name = clash.conflict.hypothesis
    return name.family is Family.NAME and request.material.library.mentions(name.text)
