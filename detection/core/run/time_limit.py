"""The time limit of a check."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from ..local_models.lost_time import LostTime


class TimeLimit:
    """Counts from its making. ``seconds`` None is no limit.

    The time does not count in which the check waits for the local models while they compute for others, or get nothing
    of a busy machine: a check is cut off for what it asks for, and not for what else goes on.
    """

    def __init__(self, seconds: float | None, lost: LostTime) -> None:
        self._seconds = seconds
        self._lost = lost
        self._began = asyncio.get_running_loop().time()

    @asynccontextmanager
    async def inside(self) -> AsyncIterator[asyncio.Timeout]:
        """End what is awaited inside by a TimeoutError when the time is over; the timeout tells whether it was."""
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
