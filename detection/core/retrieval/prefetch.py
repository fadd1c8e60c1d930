"""Prefetch the next document while the current one is read."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator

from .retriever import Retrieved, RetrievedDocument, SkippedPage

#: The skipped pages, and the document after them.
_Found = tuple[list[SkippedPage], RetrievedDocument | None]


class DocumentQueue:
    """The documents for one query, one at a time. At most ``most`` results are used, including skipped ones."""

    def __init__(self, retrieved: AsyncGenerator[Retrieved], most: int) -> None:
        self.skipped: list[SkippedPage] = []
        """The unreadable pages so far."""
        self._retrieved = retrieved
        self._left = most
        self._next: asyncio.Task[_Found] | None = None

    def prefetch(self) -> None:
        """Begin to fetch the next document, unless this is already running."""
        self._begin()

    async def get(self) -> RetrievedDocument | None:
        """The next document; None when there is none.

        Raises:
            SearchFailed: the search failed.
        """
        skipped, document = await self._begin()
        self._next = None
        self.skipped += skipped
        return document

    async def aclose(self) -> None:
        """Cancel the running fetch."""
        if self._next is not None:
            self._next.cancel()
            await asyncio.gather(self._next, return_exceptions=True)
        await self._retrieved.aclose()

    def _begin(self) -> asyncio.Task[_Found]:
        if self._next is None:
            self._next = asyncio.create_task(self._find())
        return self._next

    async def _find(self) -> _Found:
        skipped: list[SkippedPage] = []
        while self._left > 0:
            self._left -= 1
            retrieved = await anext(self._retrieved, None)
            if not isinstance(retrieved, SkippedPage):
                return skipped, retrieved
            skipped.append(retrieved)
        return skipped, None
