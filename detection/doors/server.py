"""Checks for doors of a server process. Its local models are those that checks of pages use."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache

from ..core.run.pipeline import CheckRequest
from ..core.types import Engine
from ..wiring import local_models, seconds_of_check
from .checker import Checker
from .report import Report

#: So many checks of doors run at a time; others wait for their turn.
_MOST_AT_ONCE = 4


@cache
def checker() -> Checker:
    return Checker(local_models())


async def check(request: CheckRequest, *, whose: str) -> Report:
    """Check a text beside the event loop, which the pages need. The check ends when nobody waits for it any more.

    Raises:
        DetectionError: it came to nothing.
    """
    gone = threading.Event()
    limited = replace(request, seconds=seconds_of_check(Engine.LOCAL, ""))

    async def has_gone() -> bool:
        return gone.is_set()

    def run() -> Report:
        return asyncio.run(checker().check(limited, whose=whose, cancelled=has_gone))

    try:
        return await asyncio.get_running_loop().run_in_executor(_pool(), run)
    except asyncio.CancelledError:
        gone.set()
        raise


@cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(_MOST_AT_ONCE, thread_name_prefix="doors")
