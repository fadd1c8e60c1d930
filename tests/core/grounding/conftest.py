from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator

import pytest

from detection.core.compute import InProcessModels
from detection.core.grounding.model import GroundingModel
from detection.core.library import ParsedSource, SourceLibrary
from detection.core.llm.client import Endpoint, ModelClient
from detection.core.types import SourceText
from tests.fakes.grounding import answering
from tests.fakes.model_server import ModelServer

OpenLibrary = Callable[..., SourceLibrary]


@pytest.fixture
def open_library(local_models: InProcessModels) -> OpenLibrary:
    """A library of texts; their names are "Source 0", "Source 1" ..."""

    def opened(*texts: str) -> SourceLibrary:
        sources = [SourceText(str(i), f"Source {i}", text) for i, text in enumerate(texts)]
        return SourceLibrary([ParsedSource(source, local_models.language.parse(source.text)) for source in sources])

    return opened


@pytest.fixture
def model_server() -> Iterator[ModelServer]:
    """A language model on a socket, which compares sentences with sources."""
    with ModelServer(answering).running() as server:
        yield server


@pytest.fixture
async def client(model_server: ModelServer) -> AsyncIterator[ModelClient]:
    async with ModelClient(Endpoint(model_server.base_url, "key", 10, 20)) as client:
        yield client


@pytest.fixture
def model(client: ModelClient) -> GroundingModel:
    return GroundingModel(client, "analyzer")
