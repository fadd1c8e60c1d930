"""The channel layer of the embedded mode: one process, several threads, several event loops."""

from __future__ import annotations

import asyncio
from typing import Any

from channels.layers import InMemoryChannelLayer


class ThreadSafeInMemoryChannelLayer(InMemoryChannelLayer):  # type: ignore[misc]  # channels is untyped
    """An in-memory layer that a worker thread may send into.

    Queues and groups belong to the server's event loop. Channels' own layer writes to them from the loop of the
    sender, which does not wake the server's loop and loses messages. This layer passes a send from another loop to the
    loop that owns them.
    """

    _home: asyncio.AbstractEventLoop | None = None

    async def new_channel(self, prefix: str = "specific.") -> str:
        self._home = asyncio.get_running_loop()
        name: str = await super().new_channel(prefix)
        return name

    async def group_send(self, group: str, message: dict[str, Any]) -> None:
        home = self._home
        if home is None or home is asyncio.get_running_loop():
            await super().group_send(group, message)
        elif home.is_running():
            # Do not wait for it: a worker must never block on a server that is shutting down.
            asyncio.run_coroutine_threadsafe(super().group_send(group, message), home)
