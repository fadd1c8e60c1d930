"""The quotes that bear out a sentence: single sentences of a source wherever a few of them are enough."""

from __future__ import annotations

from collections.abc import Sequence

from ..comparing.sentence import ComparableSentence
from ..grounding.local_reading import LEAST_OVERLAP, SourceReading, restated
from ..local_models.process import LocalModels
from ..sources.library import SourceSentence
from ..types import Evidence, NliPair, SourceText, Span, Verdict
from .judgement import Failure, Judgement

#: From this entailment on, a source supports a sentence.
LEAST_ENTAILMENT = 0.5
#: A passage with a smaller share of the sentence's words is off topic, whatever the model's score.
_LEAST_COVER = 0.5
#: So many sentences of a passage are read together, those nearest to the sentence.
_MOST_TOGETHER = 5

#: How much a span of a source entails the sentence.
Support = tuple[float, SourceText, Span]


async def supporting_evidence(
    judgement: Judgement, sentence: ComparableSentence, models: LocalModels
) -> tuple[Evidence, ...]:
    """For a sentence that passed: the supporting quotes of each source, best first.

    If no source clearly supports it, the nearest source sentence.
    """
    read = judgement.read
    quotes = support_by_source(read) if judgement.verdict is Verdict.SUPPORTED else []
    if quotes:
        narrowed = [one for quote in quotes for one in await _narrowed(quote, read, sentence, models)]
        return tuple(quote_of(source, span, score) for score, source, span in narrowed)
    nearest = read.nearest
    if nearest is None:
        return ()
    return (quote_of(nearest.sentence.source, nearest.sentence.span, nearest.score.entailment),)


async def _narrowed(
    quote: Support, read: SourceReading, sentence: ComparableSentence, models: LocalModels
) -> list[Support]:
    """The few sentences of a passage that together support the sentence; the passage if it takes more than these.

    A passage may be a whole short source, and a quote of it would tell nothing.
    """
    _, source, span = quote
    inside = {one.span: one for one in read.sentences if one.source.id == source.id and span.contains(one.span)}
    if span in inside:
        return [quote]
    ranked = sorted(inside.values(), key=lambda one: one.sentence.overlap(sentence), reverse=True)
    needed = [one for one in ranked[:_MOST_TOGETHER] if one.sentence.overlap(sentence) > 0]
    score = await _joint_entailment(needed, sentence, models)
    if score < LEAST_ENTAILMENT:
        return [quote]
    for one in reversed(list(needed)):
        rest = [other for other in needed if other is not one]
        of_rest = await _joint_entailment(rest, sentence, models)
        if of_rest >= LEAST_ENTAILMENT:
            needed, score = rest, of_rest
    return [(score, source, place) for place in sorted((one.span for one in needed), key=lambda place: place.start)]


async def _joint_entailment(
    sources: Sequence[SourceSentence], sentence: ComparableSentence, models: LocalModels
) -> float:
    """How much source sentences entail the sentence together."""
    if not sources:
        return 0.0
    in_order = sorted(sources, key=lambda source: source.span.start)
    premise = " ".join(dict.fromkeys(source.premise for source in in_order))
    (score,) = await models.score([NliPair(premise, restated(sentence, in_order))])
    return score.entailment


def support_by_source(read: SourceReading) -> list[Support]:
    """The most entailing sentence of each source, or else its passage; best first."""
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
    best: dict[str, Support] = {}
    for candidates in (sentences, passages):
        of_kind: dict[str, Support] = {}
        for candidate in sorted(candidates, key=lambda candidate: candidate[0], reverse=True):
            if candidate[0] >= LEAST_ENTAILMENT:
                of_kind.setdefault(candidate[1].id, candidate)
        best = of_kind | best
    return sorted(best.values(), key=lambda candidate: candidate[0], reverse=True)


def quote_of(source: SourceText, span: Span, score: float, conflict: tuple[Span, ...] = ()) -> Evidence:
    return Evidence(span.of(source.text), span, source=source.id, conflict=conflict, score=round(score, 3))


def defender(failure: Failure, read: SourceReading) -> tuple[SourceText, Span] | None:
    """Another source and its span that support the conflicting sentence; None if there is none."""
    if failure.verdict is not Verdict.CONFLICTS_WITH_SOURCE or failure.reading is None:
        return None
    conflicting = failure.reading.sentence.source.id
    others = ((source, span) for _, source, span in support_by_source(read) if source.id != conflicting)
    return next(others, None)
