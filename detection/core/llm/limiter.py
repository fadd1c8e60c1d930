"""Limit the concurrent calls of an endpoint: more while it answers in time, fewer when it is busy or slow."""

from __future__ import annotations

import asyncio
import threading
import time
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

#: A server for one call at a time can queue this many; for all others the limit doubles with each round.
_FIRST_LIMIT = 4
#: The limit grows only while an answer takes less than this share of its timeout, or little more than the fastest
#: answer: at a server for one call at a time, more calls would only wait for each other.
_SHARE_OF_TIME = 0.25
_SLOWER = 1.5
#: Concurrent calls fail together, which must reduce the limit only once.
_MIN_SECONDS_BETWEEN_CUTS = 1.0

_Waiting = tuple[asyncio.AbstractEventLoop, "asyncio.Future[None]"]


class AdaptiveLimiter:
    """Additive increase, multiplicative decrease, with a slow start, as in TCP.

    Shared by all runs of the process, in any event loop.
    """

    def __init__(self, maximum: int) -> None:
        self._maximum = maximum
        self._limit = float(min(_FIRST_LIMIT, maximum))
        self._has_been_busy = False
        self._in_use = 0
        self._waiting: deque[_Waiting] = deque()
        self._lock = threading.Lock()
        self._last_cut = float("-inf")
        self._fastest_s = float("inf")
        self._pause_until = float("-inf")

    @property
    def limit(self) -> int:
        """The current limit of concurrent calls."""
        return int(self._limit)

    @asynccontextmanager
    async def slot(self) -> AsyncIterator[int]:
        """Wait for a slot and hold it in the body, which gets the limit of this moment."""
        await self._acquire()
        try:
            while (left := self.pause_left_s) > 0:
                await asyncio.sleep(left)
            yield self.limit
        finally:
            self._release()

    def answered(self, seconds: float = 0.0, most_seconds: float = float("inf"), limit: int = 1) -> None:
        """Record a successful call, its duration, its timeout and the limit when it began.

        The limit may have grown since. At a server for one call at a time, as many calls as are under way now wait
        that much longer.
        """
        with self._lock:
            if seconds > 0:
                self._fastest_s = min(self._fastest_s, seconds)
            expected_s = seconds * max(1.0, self._limit / limit)
            if expected_s <= _SHARE_OF_TIME * most_seconds or seconds <= _SLOWER * self._fastest_s:
                step = 1 / self._limit if self._has_been_busy else 1.0
                self._limit = min(float(self._maximum), self._limit + step)
            self._let_in()

    def busy(self) -> None:
        """Record that the endpoint was overloaded or timed out."""
        with self._lock:
            self._has_been_busy = True
            now = time.monotonic()
            if now - self._last_cut >= _MIN_SECONDS_BETWEEN_CUTS:
                self._limit = max(1.0, self._limit / 2)
                self._last_cut = now

    @property
    def pause_left_s(self) -> float:
        """Seconds until calls may be sent again; 0 or less for none."""
        return self._pause_until - time.monotonic()

    def pause(self, seconds: float) -> None:
        """Pause all calls: the wait that the endpoint asks of one call applies to all."""
        with self._lock:
            self._pause_until = max(self._pause_until, time.monotonic() + seconds)

    async def _acquire(self) -> None:
        loop = asyncio.get_running_loop()
        with self._lock:
            if self._in_use < self.limit and not self._waiting:
                self._in_use += 1
                return
            turn: asyncio.Future[None] = loop.create_future()
            self._waiting.append((loop, turn))
        try:
            await turn
        except asyncio.CancelledError:
            self._leave((loop, turn))
            raise

    def _leave(self, waiting: _Waiting) -> None:
        """Leave the queue; a slot granted at the same moment goes to the next caller."""
        with self._lock:
            if waiting in self._waiting:
                self._waiting.remove(waiting)
                return
        self._release()

    def _release(self) -> None:
        with self._lock:
            self._in_use -= 1
            self._let_in()

    def _let_in(self) -> None:
        """Grant free slots to waiting callers. The lock must be held."""
        while self._waiting and self._in_use < self.limit:
            loop, turn = self._waiting.popleft()
            try:
                loop.call_soon_threadsafe(_wake, turn)
            except RuntimeError:
                continue  # its event loop has ended
            self._in_use += 1


def _wake(turn: asyncio.Future[None]) -> None:
    if not turn.done():
        turn.set_result(None)


_limiters: dict[str, AdaptiveLimiter] = {}
_limiters_lock = threading.Lock()


def limiter_of(base_url: str, maximum: int) -> AdaptiveLimiter:
    """The limiter of an endpoint, shared by all runs of this process."""
    with _limiters_lock:
        return _limiters.setdefault(f"{base_url} {maximum}", AdaptiveLimiter(maximum))
