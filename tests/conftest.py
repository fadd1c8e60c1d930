"""Fixtures for all tests. Real parts are started here: models, server, browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings

from chatprotect_web.lifecycle import stopping
from detection.core.compute import InProcessModels
from detection.wiring import model_settings


@pytest.fixture(scope="session")
def local_models() -> InProcessModels:
    """The shipped models, loaded once for all tests."""
    return InProcessModels(model_settings())


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
