"""Messages to the open pages of a check, sent from their own event loop.

``async_to_sync`` would send them on the event loop of the run or request that writes. A loop that is ending cancels a
new task before its first step, and the thread that waits for the task hangs forever.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from typing import Any

from channels.layers import get_channel_layer

logger = logging.getLogger(__name__)

#: Pause after a failed message, so that not every step of every run tries an unavailable transport.
_QUIET_S = 3.0
#: Most messages that wait for a slow transport. More are dropped, because the pages poll.
_MOST_WAITING = 1_000

_quiet_until = float("-inf")
_waiting: set[asyncio.Task[None]] = set()
_starting = threading.Lock()
_loop: asyncio.AbstractEventLoop | None = None


def send(group: str, message: dict[str, Any]) -> None:
    """Queue a message for the members of a channel group and return at once. It may get lost."""
    if time.monotonic() >= _quiet_until:
        _running_loop().call_soon_threadsafe(_begin, group, message)


def _begin(group: str, message: dict[str, Any]) -> None:
    if len(_waiting) < _MOST_WAITING:
        task = asyncio.get_running_loop().create_task(_send(group, message))
        _waiting.add(task)
        task.add_done_callback(_waiting.discard)


async def _send(group: str, message: dict[str, Any]) -> None:
    global _quiet_until
    for is_last in (False, True):
        try:
            await get_channel_layer().group_send(group, message)
        except Exception as error:  # any error of the transport: the state is stored, and the pages poll
            if is_last:
                _quiet_until = time.monotonic() + _QUIET_S
                logger.warning("%s: no message could be sent, and none will be for a while: %s", group, error)
        else:
            return  # a restarted Redis has closed the connection: the second attempt opens a new one


def _running_loop() -> asyncio.AbstractEventLoop:
    global _loop
    with _starting:
        if _loop is None:
            _loop = asyncio.new_event_loop()
            threading.Thread(target=_loop.run_forever, name="nudges", daemon=True).start()
        return _loop
