"""Evidence, searches, places and answers of models as JSON and back: the one place that knows the stored forms."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NotRequired, TypedDict

from ..core.evidence.plan import SearchPlan
from ..core.evidence.record import ClaimRecord, DocumentReading, SearchRecord, StopReason
from ..core.evidence.sequential import Costs
from ..core.llm.probabilities import TokenProbability
from ..core.llm.types import ModelAnswer, TokenUsage
from ..core.retrieval.retriever import SkippedPage
from ..core.types import DocumentLink, Evidence, Place, PlaceKind, Span


class DocumentJson(TypedDict):
    title: str
    url: str


class EvidenceJson(TypedDict):
    quote: str
    start: int
    end: int
    sentence: int | None
    source: str | None
    conflict: list[list[int]]
    score: float | None
    document: NotRequired[DocumentJson | None]
    """Missing in what was stored before searches were."""


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
            document=DocumentJson(title=item.document.title, url=item.document.url) if item.document else None,
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
            document=DocumentLink(**document) if (document := item.get("document")) else None,
        )
        for item in stored
    )


class ReadingJson(TypedDict):
    title: str
    url: str
    passage: str
    quote: list[int]
    entailment: float
    factual: float
    source: str | None
    start: int


class SkippedJson(TypedDict):
    title: str
    url: str
    reason: str


class ClaimJson(TypedDict):
    claim: str
    span: list[int]
    documents: list[ReadingJson]
    skipped: list[SkippedJson]
    stop: str


class SearchJson(TypedDict):
    retriever: str
    most_documents: int
    claims: list[ClaimJson]


def search_to_json(search: SearchRecord) -> SearchJson:
    return SearchJson(
        retriever=search.retriever,
        most_documents=search.most_documents,
        claims=[
            ClaimJson(
                claim=claim.claim,
                span=[claim.span.start, claim.span.end],
                documents=[_reading_to_json(reading) for reading in claim.documents],
                skipped=[SkippedJson(title=page.title, url=page.url, reason=page.reason) for page in claim.skipped],
                stop=claim.stop,
            )
            for claim in search.claims
        ],
    )


def _reading_to_json(reading: DocumentReading) -> ReadingJson:
    return ReadingJson(
        title=reading.title,
        url=reading.url,
        passage=reading.passage,
        quote=[reading.quote.start, reading.quote.end],
        entailment=round(reading.entailment, 4),
        factual=round(reading.factual, 4),
        source=reading.source,
        start=reading.start,
    )


def search_from_json(stored: SearchJson) -> SearchRecord:
    return SearchRecord(
        retriever=stored["retriever"],
        most_documents=stored["most_documents"],
        claims=tuple(
            ClaimRecord(
                claim=claim["claim"],
                span=Span(*claim["span"]),
                documents=tuple(_reading_from_json(reading) for reading in claim["documents"]),
                skipped=tuple(SkippedPage(**page) for page in claim["skipped"]),
                stop=StopReason(claim["stop"]),
            )
            for claim in stored["claims"]
        ),
    )


def _reading_from_json(stored: ReadingJson) -> DocumentReading:
    return DocumentReading(
        title=stored["title"],
        url=stored["url"],
        passage=stored["passage"],
        quote=Span(*stored["quote"]),
        entailment=stored["entailment"],
        factual=stored["factual"],
        source=stored["source"],
        start=stored["start"],
    )


class PlanJson(TypedDict):
    miss: float
    false_alarm: float
    retrieval: float
    most_documents: int


def plan_to_json(plan: SearchPlan) -> PlanJson:
    return PlanJson(
        miss=plan.costs.miss,
        false_alarm=plan.costs.false_alarm,
        retrieval=plan.costs.retrieval,
        most_documents=plan.most_documents,
    )


def plan_from_json(stored: PlanJson) -> SearchPlan:
    costs = Costs(miss=stored["miss"], false_alarm=stored["false_alarm"], retrieval=stored["retrieval"])
    return SearchPlan(costs, stored["most_documents"])


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
