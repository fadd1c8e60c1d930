"""Answer few requests at a time, so that open pages receive their events.

All threads of a process share the interpreter lock. A message to an open page acquires it a dozen times, and each time
waits behind every request in progress. Answering all requests at once does not make them faster.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

Application = Callable[[Any, Any, Any], Awaitable[Any]]

PLACES = 3
#: Longest wait for a slot: the requests that hold the slots may hang.
PATIENCE_S = 0.25


class TakeTurns:
    """An application whose requests wait, up to a limit, for one of a few slots."""

    def __init__(self, application: Application) -> None:
        self._application = application
        self._places = asyncio.Semaphore(PLACES)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> Any:
        has_place = await self._wait_for_place()
        try:
            return await self._application(scope, receive, send)
        finally:
            if has_place:
                self._places.release()

    async def _wait_for_place(self) -> bool:
        try:
            await asyncio.wait_for(self._places.acquire(), PATIENCE_S)
        except TimeoutError:
            return False
        return True
