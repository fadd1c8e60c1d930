"""Evidence, places and answers of models as JSON and back: the one place that knows the stored forms."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypedDict

from .core.llm.probabilities import TokenProbability
from .core.llm.types import ModelAnswer, TokenUsage
from .core.types import Evidence, Place, PlaceKind, Span


class EvidenceJson(TypedDict):
    quote: str
    start: int
    end: int
    sentence: int | None
    source: str | None
    conflict: list[list[int]]
    score: float | None


class PlaceJson(TypedDict):
    kind: str
    label: str
    start: int
    end: int


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


def places_to_json(places: Iterable[Place]) -> list[PlaceJson]:
    return [
        PlaceJson(kind=place.kind, label=place.label, start=place.span.start, end=place.span.end) for place in places
    ]


def places_from_json(stored: Iterable[PlaceJson]) -> tuple[Place, ...]:
    return tuple(Place(PlaceKind(item["kind"]), item["label"], Span(item["start"], item["end"])) for item in stored)


class AnswerJson(TypedDict):
    texts: list[str]
    is_cut: bool
    tokens: list[list[tuple[str, float]]]
    """For each text, for each token: its bytes in hexadecimal, and its probability."""


def answer_to_json(answer: ModelAnswer) -> AnswerJson:
    return AnswerJson(
        texts=list(answer.texts),
        is_cut=answer.is_cut,
        tokens=[[(token.data.hex(), token.probability) for token in tokens] for tokens in answer.tokens],
    )


def answer_from_json(stored: AnswerJson, usage: TokenUsage | None) -> ModelAnswer:
    return ModelAnswer(
        texts=tuple(stored["texts"]),
        usage=usage,
        is_cut=stored["is_cut"],
        tokens=tuple(
            tuple(TokenProbability(bytes.fromhex(data), probability) for data, probability in tokens)
            for tokens in stored["tokens"]
        ),
    )
