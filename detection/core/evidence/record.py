"""Records of the search for a sentence, as shown to the reader."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from ..retrieval.retriever import SkippedPage
from ..types import Span
from .sequential import PRIOR, claim_probability


class StopReason(StrEnum):
    """Why no more documents were read for a claim."""

    DECIDED = "decided"  # another document would not be worth its cost
    MOST_DOCUMENTS = "most_documents"  # the limit of the check is reached
    NO_MORE_DOCUMENTS = "no_more_documents"
    NOTHING_FOUND = "nothing_found"  # or nothing readable
    SENTENCE_DECIDED = "sentence_decided"  # another claim of the sentence is already wrong


@dataclass(frozen=True, slots=True)
class DocumentReading:
    """A document that was read for a claim, with the passage that supports the claim best.

    ``quote`` is the sentence of ``passage`` that is nearest to the claim, counted in ``passage``. ``entailment`` is the
    score of the passage, ``factual`` the probability of the claim after this document; both 0 to 1. For a source of the
    user, ``source`` is its id, ``start`` is the position of the passage, and ``url`` is "".
    """

    title: str
    url: str
    passage: str
    quote: Span
    entailment: float
    factual: float
    source: str | None = None
    start: int = 0


@dataclass(frozen=True, slots=True)
class ClaimRecord:
    """A claim of a sentence. ``span`` is the position of its words in the text under test."""

    claim: str
    span: Span
    documents: tuple[DocumentReading, ...]
    skipped: tuple[SkippedPage, ...]
    """Found pages that could not be read."""
    stop: StopReason

    @property
    def factual(self) -> float:
        """The probability that the claim is right, after the documents read so far."""
        return self.documents[-1].factual if self.documents else PRIOR


@dataclass(frozen=True, slots=True)
class SearchRecord:
    """The search for one sentence. ``most_documents`` is the limit of documents for each claim."""

    retriever: str
    most_documents: int
    claims: tuple[ClaimRecord, ...]

    @property
    def factual(self) -> float | None:
        """The probability that the sentence is right: that of its least likely claim; None when nothing was read."""
        return claim_probability(claim.factual for claim in self.read) if self.read else None

    @property
    def read(self) -> tuple[ClaimRecord, ...]:
        """The claims for which a document was read."""
        return tuple(claim for claim in self.claims if claim.documents)

    @property
    def sources(self) -> frozenset[str]:
        """The ids of the user's sources with a read passage."""
        readings = (reading for claim in self.claims for reading in claim.documents)
        return frozenset(reading.source for reading in readings if reading.source is not None)
