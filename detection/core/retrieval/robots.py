"""Follow robots.txt (RFC 9309)."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable
from datetime import date
from urllib.parse import urlsplit

from protego import Protego

from ..errors import PageRefused, PageUnreachable
from .fetcher import Fetcher
from .page_cache import Page, PageCache

#: The user agent of this program in robots.txt.
PRODUCT = "ChatProtect-Web"

#: RFC 9309, 2.5: the minimum size that must be parsed.
_MAX_BYTES = 512_000
_TOO_MANY_REQUESTS = 429


class Robots:
    """The rules of the sites that a run visits; each robots.txt is fetched once a day.

    ``turn`` is awaited with the host before a file is fetched.
    """

    def __init__(self, fetcher: Fetcher, cache: PageCache, turn: Callable[[str], Awaitable[None]]) -> None:
        self._fetcher = fetcher
        self._cache = cache
        self._turn = turn
        self._rules: dict[str, Protego] = {}
        self._locks: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def pause(self, url: str, day: date) -> float | None:
        """Check that the page may be fetched, and return the crawl delay of the site in seconds; None without one.

        Raises:
            PageRefused: it may not.
            PageUnreachable: the robots.txt is unavailable now.
        """
        parts = urlsplit(url)
        origin = f"{parts.scheme}://{parts.netloc}"
        async with self._locks[origin]:
            if origin not in self._rules:
                self._rules[origin] = Protego.parse(await self._text(f"{origin}/robots.txt", parts.netloc, day))
        rules = self._rules[origin]
        if not rules.can_fetch(url, PRODUCT):
            raise PageRefused("The site asks programs not to read this page (robots.txt).")
        return rules.crawl_delay(PRODUCT)

    async def _text(self, url: str, host: str, day: date) -> str:
        known = await self._cache.get(url, day)
        if known is not None:
            return known.text
        await self._turn(host)
        text = ""
        try:
            text = (await self._fetcher.fetch(url)).body[:_MAX_BYTES].decode("utf-8", errors="replace")
        except PageRefused:
            pass  # not text, and so without rules
        except PageUnreachable as error:
            # A site without the file has no rules; if the file is unreachable, nothing may be fetched (RFC 9309,
            # 2.3.1).
            has_none = error.status is not None and 400 <= error.status < 500 and error.status != _TOO_MANY_REQUESTS
            if not has_none:
                raise
        await self._cache.put(url, day, Page("", url, text))
        return text
