from __future__ import annotations

import pytest

from detection.core.llm import client


@pytest.fixture
def quickly_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Short waits are told as well, so that a test needs no long one."""
    monkeypatch.setattr(client, "_NOTICEABLE_WAIT_S", 0.2)
    monkeypatch.setattr(client, "_NEW_PAUSE_S", 0.2)
