"""One look at the logs for all open pages of a process: a nudge may get lost.

If each page looked by itself, to look would cost a full server more than to tell.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection
from typing import Protocol
from uuid import UUID

from channels.db import aclose_old_connections, database_sync_to_async

from ...models import Check

#: How long a lost nudge goes unnoticed.
INTERVAL_S = 3.0
#: Checks that are asked about in one query.
_CHECKS_A_QUERY = 500

logger = logging.getLogger(__name__)


class Follower(Protocol):
    """A page that follows a check, and has seen its events up to ``seq``."""

    check_id: UUID
    seq: int

    def wake(self) -> None:
        """There may be something new."""


class Lookout:
    """Wakes the pages whose check has gone on without them, or is gone. For one event loop at a time."""

    def __init__(self) -> None:
        self._pages: set[Follower] = set()
        self._looking: asyncio.Task[None] | None = None

    def add(self, page: Follower) -> None:
        self._pages.add(page)
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self._look())

    def discard(self, page: Follower) -> None:
        self._pages.discard(page)

    async def _look(self) -> None:
        while self._pages:
            await asyncio.sleep(INTERVAL_S)
            try:
                newest = await _newest({page.check_id for page in self._pages})
            except Exception:  # whatever it was: each page meets it as well, and says so
                logger.warning("nobody can look for %d pages, so each looks by itself", len(self._pages), exc_info=True)
                newest = {}
            for page in list(self._pages):
                seq = newest.get(page.check_id)
                if seq is None or seq > page.seq:
                    page.wake()
            await aclose_old_connections()


@database_sync_to_async  # type: ignore[untyped-decorator]
def _newest(check_ids: Collection[UUID]) -> dict[UUID, int]:
    """The number of the newest event of each check that there is."""
    ids = list(check_ids)
    found: dict[UUID, int] = {}
    for first in range(0, len(ids), _CHECKS_A_QUERY):
        some = Check.objects.filter(pk__in=ids[first : first + _CHECKS_A_QUERY])
        found.update(some.values_list("pk", "last_seq"))
    return found


lookout = Lookout()
