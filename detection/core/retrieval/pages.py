"""Read web pages as text, following robots.txt and rate limits; each page is fetched once a day."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable
from datetime import UTC, date, datetime
from urllib.parse import urlsplit

from ..documents.background import read_in_background
from ..documents.types import DocumentLimits
from ..errors import PageRefused, PageUnreachable, UnreadableDocument
from .duplicates import canonical_url
from .fetcher import Fetcher
from .pace import HostPace
from .page_cache import Page, PageCache
from .readability import refuse_notice
from .robots import Robots
from .types import FetchedPage

#: Limits of parallel fetches and of parallel file readers, each of which is a process.
MAX_FETCHES = 8
MAX_READERS = 2
#: A request is retried once if the site asks for a shorter wait.
LONGEST_SECOND_TRY_S = 5.0

#: The errors of an unreadable page.
PageFault = PageRefused | PageUnreachable | UnreadableDocument


def _today() -> date:
    return datetime.now(UTC).date()


class PageReader:
    """Reads the pages of one run according to the robots.txt and the pace of each site."""

    def __init__(
        self,
        fetcher: Fetcher,
        cache: PageCache,
        pace: HostPace,
        limits: DocumentLimits,
        *,
        today: Callable[[], date] = _today,
    ) -> None:
        self._fetcher = fetcher
        self._cache = cache
        self._pace = pace
        self._limits = limits
        self._today = today
        self._robots = Robots(fetcher, cache, pace.turn)
        self._faults: dict[str, PageFault] = {}
        self._turns: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._fetches = asyncio.Semaphore(MAX_FETCHES)
        self._readers = asyncio.Semaphore(MAX_READERS)

    async def read(self, url: str, *, text: str = "", title: str = "") -> Page:
        """The page at an address. ``text`` is its main text, if a search returned it.

        Raises:
            PageRefused, PageUnreachable, UnreadableDocument: it cannot be fetched or read. This run does not request it
                again.
        """
        key = canonical_url(url)
        # Several claims may lead to the same page: later callers wait for the first.
        async with self._turns[key]:
            if key in self._faults:
                raise self._faults[key]
            day = self._today()
            page = await self._cache.get(key, day)
            if page is None:
                try:
                    page = Page(title, url, text) if text else await self._fetch(url, day)
                    refuse_notice(page.text)
                except (PageRefused, PageUnreachable, UnreadableDocument) as fault:
                    self._faults[key] = fault
                    raise
                await self._cache.put(key, day, page)
            return page

    async def _fetch(self, url: str, day: date) -> Page:
        async with self._fetches:
            fetched = await self._fetch_politely(url, day)
        async with self._readers:
            document = await read_in_background(
                fetched.body, name=fetched.url, media_type=fetched.content_type, limits=self._limits
            )
        return Page(" ".join(document.title.split()), fetched.url, document.text)

    async def _fetch_politely(self, url: str, day: date) -> FetchedPage:
        host = urlsplit(url).netloc
        pause = await self._robots.pause(url, day)
        await self._pace.turn(host, pause)
        try:
            fetched = await self._fetcher.fetch(url)
        except PageUnreachable as error:
            if error.retry_after is None:
                raise
            self._pace.hold(host, error.retry_after)
            if error.retry_after > LONGEST_SECOND_TRY_S:
                raise
            await self._pace.turn(host, pause)
            fetched = await self._fetcher.fetch(url)
        if urlsplit(fetched.url).netloc != host:
            await self._robots.pause(fetched.url, day)  # robots.txt may forbid the redirect target
        return fetched
