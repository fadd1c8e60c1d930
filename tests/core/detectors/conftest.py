from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest

from detection.core import pipeline
from detection.core.collector import Collector
from detection.core.compute import InProcessModels
from detection.core.detectors.base import Ports
from detection.core.types import SourceText, Strictness

Check = Callable[..., Awaitable[Collector]]


async def never() -> bool:
    return False


@pytest.fixture
def check(local_models: InProcessModels) -> Check:
    """Runs the whole pipeline with the real models, and gives everything that it reports."""

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
            detectors=detectors,
        )
        await pipeline.run(request, Ports(local_models), collector.report, cancelled=never)
        return collector

    return run
