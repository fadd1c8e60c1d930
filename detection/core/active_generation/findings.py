"""What was corrected or left out while a text was written, as findings that offer the first version again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..comparison import ComparableSentence
from ..detectors.findings import make_finding
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

#: How often a concept that was answered with no is wrong indeed: the paper's precision (table 1b).
SCORES = {ValidationMode.SEARCH: 0.58, ValidationMode.SELF: 0.48}


@dataclass(frozen=True, slots=True)
class _Placed:
    """A written sentence, and where it stands in the text; for one that was left out, where it would stand."""

    written: WrittenSentence
    span: Span


def findings_of(
    written: Sequence[WrittenSentence],
    sentences: Sequence[Sentence],
    mode: ValidationMode,
    overridden: PremiseCheck | None = None,
) -> tuple[Finding, ...]:
    """The findings about the sentences of the whole text, which was split anew.

    ``overridden`` is the check of a question that was answered although it takes something false for granted.
    """
    if not sentences:
        return ()
    findings = []
    if overridden is not None and overridden.answer is Answer.NO:
        findings.append(_of_premise(overridden, sentences[0], SCORES[mode]))
    left_out: dict[int, list[WrittenSentence]] = {}
    for placed in _place(written):
        if placed.written.state is SentenceState.REPAIRED:
            sentence = max(sentences, key=lambda other: _shared(other.span, placed.span))
            findings.append(_of_repair(placed, sentence, SCORES[mode]))
        elif placed.written.state is SentenceState.LEFT_OUT:
            left_out.setdefault(_neighbour(placed.span, sentences), []).append(placed.written)
    findings += [_of_omission(gone, sentences[index], SCORES[mode]) for index, gone in left_out.items()]
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
    """The sentence before the place; the first one for a place at the beginning."""
    before = [index for index, sentence in enumerate(sentences) if sentence.end <= place.start]
    return before[-1] if before else 0


def _of_repair(placed: _Placed, sentence: Sentence, score: float) -> Finding:
    written = placed.written
    changed = changed_words(written.first_version, written.text)
    start = sentence.text.find(written.text)
    suggestions = []
    span = sentence.span
    if start >= 0:
        whole = sentence.text[:start] + written.first_version + sentence.text[start + len(written.text) :]
        suggestions.append(_suggestion(sentence, whole, "Use the first version"))
        span = changed[0].shifted(sentence.start + start) if changed else span
    return _finding(
        sentence,
        span,
        f"The model wrote first: “{written.first_version}”",
        [written],
        score,
        suggestions,
    )


def _of_omission(gone: Sequence[WrittenSentence], sentence: Sentence, score: float) -> Finding:
    words = " ".join(written.first_version for written in gone)
    return _finding(
        sentence,
        sentence.span,
        f"Left out beside this sentence, because no correction held: “{words}”",
        gone,
        score,
        [_suggestion(sentence, f"{sentence.text} {words}", "Put it back")],
    )


def _of_premise(premise: PremiseCheck, sentence: Sentence, score: float) -> Finding:
    return make_finding(
        _comparable(sentence),
        span=sentence.span,
        kind=FindingKind.FALSE_PREMISE,
        verdict=Verdict.UNSURE,
        score=score,
        message=f"The question takes for granted what is not so: {premise.assumption}",
        explanation=f"{premise.reason} It was answered as it was asked.",
        evidence=premise.evidence,
        detector=DETECTOR,
        suggestions=(),
    )


def _finding(
    sentence: Sentence,
    span: Span,
    message: str,
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
