from __future__ import annotations

import pytest

from detection.core.llm import client, failures


@pytest.fixture
def quickly_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Short waits are told as well, so that a test needs no long one; next to nothing is added to them."""
    monkeypatch.setattr(client, "_NOTICEABLE_WAIT_S", 0.2)
    monkeypatch.setattr(client, "_NEW_PAUSE_S", 0.2)
    monkeypatch.setattr(failures, "_FIRST_WAIT_S", 0.001)
