"""How a run is asked to end: cooperatively, by a probe that the caller supplies."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from typing import Any

from .errors import Cancelled

#: True when the run shall end. Asked every few hundred milliseconds; may look into a database.
CancelProbe = Callable[[], Awaitable[bool]]

PROBE_INTERVAL_S = 0.25


async def never() -> bool:
    """The probe of a run that nobody can stop."""
    return False


async def run_together(work: Iterable[Coroutine[Any, Any, None]]) -> None:
    """Run all of ``work`` at the same time. The first error ends the others, and comes through as it is."""
    try:
        async with asyncio.TaskGroup() as group:
            for coroutine in work:
                group.create_task(coroutine)
    except ExceptionGroup as errors:
        raise errors.exceptions[0] from None


async def run_until_cancelled(
    work: Coroutine[Any, Any, None], probe: CancelProbe, *, interval_s: float = PROBE_INTERVAL_S
) -> None:
    """Run ``work`` to its end, or until ``probe`` says so.

    Whatever ``work`` awaits at that moment (a model call, a batch) is abandoned at once, so that an answer which
    takes long does not hold up the end.

    Raises:
        Cancelled: the probe said so. Errors of ``work`` and of the probe come through unchanged.
    """
    task = asyncio.create_task(work)
    try:
        while not task.done():
            if await probe():
                raise Cancelled
            await asyncio.wait({task}, timeout=interval_s)
        await task
    finally:
        if not task.done():
            task.cancel()
            await asyncio.wait({task})
