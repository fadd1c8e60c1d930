"""Findings for sentences that the local models compared with the sources."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..comparing.sentence import ComparableSentence
from ..findings import in_document, make_finding
from ..grounding.local_reading import LEAST_OVERLAP, SourceReading
from ..grounding.local_sentence import Clash
from ..local_models.process import LocalModels
from ..ports import DetectionRequest
from ..rewriting.rewrites import SourceConflict, corrected, rewrites_of_absence, rewrites_of_source_conflict
from ..rules.base import Value
from ..rules.numbers import is_vague
from ..sources.library import SourceSentence
from ..types import Evidence, Finding, FindingKind, GroundingLevel, ReadShare, SourceText, Span, Suggestion, Verdict
from .judgement import Failure, Judgement, judge

KINDS = {
    Verdict.CONFLICTS_WITH_SOURCE: FindingKind.CONFLICTS_WITH_SOURCE,
    Verdict.NOT_IN_SOURCE: FindingKind.NOT_IN_SOURCE,
}

#: From this entailment on a source says what the sentence says.
SAYS_SO = 0.5
#: A passage with a smaller share of the sentence's words speaks of something else, whatever the model says.
_LEAST_COVER = 0.5

_MOST_NAMED = 3
_MOST_CORRECTIONS = 3


async def finding_of(
    request: DetectionRequest, models: LocalModels, sentence: ComparableSentence, judgement: Judgement, detector: str
) -> Finding | None:
    """The finding for a sentence that failed; None for one that passed."""
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
        message=_message(failure),
        explanation=" ".join(_explanation(failure, judgement)),
        evidence=tuple(_evidence(failure)),
        detector=detector,
        suggestions=await _suggestions(request, models, sentence, failure, span),
    )


def supporting_evidence(judgement: Judgement) -> tuple[Evidence, ...]:
    """For a sentence that passed: what each source says that supports it, best first.

    Where no source says it clearly, the source sentence that comes nearest.
    """
    quotes = _support_by_source(judgement.read) if judgement.verdict is Verdict.SUPPORTED else []
    nearest = judgement.read.nearest
    if not quotes and nearest is not None:
        quotes = [(nearest.score.entailment, nearest.sentence.source, nearest.sentence.span)]
    return tuple(_quote(source, span, score) for score, source, span in quotes)


def _support_by_source(read: SourceReading) -> list[tuple[float, SourceText, Span]]:
    """The sentence of each source that says most clearly what the sentence says, or else its passage; best first."""
    sentences = [
        (item.score.entailment, item.sentence.source, item.sentence.span)
        for item in read.readings
        if item.overlap >= LEAST_OVERLAP
    ]
    passages = [
        (item.score.entailment, item.passage.source, item.passage.span)
        for item in read.passages
        if item.cover >= _LEAST_COVER
    ]
    best: dict[str, tuple[float, SourceText, Span]] = {}
    for candidates in (sentences, passages):
        of_kind: dict[str, tuple[float, SourceText, Span]] = {}
        for candidate in sorted(candidates, key=lambda candidate: candidate[0], reverse=True):
            if candidate[0] >= SAYS_SO:
                of_kind.setdefault(candidate[1].id, candidate)
        best = of_kind | best
    return sorted(best.values(), key=lambda candidate: candidate[0], reverse=True)


async def _suggestions(
    request: DetectionRequest, models: LocalModels, sentence: ComparableSentence, failure: Failure, span: Span | None
) -> list[Suggestion]:
    if failure.verdict is Verdict.CONFLICTS_WITH_SOURCE and failure.reading is not None:
        correction = await _correction(request, models, sentence, failure)
        error = failure.clashes[0].conflict.hypothesis if failure.clashes else None
        return await rewrites_of_source_conflict(sentence, correction, error, request.recheck)
    return await rewrites_of_absence(sentence, span, request.recheck)


async def _correction(
    request: DetectionRequest, models: LocalModels, sentence: ComparableSentence, failure: Failure
) -> str | None:
    """The sentence with the values of the source, also of what clashes only once the first values are right."""
    index, wording = sentence.parsed.sentence.index, sentence
    correction = None
    for _ in range(_MOST_CORRECTIONS):
        conflicts = [SourceConflict(clash.reading.sentence.sentence, clash.conflict) for clash in failure.clashes]
        changed = corrected(wording, conflicts)
        if changed is None or changed == wording.text:
            break
        correction = changed
        parsed = await models.parse(correction)
        if len(parsed.sentences) != 1:
            break
        wording = ComparableSentence(parsed.sentences[0])
        left = (await judge(request.material, models, index, wording)).failure
        if left is None:
            break
        failure = left
    return correction


def _named(failure: Failure) -> list[Value]:
    """The names and values that the failure is about, in order; no "several", which no source has to say."""
    values = [*failure.absent, *(entity.value for entity in failure.entities)]
    values = [value for value in values if not is_vague(value)]
    return sorted(values, key=lambda value: value.span)


def _wrong_words(failure: Failure) -> Span | None:
    """The words at fault, counted in the sentence; None when it is the sentence as a whole."""
    if failure.clashes:
        return failure.clashes[0].conflict.hypothesis.span
    named = _named(failure)
    return named[0].span if len(named) == 1 else None


def _message(failure: Failure) -> str:
    if failure.clashes:
        return " ".join(_of_clashes(failure.clashes))
    if failure.verdict is Verdict.CONFLICTS_WITH_SOURCE:
        return "The source says something else about this."
    named = _in_words(_named(failure))
    if named and failure.entities:
        return f"The source does not say this of {named}."
    if named:
        return f"The source does not mention {named}."
    return "Nothing in the source says this."


def _of_clashes(clashes: Sequence[Clash]) -> Iterator[str]:
    for number, clash in enumerate(clashes[:_MOST_NAMED]):
        theirs, own = clash.conflict.premise.text, clash.conflict.hypothesis.text
        if number == 0:
            yield f"The source says “{theirs}”, this sentence says “{own}”."
        else:
            yield f"It also says “{theirs}”, and this sentence “{own}”."


def _in_words(values: list[Value]) -> str:
    words = list(dict.fromkeys(f"“{value.text}”" for value in values[:_MOST_NAMED]))
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
    yield f"Support found in the source: {max(0.0, judgement.support):.2f} of 1."
    yield from _disagreement(failure, judgement.read)
    yield from _what_was_read(judgement.read.share)


def _disagreement(failure: Failure, read: SourceReading) -> Iterator[str]:
    """What another source says that supports a sentence which conflicts with this one."""
    if failure.verdict is not Verdict.CONFLICTS_WITH_SOURCE or failure.reading is None:
        return
    conflicting = failure.reading.sentence.source.id
    for _, source, span in _support_by_source(read):
        if source.id != conflicting:
            yield f"The sources disagree: “{source.name}” supports this sentence (“{span.of(source.text)}”)."
            return


def _what_was_read(share: ReadShare) -> Iterator[str]:
    if share.read < share.total:
        yield f"Of {share.total:,} passages the {share.read} nearest were read."


def _evidence(failure: Failure) -> Iterator[Evidence]:
    """What the verdict rests on: the closest sentence of the source, and where else it has the words at fault."""
    shown: set[tuple[str, Span]] = set()
    if failure.reading is not None:
        nearest = failure.reading.sentence
        shown.add(nearest.place)
        in_nearest = [clash.conflict for clash in failure.clashes if clash.reading is failure.reading]
        words = tuple(in_document(conflict.premise.span, nearest.sentence) for conflict in in_nearest)
        yield _quote(nearest.source, nearest.span, failure.confidence, words)
    for clash in failure.clashes:
        source = clash.reading.sentence
        if source.place not in shown:
            shown.add(source.place)
            words = (in_document(clash.conflict.premise.span, source.sentence),)
            yield _quote(source.source, source.span, clash.conflict.strength, words)
    for entity in failure.entities:
        if entity.given is not None and entity.given.place not in shown:
            shown.add(entity.given.place)
            yield _quote_of_words(entity.given, entity.value, entity.support)


def _quote_of_words(source: SourceSentence, value: Value, score: float) -> Evidence:
    """A source sentence, marked where it has the very words of the value."""
    start = source.text.find(value.text)
    if start < 0:
        return _quote(source.source, source.span, score)
    words = in_document(Span(start, start + len(value.text)), source.sentence)
    return _quote(source.source, source.span, score, (words,))


def _quote(source: SourceText, span: Span, score: float, conflict: tuple[Span, ...] = ()) -> Evidence:
    return Evidence(span.of(source.text), span, source=source.id, conflict=conflict, score=round(score, 3))
