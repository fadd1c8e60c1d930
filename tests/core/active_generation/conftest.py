from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace

import pytest

from detection.core.active_generation.collector import WritingCollector
from detection.core.active_generation.tools import tools_for
from detection.core.active_generation.types import ValidationMode, WritingOptions, WritingRequest
from detection.core.active_generation.writer import write
from detection.core.control import CancelProbe, never
from detection.core.llm.budget import Budget
from detection.core.llm.client import Endpoint, ModelClient
from detection.core.local_models.process import InProcessModels
from detection.core.ports import Ports
from detection.core.retrieval.library_retriever import LibraryRetriever
from detection.core.self_contradiction.model import Contradictions
from detection.core.sources.library import open_library
from detection.core.types import SourceText
from tests.fakes.model_server import ModelServer
from tests.fakes.writing import PROMPT, SOURCE, WritingModel

Write = Callable[..., Awaitable[WritingCollector]]

SEARCH = WritingOptions(mode=ValidationMode.SEARCH)


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer(WritingModel()).running() as running:
        yield running


@pytest.fixture
def write_text(server: ModelServer, local_models: InProcessModels) -> Write:
    """Write a text with a real client, the real local models, and a search in ``source``."""

    async def run(
        prompt: str = PROMPT,
        *,
        source: str = SOURCE,
        budget: Budget | None = None,
        cancelled: CancelProbe = never,
        collector: WritingCollector | None = None,
        request: WritingRequest | None = None,
        **options: object,
    ) -> WritingCollector:
        collector = collector or WritingCollector()
        request = request or WritingRequest(prompt, options=replace(SEARCH, **options))  # type: ignore[arg-type]
        retriever = LibraryRetriever(await open_library([SourceText("0", "Chronicle", source)], local_models))
        async with ModelClient(Endpoint(server.base_url, "key", 10, 20), budget=budget) as client:
            contradictions = Contradictions(client, generator="generator", analyzer="analyzer")
            ports = Ports(local_models, contradictions, client=client, retriever=retriever)
            await write(request, tools_for(request, ports), collector.report, cancelled=cancelled)
        return collector

    return run
