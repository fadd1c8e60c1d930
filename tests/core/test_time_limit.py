"""A check ends at its time limit; unsettled sentences fail, and never pass."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from detection.core.control import never
from detection.core.local_models import lost_time
from detection.core.local_models.process import InProcessModels
from detection.core.ports import Ports
from detection.core.reasons import Reason
from detection.core.reports import UnitFailed, UnitSkipped
from detection.core.run import pipeline
from detection.core.run.collector import Collector
from detection.core.types import NliPair, NliScore, ParsedText, Stretch, Verdict

TEXT = "The mill was built in 1894. Who built it? The mill was built in 1912. It has twelve rooms."
LIMIT_S = 0.3


class StuckModels:
    """The local models, with one method that never answers, or too late."""

    def __init__(self, models: InProcessModels, *, is_slow_to_parse: bool) -> None:
        self._models = models
        self._is_slow_to_parse = is_slow_to_parse
        self.decision = models.decision

    async def parse(self, text: str) -> ParsedText:
        if self._is_slow_to_parse:
            await asyncio.sleep(2 * LIMIT_S)
        return await self._models.parse(text)

    async def cut(self, text: str) -> tuple[Stretch, ...]:
        return await self._models.cut(text)

    async def parse_stretches(self, stretches: Sequence[Stretch]) -> list[tuple[object, ...]]:
        raise AssertionError("there is no source")

    async def score(self, pairs: Sequence[NliPair]) -> list[NliScore]:
        if not self._is_slow_to_parse:
            await asyncio.Event().wait()
        return await self._models.score(pairs)


class SharedModels:
    """The local models, which serve other checks first."""

    def __init__(self, models: InProcessModels) -> None:
        self._models = models
        self.decision = models.decision

    async def parse(self, text: str) -> ParsedText:
        return await self._models.parse(text)

    async def score(self, pairs: Sequence[NliPair]) -> list[NliScore]:
        with lost_time.current().waiting():
            await asyncio.sleep(2 * LIMIT_S)
            return await self._models.score(pairs)


async def test_what_is_computed_for_others_does_not_count(local_models: InProcessModels) -> None:
    await local_models.score([NliPair("A mill.", "A mill.")])  # loads the model
    collector = Collector()
    request = pipeline.CheckRequest(TEXT, detectors=("cross_contradiction.v1",), seconds=LIMIT_S)
    async with asyncio.timeout(120):
        ports = Ports(SharedModels(local_models))  # type: ignore[arg-type]
        await pipeline.run(request, ports, collector.report, cancelled=never)
    assert collector.verdict(2) is Verdict.CONTRADICTED


@pytest.mark.parametrize("is_slow_to_parse", [False, True], ids=["comparing", "splitting"])
async def test_what_is_not_settled_in_time_has_failed(local_models: InProcessModels, is_slow_to_parse: bool) -> None:
    collector = Collector()
    models = StuckModels(local_models, is_slow_to_parse=is_slow_to_parse)
    request = pipeline.CheckRequest(TEXT, seconds=LIMIT_S)
    async with asyncio.timeout(120):
        await pipeline.run(request, Ports(models), collector.report, cancelled=never)  # type: ignore[arg-type]
    ends = {index: units["cross_contradiction.v1"] for index, units in collector.results.items()}
    assert isinstance(ends[1], UnitSkipped)
    # The first sentence has no previous one to compare with.
    assert {type(ends[index]) for index in (2, 3)} == {UnitFailed}
    assert {unit.reason for unit in ends.values() if isinstance(unit, UnitFailed)} == {Reason.OUT_OF_TIME.of()}
    assert {collector.verdict(index) for index in (2, 3)} == {Verdict.FAILED}
