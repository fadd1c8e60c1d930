"""Threads that run as long as the process: a function that ends, with or without an error, is restarted."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable

from .lifecycle import stopping

logger = logging.getLogger(__name__)

_FIRST_PAUSE_S = 1.0
_LONGEST_PAUSE_S = 30.0
#: After working for this time, the next pause is the first one again.
_STEADY_S = 60.0


class Supervised:
    """A function that should never return, in its own thread. The pause before a restart doubles each time."""

    def __init__(self, name: str, work: Callable[[], None], *, first_pause_s: float = _FIRST_PAUSE_S) -> None:
        self._name = name
        self._work = work
        self._first_pause_s = first_pause_s
        self._thread = threading.Thread(target=self._supervise, name=name, daemon=True)
        self._is_broken = False

    def start(self) -> None:
        self._thread.start()

    def note_working(self) -> None:
        """Called by the function once it works."""
        self._is_broken = False

    @property
    def is_well(self) -> bool:
        """False from the end of the function until it works again, and if its thread has ended."""
        return self._thread.is_alive() and not self._is_broken

    def _supervise(self) -> None:
        pause_s = self._first_pause_s
        while not stopping.is_set():
            began = time.monotonic()
            self._run_once()
            if time.monotonic() - began > _STEADY_S:
                pause_s = self._first_pause_s
            if stopping.wait(pause_s):
                return
            pause_s = min(2 * pause_s, _LONGEST_PAUSE_S)

    def _run_once(self) -> None:
        try:
            self._work()
            logger.error("%s has ended; it is started again", self._name)
        except Exception:
            logger.exception("%s has broken down; it is started again", self._name)
        self._is_broken = True
