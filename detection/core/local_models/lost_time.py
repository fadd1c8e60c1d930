"""Measure how long a check waits for the local models while they do not compute for it.

On a busy machine that may be most of the time. The time limit of a check excludes it.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar


class LostTime:
    """The waiting time of the calls of one check, minus their computing time. For one event loop."""

    def __init__(self) -> None:
        self._pending = 0
        self._since = 0.0
        self._waited = 0.0
        self._computed = 0.0

    @property
    def seconds(self) -> float:
        """The time so far. A running call counts as waiting until it is answered."""
        under_way = time.monotonic() - self._since if self._pending else 0.0
        return max(0.0, self._waited + under_way - self._computed)

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Count the duration of the body as waiting. Overlapping calls count once."""
        if not self._pending:
            self._since = time.monotonic()
        self._pending += 1
        try:
            yield
        finally:
            self._pending -= 1
            if not self._pending:
                self._waited += time.monotonic() - self._since

    def add_computed(self, seconds: float) -> None:
        self._computed += seconds


#: The measure of the calling check. Unmeasured calls use a new one each.
_LOST_TIME: ContextVar[LostTime | None] = ContextVar("lost time", default=None)


@contextmanager
def measuring(lost: LostTime) -> Iterator[None]:
    """Let ``lost`` measure the calls of the local models in the body and in tasks started there."""
    token = _LOST_TIME.set(lost)
    try:
        yield
    finally:
        _LOST_TIME.reset(token)


def current() -> LostTime:
    """The measure of the current context."""
    return _LOST_TIME.get() or LostTime()
