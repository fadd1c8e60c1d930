"""The stored forms of evidence, searches, places and model answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from pydantic import BeforeValidator, PlainSerializer

from ..core.evidence.plan import SearchPlan
from ..core.evidence.record import ClaimRecord, DocumentReading, SearchRecord, StopReason
from ..core.evidence.sequential import Costs
from ..core.llm.probabilities import TokenProbability
from ..core.llm.types import ModelAnswer
from ..core.retrieval.retriever import SkippedPage
from ..core.types import DocumentLink, Evidence, Place, PlaceKind, Span
from .codec import Codec, Formed, Pair, Rounded


@dataclass(frozen=True, slots=True)
class _EvidenceForm:
    quote: str
    start: int
    end: int
    sentence: int | None
    source: str | None
    conflict: tuple[Pair, ...]
    score: float | None
    document: DocumentLink | None = None
    """Missing in rows from before searches existed."""


FormedEvidence = Annotated[Evidence, Formed(_EvidenceForm, flat={"span": Span})]
EVIDENCE: Codec[tuple[Evidence, ...]] = Codec(tuple[FormedEvidence, ...])


@dataclass(frozen=True, slots=True)
class _ReadingForm:
    title: str
    url: str
    passage: str
    quote: Pair
    entailment: Rounded
    factual: Rounded
    source: str | None
    start: int


@dataclass(frozen=True, slots=True)
class _ClaimForm:
    claim: str
    span: Pair
    documents: tuple[Annotated[DocumentReading, Formed(_ReadingForm)], ...]
    skipped: tuple[SkippedPage, ...]
    stop: StopReason


@dataclass(frozen=True, slots=True)
class _SearchForm:
    retriever: str
    most_documents: int
    claims: tuple[Annotated[ClaimRecord, Formed(_ClaimForm)], ...]


SEARCH: Codec[SearchRecord] = Codec(Annotated[SearchRecord, Formed(_SearchForm)])


@dataclass(frozen=True, slots=True)
class _PlanForm:
    miss: float
    false_alarm: float
    retrieval: float
    most_documents: int


PLAN: Codec[SearchPlan] = Codec(Annotated[SearchPlan, Formed(_PlanForm, flat={"costs": Costs})])


@dataclass(frozen=True, slots=True)
class _PlaceForm:
    kind: PlaceKind
    label: str
    start: int
    end: int


PLACES: Codec[tuple[Place, ...]] = Codec(tuple[Annotated[Place, Formed(_PlaceForm, flat={"span": Span})], ...])

#: The bytes of a token in hexadecimal, and its probability.
_Token = Annotated[
    TokenProbability,
    BeforeValidator(lambda stored: TokenProbability(bytes.fromhex(stored[0]), stored[1])),
    PlainSerializer(lambda token: (token.data.hex(), token.probability), return_type=tuple[str, float]),
]


@dataclass(frozen=True, slots=True)
class _AnswerForm:
    """Without the usage, which the row of the call has."""

    texts: tuple[str, ...]
    is_cut: bool
    tokens: tuple[tuple[_Token, ...], ...]


ANSWER: Codec[ModelAnswer] = Codec(Annotated[ModelAnswer, Formed(_AnswerForm)])
