"""Rate limit for each host: a pause between two requests, and longer pauses that the host asks for."""

from __future__ import annotations

import asyncio
import time
from threading import Lock

from ..errors import PageUnreachable

#: Pause between two requests to one host.
INTERVAL_S = 0.5
#: A request that would have to wait longer fails.
LONGEST_WAIT_S = 20.0


class HostPace:
    """Schedules requests by host, for all runs of a process. Safe to use from several threads and event loops."""

    def __init__(self, interval_s: float = INTERVAL_S, *, longest_wait_s: float = LONGEST_WAIT_S) -> None:
        self._interval_s = interval_s
        self._longest_wait_s = longest_wait_s
        self._free_at: dict[str, float] = {}
        self._lock = Lock()

    async def turn(self, host: str, interval_s: float | None = None) -> None:
        """Wait for a turn. ``interval_s`` is the pause that the host asks for, if any.

        Raises:
            PageUnreachable: the wait would be too long.
        """
        await asyncio.sleep(self._reserve(host, max(self._interval_s, interval_s or 0.0)))

    def hold(self, host: str, seconds: float) -> None:
        """Pause requests to the host, as it asked."""
        with self._lock:
            self._free_at[host] = max(self._free_at.get(host, 0.0), time.monotonic() + seconds)

    def _reserve(self, host: str, interval_s: float) -> float:
        with self._lock:
            now = time.monotonic()
            free_at = max(now, self._free_at.get(host, 0.0))
            if free_at - now > self._longest_wait_s:
                raise PageUnreachable(f"{host} asks programs to come back later. Try again in a few minutes.")
            self._free_at[host] = free_at + interval_s
            return free_at - now
