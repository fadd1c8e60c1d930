"""The websocket of a page: replay the log from the last event the page has seen, then follow it."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import time
from typing import Any
from uuid import UUID

from channels.db import aclose_old_connections, database_sync_to_async
from channels.generic.websocket import AsyncWebsocketConsumer
from django.conf import settings
from django.contrib.sessions.backends.db import SessionStore
from django.http import QueryDict
from django.utils import translation

from chatprotect_web.metrics import OPEN_PAGES

from ... import events
from ...models import Check
from ...selectors.checks import check_of_owner
from ..owners import valid_owner_of
from ..parameters import asked_page, whole_number
from . import fragments
from .log_poller import log_poller

#: Interval for rechecking ownership: the user may have logged out in another tab.
OWNERSHIP_INTERVAL_S = 15.0
#: Events in quick succession are sent together, because each message renders the changed parts of the page again.
PAUSE_S = 0.2
#: The pause of a page after a message, as a multiple of the render time. With many open pages the pause grows and each
#: message carries more events, so that the work does not grow with the number of pages.
PAUSE_FACTOR = 4
LONGEST_PAUSE_S = 3.0

# Private close codes: the page must not reconnect. (Closing before accepting would reach the browser as 1006, which
# looks like a broken network, and the page would reconnect forever.)
NO_SUCH_CHECK = 4404
#: The page tries again after a while, as after any other code.
COME_BACK = 4503

logger = logging.getLogger(__name__)


class CheckConsumer(AsyncWebsocketConsumer):  # type: ignore[misc]  # channels is untyped
    """Sends ``{"seq": n, "html": "..."}``: what the page must apply to be up to date with event ``n``.

    The query has the last event of the page (``since``), its ``language``, its own id (``page``), and the page of
    warnings that it shows, as in its address. Actions are POST requests whose answers contain their changes: the page
    then sends the number of its newest event, so that the consumer does not render these changes again.
    """

    async def connect(self) -> None:
        self.check_id: UUID = self.scope["url_route"]["kwargs"]["check_id"]
        query = QueryDict(self.scope["query_string"].decode("ascii", errors="replace"))
        self.seq = whole_number(query.get("since", "")) or 0
        self._language = _language(query.get("language", ""))
        self._page = query.get("page", "")
        self._asked = asked_page(query)
        self._changed = asyncio.Event()
        self._following: asyncio.Task[None] | None = None
        await self.accept()
        if not await self._is_owner():
            await self.close(NO_SUCH_CHECK)
            return
        # Subscribe first, then replay: an event between the two comes twice rather than never.
        await self.channel_layer.group_add(events.group_name(self.check_id), self.channel_name)
        self._following = asyncio.create_task(self._follow_or_close())
        log_poller.add(self)
        OPEN_PAGES.inc()

    async def disconnect(self, code: int) -> None:
        if self._following is not None:
            self._following.cancel()
            log_poller.discard(self)
            OPEN_PAGES.dec()
            await self.channel_layer.group_discard(events.group_name(self.check_id), self.channel_name)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        self.seq = max(self.seq, whole_number(text_data or "") or 0)

    async def check_changed(self, message: dict[str, Any]) -> None:
        # The periodic look at the log also covers a lost answer.
        if not self._page or message.get("answered_to") != self._page:
            self.wake()

    def wake(self) -> None:
        self._changed.set()

    async def _follow_or_close(self) -> None:
        try:
            await self._follow()
        except Exception:  # the database is unavailable, or a newer version wrote to the log: the page must notice
            logger.warning("check %s: a page is no longer told, and has to come back", self.check_id, exc_info=True)
            await self.close(COME_BACK)

    async def _follow(self) -> None:
        asked_at = time.monotonic()
        while True:
            self._changed.clear()
            if time.monotonic() - asked_at >= OWNERSHIP_INTERVAL_S:
                if not await self._is_owner():
                    await self.close(NO_SUCH_CHECK)
                    return
                asked_at = time.monotonic()
            begun = time.monotonic()
            try:
                batch = await database_sync_to_async(self._batch)()
            except Check.DoesNotExist:
                await self.close(NO_SUCH_CHECK)
                return
            if batch.seq > self.seq:
                self.seq = batch.seq
                await self.send(json.dumps({"seq": batch.seq, "html": batch.html}))
                await asyncio.sleep(pause_after(time.monotonic() - begun))
            await aclose_old_connections()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._changed.wait(), asked_at + OWNERSHIP_INTERVAL_S - time.monotonic())

    def _batch(self) -> fragments.Batch:
        with translation.override(self._language):
            return fragments.since(self.check_id, self.seq, asked=self._asked)

    @database_sync_to_async  # type: ignore[untyped-decorator]
    def _is_owner(self) -> bool:
        # Reload the session: the account may have logged out or been disabled since the page was opened.
        key = self.scope["session"].session_key or ""
        if not key.isalnum():
            return False  # not a key of ours; PostgreSQL would fail on a null character
        session = SessionStore(key)
        return check_of_owner(self.check_id, valid_owner_of(session)) is not None


def pause_after(render_s: float) -> float:
    """The pause of a page after a message, by its render time."""
    return max(PAUSE_S, min(PAUSE_FACTOR * render_s, LONGEST_PAUSE_S))


def _language(value: str) -> str:
    """The language of the page if it is supported, else the default."""
    return value if value in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE
