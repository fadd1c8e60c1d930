"""Few requests at a time, and nobody behind one that hangs."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from chatprotect_web import turns


async def test_few_requests_are_answered_at_a_time() -> None:
    under_way: list[int] = [0]

    async def application(scope: Any, receive: Any, send: Any) -> None:
        under_way.append(under_way[-1] + 1)
        await asyncio.sleep(0.005)
        under_way.append(under_way[-1] - 1)
        if scope == "broken":
            raise ValueError

    taking_turns = turns.TakeTurns(application)
    requests = (taking_turns(scope, None, None) for scope in ["broken", "", ""] * 4)
    answers = await asyncio.gather(*requests, return_exceptions=True)
    assert [type(answer) for answer in answers] == [ValueError, type(None), type(None)] * 4
    assert (max(under_way), under_way[-1]) == (turns.PLACES, 0)


async def test_nobody_waits_long_for_those_that_wait_themselves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "PATIENCE_S", 0.02)
    go_on = asyncio.Event()

    async def application(scope: Any, receive: Any, send: Any) -> str:
        if scope == "hangs":
            await go_on.wait()
        return "answered"

    taking_turns = turns.TakeTurns(application)
    hanging = [asyncio.create_task(taking_turns("hangs", None, None)) for _ in range(turns.PLACES)]
    assert await asyncio.wait_for(taking_turns("", None, None), 1) == "answered"
    go_on.set()
    assert await asyncio.gather(*hanging) == ["answered"] * turns.PLACES
