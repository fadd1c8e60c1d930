"""The page cache of a process."""

from __future__ import annotations

from datetime import date

from detection.core.retrieval.page_cache import MemoryPageCache, Page

DAY = date(2026, 5, 4)


async def test_what_was_wanted_last_stays() -> None:
    cache = MemoryPageCache(most_characters=25)
    for name in ("a", "b"):
        await cache.put(name, DAY, Page(name, name, "x" * 10))
    assert await cache.get("a", DAY)
    await cache.put("c", DAY, Page("c", "c", "x" * 10))
    assert [name for name in "abc" if await cache.get(name, DAY)] == ["a", "c"]


async def test_a_page_that_is_put_again_does_not_count_twice() -> None:
    cache = MemoryPageCache(most_characters=25)
    await cache.put("a", DAY, Page("a", "a", "x" * 10))
    for _ in range(5):
        await cache.put("b", DAY, Page("b", "b", "x" * 10))
    assert await cache.get("a", DAY)
