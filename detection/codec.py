"""Evidence as JSON and back: the one place that knows the stored form."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypedDict

from .core.types import Evidence, Span


class EvidenceJson(TypedDict):
    quote: str
    start: int
    end: int
    sentence: int | None
    source: str | None
    conflict: list[list[int]]
    score: float | None


def evidence_to_json(evidence: Iterable[Evidence]) -> list[EvidenceJson]:
    return [
        EvidenceJson(
            quote=item.quote,
            start=item.span.start,
            end=item.span.end,
            sentence=item.sentence,
            source=item.source,
            conflict=[[span.start, span.end] for span in item.conflict],
            score=item.score,
        )
        for item in evidence
    ]


def evidence_from_json(stored: Iterable[EvidenceJson]) -> tuple[Evidence, ...]:
    return tuple(
        Evidence(
            quote=item["quote"],
            span=Span(item["start"], item["end"]),
            sentence=item["sentence"],
            source=item["source"],
            conflict=tuple(Span(start, end) for start, end in item["conflict"]),
            score=item["score"],
        )
        for item in stored
    )
