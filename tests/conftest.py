"""Fixtures for all tests. Real parts are started here: models, server, browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings

from chatprotect_web.lifecycle import stopping
from detection.core.local_models.process import InProcessModels
from detection.wiring import model_settings

# Other work may share the machine: a slow example is no fault of the code.
hypothesis_settings.register_profile("shared", deadline=None, suppress_health_check=[HealthCheck.too_slow])
hypothesis_settings.load_profile("shared")


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
