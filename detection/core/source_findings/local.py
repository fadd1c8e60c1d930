"""Findings for sentences that the local models compared with the sources."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ..comparing.sentence import ComparableSentence
from ..findings import in_document, make_finding
from ..grounding.local_reading import SourceReading, most_telling
from ..grounding.local_sentence import Clash
from ..local_models.process import LocalModels
from ..messages import Message, MessageCode
from ..ports import DetectionRequest
from ..rewriting.rewrites import removal_of
from ..rules.base import Value
from ..rules.numbers import is_vague
from ..rules.phrases import phrase_at
from ..sources.library import SourceSentence
from ..types import Evidence, Finding, GroundingLevel, ReadShare, Span, Verdict
from .judgement import Failure, Judgement
from .suggestions import WordChange, suggestions_of_failure, word_change
from .support import defender, quote_of
from .wrong_words import contradicted_words

_MOST_NAMED = 3


async def finding_of(
    request: DetectionRequest, models: LocalModels, sentence: ComparableSentence, judgement: Judgement, detector: str
) -> Finding | None:
    """The finding for a failed sentence; None for a passed one."""
    failure = judgement.failure
    if failure is None:
        return None
    if failure.lacks_words:
        failure = replace(failure, reading=await most_telling(sentence, judgement.read, models))
    change = await word_change(request, models, sentence, failure, judgement.assessment)
    opposite = change.opposite if change is not None else None
    contradicted = opposite.own if opposite is not None and not opposite.is_negation else None
    if contradicted is None:
        contradicted = await _contradicted_words(models, sentence, failure)
    if contradicted is None and opposite is not None:
        contradicted = opposite.own  # the words of a denial say where, not always what is wrong
    span = contradicted or _wrong_words(failure)
    if change is not None:
        suggestions = [change.suggestion, removal_of(sentence)]
    else:
        suggestions = await suggestions_of_failure(request, models, sentence, failure, judgement, span)
    return make_finding(
        sentence,
        span=in_document(span, sentence) if span else sentence.parsed.sentence.span,
        kind=failure.kind,
        verdict=failure.verdict,
        score=failure.confidence,
        message=_message(failure, judgement.absent, sentence, contradicted),
        explanation=" ".join(_explanation(failure, judgement, sentence, contradicted, change)),
        evidence=tuple(_evidence(failure)),
        detector=detector,
        suggestions=suggestions,
    )


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


async def _contradicted_words(models: LocalModels, sentence: ComparableSentence, failure: Failure) -> Span | None:
    """The words that the source sentence contradicts, where neither clashing values nor misplaced names are known."""
    if not failure.lacks_words or failure.reading is None:
        return None
    return await contradicted_words(sentence, failure.reading.sentence.premise, failure.reading.score, models)


def _message(
    failure: Failure, absent: Sequence[Value], sentence: ComparableSentence, contradicted: Span | None
) -> Message:
    named = _texts(_named(failure))
    if failure.clashes:
        lacking = [MessageCode.SOURCE_LACKS_WORDS.of(words=named)] if named else []
        return Message.joined([*_of_clashes(failure.clashes, sentence), *lacking])
    if named and failure.entities:
        return MessageCode.SOURCE_SAYS_NOT_OF.of(words=named)
    if failure.verdict is Verdict.CONFLICTS_WITH_SOURCE:
        own = phrase_at(sentence.clause, contradicted) if contradicted is not None else ""
        says = MessageCode.SOURCE_CONTRADICTS_WORDS.of(own=own) if own else MessageCode.SOURCE_SAYS_OTHERWISE.of()
        unknown = _texts([value for value in absent if not is_vague(value) and value.text not in own])
        lacking = [MessageCode.SOURCE_LACKS_WORDS.of(words=unknown)] if unknown else []
        return Message.joined([says, *lacking])
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


def _explanation(
    failure: Failure,
    judgement: Judgement,
    sentence: ComparableSentence,
    contradicted: Span | None,
    change: WordChange | None,
) -> Iterator[str]:
    if failure.clashes:
        reason = failure.clashes[0].conflict.reason
        yield f"The closest sentence of the source gives another value for the same thing: {reason}."
    elif failure.verdict is Verdict.CONFLICTS_WITH_SOURCE:
        yield "The local model judges from what was read of the sources that they contradict the sentence."
        if change is not None:
            yield f"The sources support the opposite: “{change.suggestion.replacement}”"
        elif contradicted is not None:
            yield f"Without “{contradicted.of(sentence.text)}” the quoted sentence supports the rest."
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
    found = defender(failure, read)
    if found is not None:
        source, span = found
        yield f"The sources disagree: “{source.name}” supports this sentence (“{span.of(source.text)}”)."


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
