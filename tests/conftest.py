"""Fixtures for all tests. Real parts are started here: models, server, browser."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from django.conf import settings
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings

from chatprotect_web.lifecycle import stopping
from detection.core.local_models.process import InProcessModels, ModelSettings
from detection.core.types import NliPair, NliScore, ParsedSentence, ParsedText, Stretch
from detection.wiring import model_settings

# Other work may share the machine: a slow example is no fault of the code.
hypothesis_settings.register_profile("shared", deadline=None, suppress_health_check=[HealthCheck.too_slow])
hypothesis_settings.load_profile("shared")


class RememberingModels(InProcessModels):
    """The shipped models, which are asked the same question once: many tests judge the same texts."""

    def __init__(self, settings: ModelSettings) -> None:
        super().__init__(settings)
        self._parsed: dict[str, ParsedText] = {}
        self._stretches: dict[Stretch, tuple[ParsedSentence, ...]] = {}
        self._scores: dict[NliPair, NliScore] = {}

    async def parse(self, text: str) -> ParsedText:
        if text not in self._parsed:
            self._parsed[text] = await super().parse(text)
        return self._parsed[text]

    async def parse_stretches(self, stretches: Sequence[Stretch]) -> list[tuple[ParsedSentence, ...]]:
        new = [stretch for stretch in dict.fromkeys(stretches) if stretch not in self._stretches]
        self._stretches |= zip(new, await super().parse_stretches(new), strict=True)
        return [self._stretches[stretch] for stretch in stretches]

    async def score(self, pairs: Sequence[NliPair]) -> list[NliScore]:
        new = [pair for pair in dict.fromkeys(pairs) if pair not in self._scores]
        self._scores |= zip(new, await super().score(new), strict=True)
        return [self._scores[pair] for pair in pairs]


@pytest.fixture(scope="session")
def local_models() -> InProcessModels:
    """The shipped models, loaded once for all tests."""
    return RememberingModels(model_settings())


@pytest.fixture(scope="session")
def data_dir() -> Path:
    """The data folder of the tests."""
    return Path(settings.DATA_DIR)


@pytest.fixture
def process_stops() -> Iterator[None]:
    """The process has been asked to stop."""
    stopping.set()
    yield
    stopping.clear()
