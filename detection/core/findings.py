"""Helpers that all detectors use to create findings."""

from __future__ import annotations

from collections.abc import Sequence

from .comparing.sentence import ComparableSentence
from .messages import Message
from .types import Evidence, Finding, FindingKind, Span, Suggestion, Verdict

_CONTEXT_CHARS = 30


def in_document(span: Span, sentence: ComparableSentence) -> Span:
    """A span of a sentence, counted in the text that contains the sentence."""
    return span.shifted(sentence.parsed.sentence.start)


def make_finding(
    sentence: ComparableSentence,
    *,
    span: Span,
    kind: FindingKind,
    verdict: Verdict,
    score: float,
    message: Message,
    explanation: str,
    evidence: tuple[Evidence, ...],
    detector: str,
    suggestions: Sequence[Suggestion],
    prompt: str | None = None,
) -> Finding:
    """A finding about ``span`` (counted in the document) of a sentence, with the words around it."""
    own = sentence.parsed.sentence
    start, end = span.start - own.start, span.end - own.start
    return Finding(
        sentence=own.index,
        span=span,
        kind=kind,
        verdict=verdict,
        score=round(score, 3),
        message=message,
        explanation=explanation,
        evidence=evidence,
        detector=detector,
        prompt=prompt,
        quoted=own.text[start:end],
        context=(own.text[max(0, start - _CONTEXT_CHARS) : start], own.text[end : end + _CONTEXT_CHARS]),
        suggestions=tuple(suggestions),
    )
