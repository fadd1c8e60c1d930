from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import pytest

from detection.core.control import never
from detection.core.grounding.model import GroundingModel
from detection.core.llm.client import Endpoint, ModelClient
from detection.core.local_models.process import InProcessModels, LocalModels
from detection.core.ports import Ports
from detection.core.retrieval.library_retriever import LibraryRetriever
from detection.core.run import pipeline
from detection.core.run.collector import Collector
from detection.core.self_contradiction.model import Contradictions, Thrift
from detection.core.sources.library import open_library
from detection.core.text_reading.reader import TextReader
from detection.core.types import NliPair, NliScore, SourceText, Strictness
from tests.fakes.model_server import ModelServer
from tests.fakes.retrieval import CLEAR_HISTOGRAMS
from tests.fakes.scripts import contradicting

Check = Callable[..., Awaitable[Collector]]
ReadLong = Callable[..., Awaitable[Collector]]
OpenPorts = Callable[..., AbstractAsyncContextManager[Ports]]


@pytest.fixture
def model_server() -> Iterator[ModelServer]:
    """A language model on a socket."""
    with ModelServer(contradicting).running() as server:
        yield server


@pytest.fixture
def open_ports(model_server: ModelServer) -> OpenPorts:
    """Ports with both language models; texts and sources are read by the local ones, or by the analyzer ``by_model``.

    Evidence is found in the texts of ``evidence``, whose ids are their places.
    """

    @asynccontextmanager
    async def opened(
        models: LocalModels,
        *,
        by_model: bool = False,
        evidence: Sequence[str] = (),
        thrift: Thrift = Thrift(),  # noqa: B008 - immutable
    ) -> AsyncIterator[Ports]:
        sources = [SourceText(str(i), f"Source {i}", text) for i, text in enumerate(evidence)]
        retriever = LibraryRetriever(await open_library(sources, models))
        async with ModelClient(Endpoint(model_server.base_url, "key", 10, 20)) as client:
            contradictions = Contradictions(client, generator="generator", analyzer="analyzer", thrift=thrift)
            grounding = GroundingModel(client, "analyzer") if by_model else None
            yield Ports(
                models,
                contradictions,
                client=client,
                reader=TextReader(client, "analyzer") if by_model else None,
                grounding=grounding,
                retriever=retriever,
                histograms=CLEAR_HISTOGRAMS,
            )

    return opened


@pytest.fixture
def check(local_models: InProcessModels, open_ports: OpenPorts) -> Check:
    """Runs the whole pipeline with the real local models, and gives everything that it reports.

    Without ``detectors`` those of the local engine run.
    """

    async def run(
        text: str,
        *sources: str,
        topic: str | None = None,
        detectors: tuple[str, ...] = (),
        strictness: Strictness = Strictness.BALANCED,
        by_model: bool = False,
        thrift: Thrift = Thrift(),  # noqa: B008 - immutable
    ) -> Collector:
        collector = Collector()
        request = pipeline.CheckRequest(
            text=text,
            sources=tuple(SourceText(str(i), f"Source {i}", source) for i, source in enumerate(sources)),
            topic=topic,
            strictness=strictness,
            detectors=detectors or pipeline.applicable_detectors(has_sources=bool(sources), has_llm=False),
        )
        async with open_ports(local_models, by_model=by_model, evidence=sources, thrift=thrift) as ports:
            await pipeline.run(request, ports, collector.report, cancelled=never)
        return collector

    return run


class Undecided:
    """The local models, of which the one that compares sees nothing: to compare long texts takes it minutes."""

    def __init__(self, models: InProcessModels) -> None:
        self.parse, self.cut, self.parse_stretches = models.parse, models.cut, models.parse_stretches
        self.decision = models.decision

    async def score(self, pairs: Sequence[NliPair]) -> list[NliScore]:
        return [NliScore(0.0, 1.0, 0.0)] * len(pairs)


@pytest.fixture
def read_long(local_models: InProcessModels, open_ports: OpenPorts) -> ReadLong:
    """Has the model read a text whole, with next to no help of the local ones."""

    async def run(text: str, topic: str = "the mill") -> Collector:
        collector = Collector()
        request = pipeline.CheckRequest(text, topic=topic, detectors=("cross_contradiction.v1",))
        async with open_ports(Undecided(local_models), by_model=True) as ports:
            await pipeline.run(request, ports, collector.report, cancelled=never)
        return collector

    return run
