"""Search for evidence on the claims of one sentence, document by document, until the verdict is clear enough.

Each round reads the next document of every claim and prefetches the one after it. The rounds make the outcome
independent of the order in which pages arrive.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from ..control import run_together
from ..decomposition.subclaims import SubClaim
from ..local_models.process import LocalModels
from ..retrieval.prefetch import DocumentQueue
from ..retrieval.retriever import Query, RetrievedDocument, Retriever
from ..sources.passage_index import PassageIndex
from ..types import NliPair, Span
from .record import ClaimRecord, DocumentReading, SearchRecord, StopReason
from .sequential import Belief, SequentialTest
from .windows import Support, supports


class ClaimSearch:
    """One claim and the documents read for it so far."""

    def __init__(self, claim: SubClaim, queue: DocumentQueue, test: SequentialTest) -> None:
        self.claim = claim
        self.belief = Belief()
        self.documents: list[RetrievedDocument] = []
        self.stop: StopReason | None = None
        """Why reading stopped; None while it continues."""
        self._queue = queue
        self._test = test
        self._readings: list[DocumentReading] = []

    @property
    def is_false(self) -> bool:
        """Whether the search ended with the verdict that the claim is wrong."""
        is_settled = self.stop not in (None, StopReason.SENTENCE_DECIDED) and bool(self.documents)
        return is_settled and not self._test.costs.declares_factual(self.belief.factual)

    async def get_document(self) -> None:
        """Wait for the next document and prefetch the one after it; stop if there is none."""
        document = await self._queue.get()
        if document is None:
            self.stop = StopReason.NO_MORE_DOCUMENTS if self.documents else StopReason.NOTHING_FOUND
            return
        self.documents.append(document)
        if len(self.documents) < self._test.most_documents:
            self._queue.prefetch()

    async def read(self, support: Support, models: LocalModels) -> None:
        """Update the probability with the last document."""
        document, window = self.documents[-1], support.window
        passage = window.span.of(document.text)
        self.belief = self._test.after(self.belief, support.entailment)
        self._readings.append(
            DocumentReading(
                title=document.title,
                url=document.url,
                passage=passage,
                quote=await _nearest_sentence(passage, self.claim.text, models),
                entailment=support.entailment,
                factual=self.belief.factual,
                source=document.source,
                start=document.start + window.span.start,
            )
        )
        if self._test.stops(self.belief):
            is_last = self.belief.documents >= self._test.most_documents
            self.stop = StopReason.MOST_DOCUMENTS if is_last else StopReason.DECIDED

    def record(self) -> ClaimRecord:
        return ClaimRecord(
            claim=self.claim.text,
            span=self.claim.span,
            documents=tuple(self._readings),
            skipped=tuple(self._queue.skipped),
            stop=self.stop or StopReason.SENTENCE_DECIDED,
        )

    async def aclose(self) -> None:
        await self._queue.aclose()


class SentenceSearch:
    """The search for all claims of a sentence."""

    def __init__(
        self, claims: Sequence[SubClaim], topic: str | None, retriever: Retriever, test: SequentialTest
    ) -> None:
        self._retriever = retriever
        self._test = test
        self.claims = [
            ClaimSearch(
                claim,
                DocumentQueue(retriever.retrieve(Query(claim.text, topic)), most=test.most_documents),
                test,
            )
            for claim in claims
        ]

    async def run(self, models: LocalModels) -> None:
        """Read until every claim is settled or one claim is found to be wrong.

        Raises:
            SearchFailed: the search failed.
        """
        try:
            while (undecided := [claim for claim in self.claims if claim.stop is None]) and not self.false_claims:
                await run_together(claim.get_document() for claim in undecided)
                await _judge([claim for claim in undecided if claim.stop is None], models)
            for claim in self.claims:
                claim.stop = claim.stop or StopReason.SENTENCE_DECIDED
        finally:
            await asyncio.gather(*(claim.aclose() for claim in self.claims))

    @property
    def false_claims(self) -> list[ClaimSearch]:
        """The claims that are found to be wrong, the least likely one first."""
        return sorted((claim for claim in self.claims if claim.is_false), key=lambda claim: claim.belief.factual)

    @property
    def documents(self) -> list[RetrievedDocument]:
        """All documents read for the claims, each once."""
        return list(dict.fromkeys(document for claim in self.claims for document in claim.documents))

    def record(self) -> SearchRecord:
        return SearchRecord(
            self._retriever.name, self._test.most_documents, tuple(claim.record() for claim in self.claims)
        )


async def _judge(claims: Sequence[ClaimSearch], models: LocalModels) -> None:
    """Score the last document of each claim, all in one call of the NLI model."""
    found = await supports([NliPair(claim.documents[-1].text, claim.claim.text) for claim in claims], models)
    for claim, support in zip(claims, found, strict=True):
        await claim.read(support, models)


async def _nearest_sentence(passage: str, claim: str, models: LocalModels) -> Span:
    """The position of the sentence of a passage that shares most words with a claim."""
    stretches = await models.cut(passage)
    if not stretches:
        return Span(0, len(passage))
    scores = PassageIndex([stretch.text for stretch in stretches]).scores(claim)
    return stretches[int(scores.argmax())].span
