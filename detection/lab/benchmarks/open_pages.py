"""Pages that stay open: each follows its check by websocket, as the script of the page does, and notes what comes."""

from __future__ import annotations

import asyncio
import re
import threading
import time
from collections.abc import Coroutine, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

#: The page is up to date with the event of this number.
_SEQ = re.compile(r'\{"seq": (\d+)')
_RECONNECT_S = 1.0
_OPEN_TIMEOUT_S = 60.0


@dataclass(frozen=True, slots=True)
class Arrival:
    """A message that brought a page up to date with the event ``seq``, at a time in seconds since 1970."""

    seq: int
    at: float


@dataclass(slots=True)
class OpenPage:
    """One page. ``breaks`` were its connections that ended, or could not be made."""

    check_id: str
    cookies: str
    since: int
    """The event that it shows at first."""
    opened_at: float = 0.0
    arrivals: list[Arrival] = field(default_factory=list)
    breaks: int = 0

    @property
    def seq(self) -> int:
        """The newest event that it shows."""
        return self.arrivals[-1].seq if self.arrivals else self.since


class OpenPages:
    """Any number of pages of one server, in a thread of their own. Made by :func:`open_pages`."""

    def __init__(self, url: str, loop: asyncio.AbstractEventLoop) -> None:
        self.pages: list[OpenPage] = []
        self._origin = url
        self._loop = loop
        self._following: list[Future[None]] = []

    def open(self, check_id: str, cookies: str, *, since: int) -> OpenPage:
        """Open another page, which need not be there yet when this returns."""
        page = OpenPage(check_id, cookies, since)
        self.pages.append(page)
        self._following.append(self._run(self._follow(page)))
        return page

    def close(self) -> None:
        """Close all of them."""
        for following in self._following:
            following.cancel()
        self._following.clear()
        self.pages.clear()

    def _run(self, work: Coroutine[Any, Any, None]) -> Future[None]:
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    async def _follow(self, page: OpenPage) -> None:
        seq = page.since
        address = self._origin.replace("http", "ws", 1) + f"/ws/checks/{page.check_id}/"
        while True:
            try:
                async with connect(
                    f"{address}?since={seq}",
                    additional_headers={"Cookie": page.cookies},
                    origin=self._origin,  # type: ignore[arg-type]  # a NewType of the library
                    proxy=None,
                    max_size=None,
                    open_timeout=_OPEN_TIMEOUT_S,
                ) as socket:
                    page.opened_at = page.opened_at or time.time()
                    async for message in socket:
                        found = _SEQ.match(str(message))
                        if found:
                            seq = int(found[1])
                            page.arrivals.append(Arrival(seq, time.time()))
            except (OSError, WebSocketException):
                pass
            page.breaks += 1
            await asyncio.sleep(_RECONNECT_S)


@contextmanager
def open_pages(url: str) -> Iterator[OpenPages]:
    """No page yet; all that were opened are closed at the end."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, name="open pages", daemon=True)
    thread.start()
    pages = OpenPages(url, loop)
    try:
        yield pages
    finally:
        pages.close()
        asyncio.run_coroutine_threadsafe(_end_all(), loop).result(timeout=30)
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


async def _end_all() -> None:
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)
    await asyncio.sleep(0.1)  # wait until their transports are closed
