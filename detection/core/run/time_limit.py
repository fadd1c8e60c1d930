"""The time limit of a check."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from ..local_models.lost_time import LostTime


class TimeLimit:
    """The time starts with the construction. ``seconds`` None means no limit.

    Time that the check waits for the local models does not count while they compute for other checks or wait for a
    processor: only the work of the check itself uses up its limit.
    """

    def __init__(self, seconds: float | None, lost: LostTime) -> None:
        self._seconds = seconds
        self._lost = lost
        self._began = asyncio.get_running_loop().time()

    @asynccontextmanager
    async def inside(self) -> AsyncIterator[asyncio.Timeout]:
        """Raise TimeoutError in the body when the time is over; the yielded timeout tells whether it expired."""
        async with asyncio.timeout(None) as timeout:
            clock = asyncio.create_task(self._expire(timeout, self._seconds)) if self._seconds is not None else None
            try:
                yield timeout
            finally:
                if clock is not None:
                    clock.cancel()

    async def _expire(self, timeout: asyncio.Timeout, seconds: float) -> None:
        loop = asyncio.get_running_loop()
        while (left := seconds - (loop.time() - self._began - self._lost.seconds)) > 0:
            await asyncio.sleep(left)
        timeout.reschedule(loop.time())
