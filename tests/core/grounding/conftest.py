from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator

import pytest

from detection.core.control import never
from detection.core.detectors.grounding import Grounding
from detection.core.grounding.model import GroundingModel
from detection.core.language.segment import cut
from detection.core.llm.client import Endpoint, ModelClient
from detection.core.local_models.process import InProcessModels
from detection.core.ports import Ports
from detection.core.reports import UnitDone
from detection.core.run import pipeline
from detection.core.run.collector import Collector
from detection.core.sources.library import CutSource, SourceLibrary
from detection.core.types import GroundingLevel, SourceText, Strictness
from tests.fakes.grounding import answering
from tests.fakes.model_server import ModelServer

OpenLibrary = Callable[..., SourceLibrary]
Ground = Callable[..., Awaitable[UnitDone]]


@pytest.fixture
def open_library(local_models: InProcessModels) -> OpenLibrary:
    """A library of texts; their names are "Source 0", "Source 1" ..."""

    def opened(*texts: str) -> SourceLibrary:
        sources = [SourceText(str(i), f"Source {i}", text) for i, text in enumerate(texts)]
        return SourceLibrary([CutSource(source, cut(source.text)) for source in sources], local_models)

    return opened


@pytest.fixture
def model_server() -> Iterator[ModelServer]:
    """A language model on a socket that compares sentences with sources."""
    with ModelServer(answering).running() as server:
        yield server


@pytest.fixture
async def client(model_server: ModelServer) -> AsyncIterator[ModelClient]:
    async with ModelClient(Endpoint(model_server.base_url, "key", 10, 20)) as client:
        yield client


@pytest.fixture
def model(client: ModelClient) -> GroundingModel:
    return GroundingModel(client, "analyzer")


@pytest.fixture
def ground(local_models: InProcessModels) -> Ground:
    """The local engine's report on the last sentence of a text, compared with sources."""

    async def run(
        text: str,
        *sources: str,
        strictness: Strictness = Strictness.BALANCED,
        levels: frozenset[GroundingLevel] = frozenset(GroundingLevel),
    ) -> UnitDone:
        collector = Collector()
        request = pipeline.CheckRequest(
            text=text,
            sources=tuple(SourceText(str(i), f"Source {i}", source) for i, source in enumerate(sources)),
            strictness=strictness,
            detectors=(Grounding.id,),
            levels=levels,
        )
        await pipeline.run(request, Ports(local_models), collector.report, cancelled=never)
        result = collector.results[len(collector.sentences) - 1][Grounding.id]
        assert isinstance(result, UnitDone)
        return result

    return run
