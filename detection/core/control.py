"""Cooperative cancellation: the caller supplies a probe that says when a run must end."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterable
from itertools import islice
from typing import Any, TypeVar

from .errors import Cancelled

#: Returns True when the run must end. Called every few hundred milliseconds; may query a database.
CancelProbe = Callable[[], Awaitable[bool]]

PROBE_INTERVAL_S = 0.25

Result = TypeVar("Result")


async def never() -> bool:
    """The probe of a run that cannot be cancelled."""
    return False


async def run_together(work: Iterable[Coroutine[Any, Any, None]]) -> None:
    """Run all of ``work`` at the same time. The first error cancels the others and is raised unchanged."""
    try:
        async with asyncio.TaskGroup() as group:
            for coroutine in work:
                group.create_task(coroutine)
    except ExceptionGroup as errors:
        raise errors.exceptions[0] from None


async def results_in_order(work: Iterable[Coroutine[Any, Any, Result]], *, at_once: int) -> AsyncIterator[Result]:
    """The results of ``work`` in its order, while at most ``at_once`` of it runs. The first error cancels the rest."""
    waiting = iter(work)
    running = deque(asyncio.create_task(one) for one in islice(waiting, at_once))
    try:
        while running:
            yield await running[0]
            running.popleft()
            running.extend(asyncio.create_task(one) for one in islice(waiting, 1))
    finally:
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)


async def run_until_cancelled(
    work: Coroutine[Any, Any, None], probe: CancelProbe, *, interval_s: float = PROBE_INTERVAL_S
) -> None:
    """Run ``work`` to its end, or until ``probe`` returns True.

    Whatever ``work`` awaits at that moment (a model call, a batch) is cancelled at once, so that a slow answer does not
    delay the cancellation.

    Raises:
        Cancelled: the probe returned True. Errors of ``work`` and of the probe are raised unchanged.
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
