"""Cache of read pages: each is fetched once a day, for any number of claims."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from datetime import date
from threading import Lock
from typing import Protocol

#: Maximum characters of pages in the cache of a process: about four hundred long pages.
MAX_CHARACTERS = 20_000_000


@dataclass(frozen=True, slots=True)
class Page:
    """The main text of a page. ``url`` is its address after all redirects."""

    title: str
    url: str
    text: str


class PageCache(Protocol):
    """Stores pages by the requested address and the day."""

    async def get(self, url: str, day: date) -> Page | None: ...

    async def put(self, url: str, day: date, page: Page) -> None: ...


class MemoryPageCache:
    """An LRU cache in the memory of this process. Safe to use from several threads."""

    def __init__(self, most_characters: int = MAX_CHARACTERS) -> None:
        self._most_characters = most_characters
        self._pages: OrderedDict[tuple[str, date], Page] = OrderedDict()
        self._characters = 0
        self._lock = Lock()

    async def get(self, url: str, day: date) -> Page | None:
        with self._lock:
            page = self._pages.get((url, day))
            if page is not None:
                self._pages.move_to_end((url, day))
            return page

    async def put(self, url: str, day: date, page: Page) -> None:
        with self._lock:
            replaced = self._pages.pop((url, day), None)
            self._pages[url, day] = page
            self._characters += len(page.text) - (len(replaced.text) if replaced else 0)
            while self._characters > self._most_characters:
                _, dropped = self._pages.popitem(last=False)
                self._characters -= len(dropped.text)
