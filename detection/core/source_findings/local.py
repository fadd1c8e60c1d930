"""Findings for sentences that the local models compared with the sources."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from ..comparing.sentence import ComparableSentence
from ..findings import in_document, make_finding
from ..grounding.local_reading import SourceReading
from ..grounding.local_sentence import Clash
from ..local_models.process import LocalModels
from ..messages import Message, MessageCode
from ..ports import DetectionRequest
from ..rewriting.rewrites import Correction, SourceConflict, corrected, removal_of, rewrites_of_source_conflict
from ..rules.base import Family, Relation, Value
from ..rules.numbers import is_vague
from ..rules.phrases import phrase_at
from ..sources.library import SourceSentence
from ..types import Evidence, Finding, FindingKind, GroundingLevel, ReadShare, SourceText, Span, Suggestion, Verdict
from .judgement import Failure, Judgement, judge
from .support import quote_of, support_by_source

KINDS = {
    Verdict.CONFLICTS_WITH_SOURCE: FindingKind.CONFLICTS_WITH_SOURCE,
    Verdict.NOT_IN_SOURCE: FindingKind.NOT_IN_SOURCE,
}

_MOST_NAMED = 3
_MOST_CORRECTIONS = 3
#: Corrections with less support are not offered.
_LEAST_SUPPORT = 0.5
#: Corrections are offered where the conflict is this certain, or where the NLI model sees a contradiction with the same
#: source sentence from this probability on. Of 25 corrections for 264 summaries all 21 of these were right, and none of
#: the others.
_LEAST_CERTAINTY = 0.82
_LEAST_CONTRADICTION = 0.5


async def finding_of(
    request: DetectionRequest, models: LocalModels, sentence: ComparableSentence, judgement: Judgement, detector: str
) -> Finding | None:
    """The finding for a failed sentence; None for a passed one."""
    failure = judgement.failure
    if failure is None:
        return None
    span = _wrong_words(failure)
    return make_finding(
        sentence,
        span=in_document(span, sentence) if span else sentence.parsed.sentence.span,
        kind=KINDS[failure.verdict],
        verdict=failure.verdict,
        score=failure.confidence,
        message=_message(failure, judgement.absent, sentence),
        explanation=" ".join(_explanation(failure, judgement)),
        evidence=tuple(_evidence(failure)),
        detector=detector,
        suggestions=await _suggestions(request, models, sentence, failure, judgement),
    )


async def _suggestions(
    request: DetectionRequest,
    models: LocalModels,
    sentence: ComparableSentence,
    failure: Failure,
    judgement: Judgement,
) -> list[Suggestion]:
    """Corrections of a conflict; for an unstated sentence only its removal, because the correct wording is unknown."""
    if failure.verdict is not Verdict.CONFLICTS_WITH_SOURCE or failure.reading is None:
        return [removal_of(sentence)]
    is_seen_by_model = failure.reading.score.contradiction >= _LEAST_CONTRADICTION
    if failure.confidence < _LEAST_CERTAINTY and not is_seen_by_model:
        return [removal_of(sentence)]
    repeated = _give_wrong_value(request, sentence, failure)
    repeats = await _repeats(request, repeated)
    # Where other sentences give the old value and no source speaks against them, the text would contradict itself.
    is_disputed = bool(repeated.keys() - repeats) or _is_disputed_by_sources(failure, judgement)
    corrections = [
        replace(correction, is_doubtful=correction.is_doubtful or is_disputed, repeats=repeats)
        for correction in await _corrections(request, models, sentence, failure)
    ]
    return await rewrites_of_source_conflict(sentence, corrections, request.recheck)


def _give_wrong_value(
    request: DetectionRequest, sentence: ComparableSentence, failure: Failure
) -> dict[int, ComparableSentence]:
    """The other sentences of the text that give one of the clashing values, by index."""
    wrong = [clash.conflict.hypothesis for clash in failure.clashes]
    return {
        index: other
        for index, other in enumerate(request.material.sentences)
        if index != sentence.parsed.sentence.index
        and any(value.relation_to(one) is Relation.SAME for value in other.clause.values for one in wrong)
    }


async def _repeats(request: DetectionRequest, repeated: Mapping[int, ComparableSentence]) -> frozenset[int]:
    """Those of the sentences that conflict with the sources as well."""
    found = set()
    for index, other in repeated.items():
        if other.is_comparable and await request.recheck.has(index, other, FindingKind.CONFLICTS_WITH_SOURCE):
            found.add(index)
    return frozenset(found)


def _is_disputed_by_sources(failure: Failure, judgement: Judgement) -> bool:
    """Whether a source bears out the old value, or contains it in any context."""
    return _defender(failure, judgement.read) is not None or _is_given(failure, judgement)


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
        parsed = await models.parse(changed)
        if len(parsed.sentences) != 1:
            break
        wording = ComparableSentence(parsed.sentences[0])
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


def _named(failure: Failure) -> list[Value]:
    """The names and values that the failure is about, in order, without vague ones ("several")."""
    values = [*failure.absent, *(entity.value for entity in failure.entities)]
    values = [value for value in values if not is_vague(value)]
    return sorted(values, key=lambda value: value.span)


def _wrong_words(failure: Failure) -> Span | None:
    """The span of the wrong words in the sentence; None for the whole sentence."""
    if failure.clashes:
        return failure.clashes[0].conflict.hypothesis.span
    named = _named(failure)
    return named[0].span if len(named) == 1 else None


def _message(failure: Failure, absent: Sequence[Value], sentence: ComparableSentence) -> Message:
    named = _texts(_named(failure))
    if failure.clashes:
        lacking = [MessageCode.SOURCE_LACKS_WORDS.of(words=named)] if named else []
        return Message.joined([*_of_clashes(failure.clashes, sentence), *lacking])
    if named and failure.entities:
        return MessageCode.SOURCE_SAYS_NOT_OF.of(words=named)
    if failure.verdict is Verdict.CONFLICTS_WITH_SOURCE:
        unknown = _texts([value for value in absent if not is_vague(value)])
        lacking = [MessageCode.SOURCE_LACKS_WORDS.of(words=unknown)] if unknown else []
        return Message.joined([MessageCode.SOURCE_SAYS_OTHERWISE.of(), *lacking])
    if named:
        return MessageCode.SOURCE_LACKS_WORDS.of(words=named)
    return MessageCode.SOURCE_IS_SILENT.of()


def _of_clashes(clashes: Sequence[Clash], sentence: ComparableSentence) -> Iterator[Message]:
    for number, clash in enumerate(clashes[:_MOST_NAMED]):
        code = MessageCode.SOURCE_SAYS_TOO if number else MessageCode.SOURCE_SAYS
        theirs = phrase_at(clash.reading.sentence.sentence.clause, clash.conflict.premise.span)
        yield code.of(theirs=theirs, own=phrase_at(sentence.clause, clash.conflict.hypothesis.span))


def _texts(values: Sequence[Value]) -> tuple[str, ...]:
    """The texts of the first values, without duplicates."""
    return tuple(dict.fromkeys(value.text for value in values[:_MOST_NAMED]))


def _in_words(values: Sequence[Value]) -> str:
    words = [f"“{text}”" for text in _texts(values)]
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def _explanation(failure: Failure, judgement: Judgement) -> Iterator[str]:
    if failure.clashes:
        reason = failure.clashes[0].conflict.reason
        yield f"The closest sentence of the source gives another value for the same thing: {reason}."
    elif failure.verdict is Verdict.CONFLICTS_WITH_SOURCE:
        yield "The NLI model reads the closest sentence of the source as a contradiction."
    elif failure.level is GroundingLevel.ENTITY:
        yield "The sentence reads like the source, but each name and value was looked up by itself."
        if failure.entities:
            given = _in_words([entity.value for entity in failure.entities])
            yield f"No source sentence that has {given} says this of it."
    else:
        yield "The passages of the source that are nearest to this sentence were read; none says it."
    if failure.level is GroundingLevel.SENTENCE and not failure.clashes:
        yield f"How likely the source bears the sentence out: {judgement.assessment.supported:.0%}."
    yield from _disagreement(failure, judgement.read)
    yield from _what_was_read(judgement.read.share)


def _disagreement(failure: Failure, read: SourceReading) -> Iterator[str]:
    """Explain that another source supports the conflicting sentence."""
    defender = _defender(failure, read)
    if defender is not None:
        source, span = defender
        yield f"The sources disagree: “{source.name}” supports this sentence (“{span.of(source.text)}”)."


def _defender(failure: Failure, read: SourceReading) -> tuple[SourceText, Span] | None:
    """Another source and its span that support the conflicting sentence; None if there is none."""
    if failure.verdict is not Verdict.CONFLICTS_WITH_SOURCE or failure.reading is None:
        return None
    conflicting = failure.reading.sentence.source.id
    others = ((source, span) for _, source, span in support_by_source(read) if source.id != conflicting)
    return next(others, None)


def _what_was_read(share: ReadShare) -> Iterator[str]:
    if share.read < share.total:
        yield f"Of {share.total:,} passages the {share.read} nearest were read."


def _evidence(failure: Failure) -> Iterator[Evidence]:
    """The evidence of the verdict: the closest source sentence, and other source sentences with the wrong words."""
    shown: set[tuple[str, Span]] = set()
    if failure.reading is not None:
        nearest = failure.reading.sentence
        shown.add(nearest.place)
        in_nearest = [clash.conflict for clash in failure.clashes if clash.reading is failure.reading]
        words = tuple(in_document(conflict.premise.span, nearest.sentence) for conflict in in_nearest)
        yield quote_of(nearest.source, nearest.span, failure.confidence, words)
    for clash in failure.clashes:
        source = clash.reading.sentence
        if source.place not in shown:
            shown.add(source.place)
            words = (in_document(clash.conflict.premise.span, source.sentence),)
            yield quote_of(source.source, source.span, clash.conflict.strength, words)
    for entity in failure.entities:
        if entity.given is not None and entity.given.place not in shown:
            shown.add(entity.given.place)
            yield _quote_of_words(entity.given, entity.value, entity.support)


def _quote_of_words(source: SourceSentence, value: Value, score: float) -> Evidence:
    """A source sentence, with the exact words of the value marked."""
    start = source.text.find(value.text)
    if start < 0:
        return quote_of(source.source, source.span, score)
    words = in_document(Span(start, start + len(value.text)), source.sentence)
    return quote_of(source.source, source.span, score, (words,))
