"""Findings for sentences that were corrected or left out while a text was written; each offers the first version."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..comparing.sentence import ComparableSentence
from ..findings import make_finding
from ..labels import SuggestionLabel
from ..messages import Message, MessageCode
from ..types import (
    Evidence,
    Finding,
    FindingKind,
    ParsedSentence,
    Sentence,
    Span,
    Suggestion,
    SuggestionMethod,
    Verdict,
    text_hash,
)
from .premise import PremiseCheck
from .repair import changed_words
from .types import Answer, SentenceState, ValidationMode, WrittenSentence

DETECTOR = "active_generation.v1"

#: The share of refuted concepts that are really wrong: the paper's precision (table 1b).
SCORES = {ValidationMode.SEARCH: 0.58, ValidationMode.SELF: 0.48}


@dataclass(frozen=True, slots=True)
class FoundWhileWriting:
    """A finding, and whether its reader has already decided to keep the text."""

    finding: Finding
    is_kept: bool = False


@dataclass(frozen=True, slots=True)
class _Placed:
    """A generated sentence and its position in the text; for an omitted one, the position where it would be."""

    written: WrittenSentence
    span: Span


def findings_of(
    written: Sequence[WrittenSentence],
    sentences: Sequence[Sentence],
    mode: ValidationMode,
    overridden: PremiseCheck | None = None,
) -> tuple[FoundWhileWriting, ...]:
    """The findings about the sentences of the complete text, after its segmentation.

    ``overridden`` is the premise check of a question that was answered despite its false premise.
    """
    if not sentences:
        return ()
    findings = []
    if overridden is not None and overridden.answer is Answer.NO:
        findings.append(FoundWhileWriting(_of_premise(overridden, sentences[0], SCORES[mode])))
    left_out: dict[int, list[WrittenSentence]] = {}
    for placed in _place(written):
        match placed.written.state:
            case SentenceState.REPAIRED:
                findings.append(FoundWhileWriting(_of_repair(placed, sentences, SCORES[mode])))
            case SentenceState.RESTORED:
                findings.append(FoundWhileWriting(_of_restored(placed, sentences, SCORES[mode]), is_kept=True))
            case SentenceState.LEFT_OUT:
                left_out.setdefault(_neighbour(placed.span, sentences), []).append(placed.written)
    findings += [
        FoundWhileWriting(_of_omission(gone, sentences[index], SCORES[mode])) for index, gone in left_out.items()
    ]
    return tuple(findings)


def _place(written: Sequence[WrittenSentence]) -> Iterator[_Placed]:
    position = 0
    for sentence in written:
        end = position + len(sentence.written)
        yield _Placed(sentence, Span(end - len(sentence.text), end))
        position = end


def _shared(one: Span, other: Span) -> int:
    return min(one.end, other.end) - max(one.start, other.start)


def _neighbour(place: Span, sentences: Sequence[Sentence]) -> int:
    """The sentence before the position; the first sentence for a position at the beginning."""
    before = [index for index, sentence in enumerate(sentences) if sentence.end <= place.start]
    return before[-1] if before else 0


def _of_repair(placed: _Placed, sentences: Sequence[Sentence], score: float) -> Finding:
    first = placed.written.first_version
    message = MessageCode.WRITTEN_FIRST.of(first=first)
    return _of_wording(placed, sentences, score, message, first, SuggestionLabel.USE_FIRST_VERSION)


def _of_restored(placed: _Placed, sentences: Sequence[Sentence], score: float) -> Finding:
    correction = placed.written.correction
    if correction:
        message = MessageCode.PUT_BACK.of(correction=correction)
        return _of_wording(placed, sentences, score, message, correction, SuggestionLabel.USE_CORRECTION)
    return _of_wording(placed, sentences, score, MessageCode.PUT_BACK_LEFT_OUT.of(), "", SuggestionLabel.LEAVE_OUT)


def _of_wording(
    placed: _Placed, sentences: Sequence[Sentence], score: float, message: Message, other: str, label: str
) -> Finding:
    """A finding that offers ``other`` in place of the generated sentence; "" removes it."""
    written = placed.written
    sentence = max(sentences, key=lambda candidate: _shared(candidate.span, placed.span))
    changed = changed_words(other, written.text) if other else ()
    start = sentence.text.find(written.text)
    suggestions = []
    span = sentence.span
    if start >= 0:
        before, after = sentence.text[:start], sentence.text[start + len(written.text) :]
        suggestions.append(_suggestion(sentence, f"{before}{other}{after}".strip(), label))
        span = changed[0].shifted(sentence.start + start) if changed else span
    return _finding(sentence, span, message, [written], score, suggestions)


def _of_omission(gone: Sequence[WrittenSentence], sentence: Sentence, score: float) -> Finding:
    words = " ".join(written.first_version for written in gone)
    return _finding(
        sentence,
        sentence.span,
        MessageCode.LEFT_OUT_BESIDE.of(words=words),
        gone,
        score,
        [_suggestion(sentence, f"{sentence.text} {words}", SuggestionLabel.RESTORE)],
    )


def _of_premise(premise: PremiseCheck, sentence: Sentence, score: float) -> Finding:
    return make_finding(
        _comparable(sentence),
        span=sentence.span,
        kind=FindingKind.FALSE_PREMISE,
        verdict=Verdict.UNSURE,
        score=score,
        message=MessageCode.FALSE_PREMISE.of(assumption=premise.assumption),
        explanation=f"{premise.reason} It was answered as it was asked.",
        evidence=premise.evidence,
        detector=DETECTOR,
        suggestions=(),
    )


def _finding(
    sentence: Sentence,
    span: Span,
    message: Message,
    written: Sequence[WrittenSentence],
    score: float,
    suggestions: Sequence[Suggestion],
) -> Finding:
    refutations = [refutation for one in written for refutation in one.refutations]
    evidence: dict[Evidence, None] = {item: None for refutation in refutations for item in refutation.evidence}
    return make_finding(
        _comparable(sentence),
        span=span,
        kind=FindingKind.REPAIRED_WHILE_GENERATING,
        verdict=Verdict.UNSURE,
        score=score,
        message=message,
        explanation=" ".join(f"Asked: {one.question.text} Answered: no. {one.reason}" for one in refutations),
        evidence=tuple(evidence),
        detector=DETECTOR,
        suggestions=suggestions,
    )


def _suggestion(sentence: Sentence, replacement: str, label: str) -> Suggestion:
    return Suggestion(
        sentence.index, replacement, text_hash(sentence.text), SuggestionMethod.LLM, verified=False, label=label
    )


def _comparable(sentence: Sentence) -> ComparableSentence:
    return ComparableSentence(ParsedSentence(sentence, ()))
