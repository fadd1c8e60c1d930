"""How long a check has waited for the local models while they did not compute for it.

On a busy machine, and beside other checks, that may be most of the time. The time limit of a check leaves it out.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar


class LostTime:
    """The time in which calls of one check waited, less the time that was computed for them. Of one event loop."""

    def __init__(self) -> None:
        self._pending = 0
        self._since = 0.0
        self._waited = 0.0
        self._computed = 0.0

    @property
    def seconds(self) -> float:
        """So far. A call that is under way counts as waiting until its answer is there."""
        under_way = time.monotonic() - self._since if self._pending else 0.0
        return max(0.0, self._waited + under_way - self._computed)

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Around a call. Calls may overlap: their time counts once."""
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


#: Of the check that asks; one for each, so that a call nobody measures costs nothing.
_LOST_TIME: ContextVar[LostTime | None] = ContextVar("lost time", default=None)


@contextmanager
def measuring(lost: LostTime) -> Iterator[None]:
    """Inside, and in all tasks that are begun there, calls of the local models are measured by ``lost``."""
    token = _LOST_TIME.set(lost)
    try:
        yield
    finally:
        _LOST_TIME.reset(token)


def current() -> LostTime:
    """What measures the calls here."""
    return _LOST_TIME.get() or LostTime()
