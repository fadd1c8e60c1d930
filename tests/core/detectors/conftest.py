from __future__ import annotations

import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import pytest

from detection.core import pipeline
from detection.core.collector import Collector
from detection.core.compute import InProcessModels, LocalModels
from detection.core.contradiction import Contradictions
from detection.core.detectors.base import Ports
from detection.core.llm.client import Endpoint, ModelClient
from detection.core.types import SourceText, Strictness
from tests.fakes.model_server import Asked, ModelServer, Reply

Check = Callable[..., Awaitable[Collector]]
OpenPorts = Callable[[LocalModels], AbstractAsyncContextManager[Ports]]


async def never() -> bool:
    return False


def contradicting(asked: Asked) -> Reply:
    """A model that remembers one thing otherwise: that the mill was built in 1849, and who works there not at all."""
    if "So, are the two statements" in asked.last:
        clash = re.search(r"Statement 1: .*\b1(?!849)\d{3}\b.*\nStatement 2: .*1849", asked.prompt)
        return Reply(("Yes" if clash else "No",) * asked.samples)
    if "Explain in at most three sentences" in asked.last:
        return Reply(("The two give different years.",))
    if "Rewrite the original sentence" in asked.last:
        sentence = re.search(r"Original sentence: (.*)", asked.last)
        assert sentence
        return Reply((re.sub(r" in 1\d{3}", "", sentence[1]),))
    if "was built" in asked.last.rsplit("Statement:", 1)[-1]:
        return Reply(("The mill was built in 1849.",))
    return Reply(("Nobody knows.",))


@pytest.fixture
def model_server() -> Iterator[ModelServer]:
    """A language model on a socket."""
    with ModelServer(contradicting).running() as server:
        yield server


@pytest.fixture
def open_ports(model_server: ModelServer) -> OpenPorts:
    @asynccontextmanager
    async def opened(models: LocalModels) -> AsyncIterator[Ports]:
        async with ModelClient(Endpoint(model_server.base_url, "key", 10, 20)) as client:
            yield Ports(models, Contradictions(client, generator="generator", analyzer="analyzer"), client)

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
    ) -> Collector:
        collector = Collector()
        request = pipeline.CheckRequest(
            text=text,
            sources=tuple(SourceText(str(i), f"Source {i}", source) for i, source in enumerate(sources)),
            topic=topic,
            strictness=strictness,
            detectors=detectors or pipeline.applicable_detectors(has_sources=bool(sources), has_llm=False),
        )
        async with open_ports(local_models) as ports:
            await pipeline.run(request, ports, collector.report, cancelled=never)
        return collector

    return run
