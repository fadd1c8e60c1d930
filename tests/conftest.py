"""Fixtures for all tests. They start the real parts: models, server, browser."""

from __future__ import annotations

import gc
from collections.abc import Generator, Iterator, Sequence
from functools import cache
from math import inf
from pathlib import Path

import httpcore2
import pytest
from django.conf import settings
from django.contrib.contenttypes.management import create_contenttypes
from django.contrib.contenttypes.models import ContentType
from django.db.models.signals import post_migrate
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings

from chatprotect_web.lifecycle import stopping
from detection import wiring
from detection.core.local_models.process import InProcessModels, ModelSettings
from detection.core.local_models.remembering import RememberingModels
from detection.core.local_models.vectors import Vector
from detection.core.types import NliPair, NliScore, ParsedSentence, ParsedText, Stretch
from tests.scheduling import make_scheduler

# Other work may share the machine: a slow example is not an error of the code.
hypothesis_settings.register_profile("shared", deadline=None, suppress_health_check=[HealthCheck.too_slow])
hypothesis_settings.load_profile("shared")

# Every client loads all certificate authorities, which takes 20 ms; the tests of a process share them.
httpcore2.default_ssl_context = cache(httpcore2.default_ssl_context)

pytest_xdist_make_scheduler = make_scheduler


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Search for unused objects less often: thousands of tests and the models are in use until the end.

    While the tests are collected nothing becomes unused, and the searches would take a quarter of the time.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()
        gc.set_threshold(20_000)


class SharedModels(InProcessModels):
    """The shipped models with a cache, because many tests judge the same texts."""

    def __init__(self, settings: ModelSettings) -> None:
        super().__init__(settings)
        self._remembering = RememberingModels(super(), most_scores=inf, most_stretches=inf)

    async def parse(self, text: str) -> ParsedText:
        return await self._remembering.parse(text)

    async def parse_stretches(self, stretches: Sequence[Stretch]) -> list[tuple[ParsedSentence, ...]]:
        return await self._remembering.parse_stretches(stretches)

    async def score(self, pairs: Sequence[NliPair]) -> list[NliScore]:
        return await self._remembering.score(pairs)

    async def vectors(self, texts: Sequence[str]) -> list[Vector]:
        return await self._remembering.vectors(texts)


@pytest.fixture(scope="session")
def local_models() -> InProcessModels:
    """The shipped models, loaded once for all tests."""
    return SharedModels(wiring.model_settings())


@pytest.fixture(scope="session", autouse=True)
def _commands_share_the_models(local_models: InProcessModels) -> Iterator[None]:
    """Share the models: otherwise each command would load them again."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(wiring, "models_in_this_process", lambda: local_models)
        yield


@pytest.fixture(scope="session")
def data_dir() -> Path:
    """The data folder of the tests."""
    return Path(settings.DATA_DIR)


def _forget_content_types(**kwargs: object) -> None:
    ContentType.objects.clear_cache()


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None) -> None:
    """The test database, which is flushed after each test with its own transactions.

    Django would create the permissions of every model again each time, which takes longest; only operators have
    permissions, and they have all of them.
    """
    post_migrate.disconnect(dispatch_uid="django.contrib.auth.management.create_permissions")
    post_migrate.disconnect(create_contenttypes)
    post_migrate.connect(_forget_content_types)


@pytest.fixture
def process_stops() -> Iterator[None]:
    """The process was asked to stop."""
    stopping.set()
    yield
    stopping.clear()
