from __future__ import annotations

import asyncio
import time

import pytest

from detection.core.control import never, results_in_order, run_until_cancelled
from detection.core.errors import Cancelled


async def test_work_that_is_not_cancelled_runs_to_its_end() -> None:
    done = []

    async def work() -> None:
        await asyncio.sleep(0)
        done.append(True)

    await run_until_cancelled(work(), never)
    assert done == [True]


async def test_errors_of_the_work_come_through() -> None:
    async def work() -> None:
        raise ValueError("from the work")

    with pytest.raises(ValueError, match="from the work"):
        await run_until_cancelled(work(), never)


async def test_cancelling_abandons_what_the_work_waits_for() -> None:
    cleaned_up = []

    async def work() -> None:
        try:
            await asyncio.sleep(60)
        finally:
            cleaned_up.append(True)

    asked = 0

    async def second_time() -> bool:
        nonlocal asked
        asked += 1
        return asked > 1

    begun = time.monotonic()
    with pytest.raises(Cancelled):
        await run_until_cancelled(work(), second_time, interval_s=0.01)
    assert cleaned_up == [True]
    assert time.monotonic() - begun < 30


async def test_an_error_of_the_probe_ends_the_work() -> None:
    cancelled = []

    async def work() -> None:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            cancelled.append(True)
            raise

    async def broken() -> bool:
        await asyncio.sleep(0)
        raise OSError("the database is gone")

    with pytest.raises(OSError, match="database is gone"):
        await run_until_cancelled(work(), broken)
    assert cancelled == [True]


async def test_results_come_in_order_while_some_work_runs_at_once() -> None:
    ends = [asyncio.Event() for _ in range(4)]
    started: list[int] = []

    async def work(number: int) -> int:
        started.append(number)
        await ends[number].wait()
        return number

    results = results_in_order((work(number) for number in range(4)), at_once=2)
    first = asyncio.ensure_future(anext(results))
    ends[1].set()
    while len(started) < 2:
        await asyncio.sleep(0)
    assert started == [0, 1]
    assert not first.done()
    ends[0].set()
    assert await first == 0
    for end in ends:
        end.set()
    assert [number async for number in results] == [1, 2, 3]


async def test_the_first_error_ends_work_that_runs_at_once() -> None:
    cancelled: list[int] = []

    async def work(number: int) -> int:
        if number == 0:
            raise ValueError("the first")
        try:
            await asyncio.Event().wait()
        finally:
            cancelled.append(number)
        return number

    with pytest.raises(ValueError, match="the first"):
        async for _ in results_in_order((work(number) for number in range(3)), at_once=2):
            pass
    assert cancelled == [1]
