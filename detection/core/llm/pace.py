"""Limit the requests and tokens per minute of an endpoint, if the settings say so."""

from __future__ import annotations

import asyncio
import threading
import time
from collections import deque
from collections.abc import Awaitable, Callable

_MINUTE_S = 60.0


class MinutePace:
    """A rate limit over the last minute; 0 means no limit.

    Shared by all runs of the process, in any event loop.
    """

    def __init__(self, requests: int = 0, tokens: int = 0, *, minute_s: float = _MINUTE_S) -> None:
        self._requests = requests
        self._tokens = tokens
        self._minute_s = minute_s
        self._sent: deque[tuple[float, int]] = deque()
        self._lock = threading.Lock()

    async def turn(self, tokens: int, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep) -> None:
        """Wait until a call of about ``tokens`` tokens may be sent, and count it."""
        while (wait := self._wait_or_count(tokens)) > 0:
            await sleep(wait)

    def _wait_or_count(self, tokens: int) -> float:
        with self._lock:
            now = time.monotonic()
            while self._sent and now - self._sent[0][0] >= self._minute_s:
                self._sent.popleft()
            used = sum(count for _, count in self._sent)
            is_full = bool(self._requests) and len(self._sent) >= self._requests
            # A call above the limit is sent alone; otherwise it would wait forever.
            is_spent = bool(self._tokens) and bool(self._sent) and used + tokens > self._tokens
            if is_full or is_spent:
                return max(0.01, self._sent[0][0] + self._minute_s - now)
            if self._requests or self._tokens:
                self._sent.append((now, tokens))
            return 0.0


_paces: dict[tuple[str, int, int], MinutePace] = {}
_paces_lock = threading.Lock()


def pace_of(base_url: str, requests: int, tokens: int) -> MinutePace:
    """The pace of an endpoint, shared by all runs of this process."""
    with _paces_lock:
        return _paces.setdefault((base_url, requests, tokens), MinutePace(requests, tokens))
