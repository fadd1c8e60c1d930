"""Check sentences against the documents of a search (METHODS C), one by one, until the verdict is clear enough."""

from __future__ import annotations

import asyncio
from typing import ClassVar

from ..comparing.sentence import ComparableSentence
from ..control import run_together
from ..errors import Cancelled, DetectionError, SearchFailed
from ..evidence.induction import InductiveTest
from ..evidence.search import SentenceSearch
from ..llm.attribution import asking_for
from ..ports import DetectionRequest, Emit, Material, Ports, Requirement
from ..reports import UnitDone, UnitFailed, UnitResult, UnitStarted
from ..retrieval.library_retriever import LibraryRetriever
from ..source_findings.evidence import finding_of, supporting_evidence, verdict_of
from ..types import FindingKind, Verdict

#: Sentences that are looked up at the same time, each with all its claims.
SENTENCES_AT_ONCE = 4


class EvidenceSearch:
    """Splits each sentence into claims and searches for evidence on each."""

    id: ClassVar[str] = "evidence.v1"
    requires: ClassVar[frozenset[Requirement]] = frozenset({Requirement.RETRIEVER})
    compares_sentences: ClassVar[bool] = False

    async def detect(self, request: DetectionRequest, ports: Ports, emit: Emit) -> None:
        places = asyncio.Semaphore(SENTENCES_AT_ONCE)

        async def settle(index: int) -> None:
            async with places:
                await emit(UnitStarted(self.id, index))
                await emit(await self._result(request, ports, index))

        await run_together(settle(index) for index in request.pending)

    async def problems(
        self, material: Material, ports: Ports, index: int, wording: ComparableSentence
    ) -> frozenset[FindingKind]:
        """None: a search for each rewrite of another detector would cost too much.

        Its own rewrites are compared with the evidence of the sentence (:class:`EvidenceRecheck`).
        """
        return frozenset()

    async def basis(self, material: Material, ports: Ports, index: int) -> tuple[str, ...]:
        """The retriever, the cost limits, and the claims or the input from which a model would make them."""
        place = ports.retriever.name if ports.retriever else ""
        sources = material.library.digest if place == LibraryRetriever.name else ""
        return (place, repr(material.search), sources, *material.decomposer.basis(index))

    async def _result(self, request: DetectionRequest, ports: Ports, index: int) -> UnitResult:
        try:
            with asking_for(self.id, (index,)):
                return await self._judge(request, ports, index)
        except Cancelled:
            raise
        except DetectionError as error:
            return UnitFailed(self.id, index, str(error))

    async def _judge(self, request: DetectionRequest, ports: Ports, index: int) -> UnitDone:
        if ports.retriever is None or ports.histograms is None:
            raise SearchFailed("No search for evidence is set up.")
        material = request.material
        test = InductiveTest(ports.histograms, material.search.costs, material.search.most_documents)
        search = SentenceSearch(await material.decomposer.claims(index), material.topic, ports.retriever, test)
        await search.run(ports.models)
        record = search.record()
        if search.false_claims and index in request.told:
            return UnitDone(self.id, index, Verdict.UNSURE, search=record)
        if search.false_claims:
            finding = await finding_of(request, ports, index, search, self.id)
            return UnitDone(self.id, index, finding.verdict, (finding,), search=record)
        return UnitDone(self.id, index, verdict_of(record), evidence=supporting_evidence(record), search=record)
