"""One query of the event logs for all open pages of a process, because a nudge may be lost.

If each page queried by itself, a full server would spend more time on queries than on updates.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection
from typing import Protocol
from uuid import UUID

from channels.db import aclose_old_connections, database_sync_to_async

from ...models import Check

#: Interval of the queries, and so the longest delay after a lost nudge.
INTERVAL_S = 3.0
#: Most checks in one query.
_CHECKS_A_QUERY = 500

logger = logging.getLogger(__name__)


class Follower(Protocol):
    """A page that follows a check, and has seen its events up to ``seq``."""

    check_id: UUID
    seq: int

    def wake(self) -> None:
        """Called when the log may have new events."""


class LogPoller:
    """Wakes the pages whose check has newer events or was deleted. For one event loop at a time."""

    def __init__(self) -> None:
        self._pages: set[Follower] = set()
        self._polling: asyncio.Task[None] | None = None

    def add(self, page: Follower) -> None:
        self._pages.add(page)
        if self._polling is None or self._polling.done():
            self._polling = asyncio.create_task(self._poll())

    def discard(self, page: Follower) -> None:
        self._pages.discard(page)

    async def _poll(self) -> None:
        while self._pages:
            await asyncio.sleep(INTERVAL_S)
            try:
                newest = await _newest({page.check_id for page in self._pages})
            except Exception:  # any error: each page gets the same error and reports it
                logger.warning(
                    "cannot read the newest events of %d pages, so each page reads its own log",
                    len(self._pages),
                    exc_info=True,
                )
                newest = {}
            for page in list(self._pages):
                seq = newest.get(page.check_id)
                if seq is None or seq > page.seq:
                    page.wake()
            await aclose_old_connections()


@database_sync_to_async  # type: ignore[untyped-decorator]
def _newest(check_ids: Collection[UUID]) -> dict[UUID, int]:
    """The number of the newest event of each existing check."""
    ids = list(check_ids)
    found: dict[UUID, int] = {}
    for first in range(0, len(ids), _CHECKS_A_QUERY):
        some = Check.objects.filter(pk__in=ids[first : first + _CHECKS_A_QUERY])
        found.update(some.values_list("pk", "last_seq"))
    return found


log_poller = LogPoller()
