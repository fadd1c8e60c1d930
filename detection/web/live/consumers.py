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
from ..owners import owner_who_may_enter
from ..parameters import asked_page, whole_number
from . import fragments
from .lookout import lookout

#: Interval for rechecking ownership: somebody may have logged out in another tab.
ASK_AGAIN_S = 15.0
#: Events that come in quick succession are sent together: each time, the changed parts of the page are made anew.
PAUSE_S = 0.2
#: How long a page rests after a message, as a multiple of the render time. With many pages open the rest grows, each
#: message carries more, and the work does not grow with the number of pages.
REST = 4
LONGEST_REST_S = 3.0

# Private close codes: the page must not try again. (Closing before accepting would reach the browser as 1006, which
# looks like a broken network, and it would reconnect for ever.)
NO_SUCH_CHECK = 4404
#: The page tries again after a while, as after any other code.
COME_BACK = 4503

logger = logging.getLogger(__name__)


class CheckConsumer(AsyncWebsocketConsumer):  # type: ignore[misc]  # channels is untyped
    """Sends ``{"seq": n, "html": "..."}``: what the page must apply to be up to date with event ``n``.

    The page says in ``?since=`` which event it has seen last, in ``language`` what it is written in, and in ``page``
    what it calls itself; the page of warnings that it shows is named as in its own address. What it does goes by POST,
    and the answer has what changed by it: the page then sends the number of the newest event that it has seen, so
    that nothing is made for it a second time.
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
        lookout.add(self)
        OPEN_PAGES.inc()

    async def disconnect(self, code: int) -> None:
        if self._following is not None:
            self._following.cancel()
            lookout.discard(self)
            OPEN_PAGES.dec()
            await self.channel_layer.group_discard(events.group_name(self.check_id), self.channel_name)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        self.seq = max(self.seq, whole_number(text_data or "") or 0)

    async def check_changed(self, message: dict[str, Any]) -> None:
        # An answer that gets lost is made up for as a lost nudge is.
        if not self._page or message.get("answered_to") != self._page:
            self.wake()

    def wake(self) -> None:
        self._changed.set()

    async def _follow_or_close(self) -> None:
        try:
            await self._follow()
        except Exception:  # the database is away, or a newer version wrote to the log: a page must not stay silent
            logger.warning("check %s: a page is no longer told, and has to come back", self.check_id, exc_info=True)
            await self.close(COME_BACK)

    async def _follow(self) -> None:
        asked_at = time.monotonic()
        while True:
            self._changed.clear()
            if time.monotonic() - asked_at >= ASK_AGAIN_S:
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
                await asyncio.sleep(rest_after(time.monotonic() - begun))
            await aclose_old_connections()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._changed.wait(), asked_at + ASK_AGAIN_S - time.monotonic())

    def _batch(self) -> fragments.Batch:
        with translation.override(self._language):
            return fragments.since(self.check_id, self.seq, asked=self._asked)

    @database_sync_to_async  # type: ignore[untyped-decorator]
    def _is_owner(self) -> bool:
        # Read anew: since the page was opened, its account may have logged out or been shut.
        key = self.scope["session"].session_key or ""
        if not key.isalnum():
            return False  # no key of ours, and with a null character none that PostgreSQL takes
        session = SessionStore(key)
        return check_of_owner(self.check_id, owner_who_may_enter(session)) is not None


def rest_after(render_s: float) -> float:
    """How long a page rests after a message that took so long to render."""
    return max(PAUSE_S, min(REST * render_s, LONGEST_REST_S))


def _language(value: str) -> str:
    """That of the page, if it is one of ours."""
    return value if value in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE
