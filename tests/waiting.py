"""Waiting for what a test wants to see. The limit only ends a test that fails: other work may share the machine."""

from __future__ import annotations

import time
from collections.abc import Callable

#: Longest wait of any test for anything, in seconds; Playwright counts milliseconds.
PATIENCE_S = 240.0
PATIENCE_MS = 240_000.0


def wait_until(
    condition: Callable[[], object], *, pause: Callable[[], object] = lambda: time.sleep(0.05), message: str = ""
) -> None:
    """Return as soon as ``condition`` holds. ``pause`` is what happens between two looks."""
    deadline = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < deadline, message or "never came true"
        pause()
