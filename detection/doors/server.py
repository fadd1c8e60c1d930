"""Checks for the doors of a server process, with the same local models as the checks of pages."""

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

#: Most checks of doors at a time; others wait for their turn.
_MOST_AT_ONCE = 4


@cache
def checker() -> Checker:
    return Checker(local_models())


async def check(request: CheckRequest, *, whose: str) -> Report:
    """Check a text in a thread, because the pages need the event loop. Cancelling the caller ends the check.

    Raises:
        DetectionError: the check failed.
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
