"""How often one host is asked: with a pause between two requests, and not while it wants to be left alone."""

from __future__ import annotations

import asyncio
import time
from threading import Lock

from ..errors import PageUnreachable

#: Between two requests to one host.
INTERVAL_S = 0.5
#: Who would have to wait longer goes without the page.
LONGEST_WAIT_S = 20.0


class HostPace:
    """Gives turns, host by host. One for all runs of a process; safe to use from several threads and event loops."""

    def __init__(self, interval_s: float = INTERVAL_S, *, longest_wait_s: float = LONGEST_WAIT_S) -> None:
        self._interval_s = interval_s
        self._longest_wait_s = longest_wait_s
        self._free_at: dict[str, float] = {}
        self._lock = Lock()

    async def turn(self, host: str, interval_s: float | None = None) -> None:
        """Wait for a turn. ``interval_s`` is the pause that the host itself asks for, where it does.

        Raises:
            PageUnreachable: it would take too long.
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
