from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import pytest

from detection.core.control import never
from detection.core.grounding.model import GroundingModel
from detection.core.llm.client import Endpoint, ModelClient
from detection.core.local_models.process import InProcessModels, LocalModels
from detection.core.local_models.remembering import RememberingModels
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
    """Ports with both language models. The local models read texts and sources, or the analyzer with ``by_model``.

    Searches find the texts of ``evidence``, whose ids are their positions.
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
    """Run the whole pipeline with the real local models and a memory, as a check does, and return all its reports.

    The default ``detectors`` are those of the local engine.
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
        async with open_ports(
            RememberingModels(local_models), by_model=by_model, evidence=sources, thrift=thrift
        ) as ports:
            await pipeline.run(request, ports, collector.report, cancelled=never)
        return collector

    return run


class Undecided:
    """The local models with a constant NLI score: real scores of long texts take minutes."""

    def __init__(self, models: InProcessModels) -> None:
        self.parse, self.cut, self.parse_stretches = models.parse, models.cut, models.parse_stretches
        self.decision, self.vectors = models.decision, models.vectors

    async def score(self, pairs: Sequence[NliPair]) -> list[NliScore]:
        return [NliScore(0.0, 1.0, 0.0)] * len(pairs)


@pytest.fixture
def read_long(local_models: InProcessModels, open_ports: OpenPorts) -> ReadLong:
    """Let the language model read a whole text, with almost no help from the local models."""

    async def run(text: str, topic: str = "the mill") -> Collector:
        collector = Collector()
        request = pipeline.CheckRequest(text, topic=topic, detectors=("cross_contradiction.v1",))
        async with open_ports(Undecided(local_models), by_model=True) as ports:
            await pipeline.run(request, ports, collector.report, cancelled=never)
        return collector

    return run
