"""A thread of each worker that watches the other threads and ends the process if one hangs.

A library call that never returns blocks its thread, and Python cannot end a thread. The lease of its check expires and
another worker takes over, but its place in this worker is lost. A restart of the process (by Docker, systemd or
Kubernetes) restores the place. The other runs hand over their checks first, if they can.

A call that also keeps the interpreter lock stops all threads of the process, including this one. A thread of
``faulthandler``, which needs no lock, then ends the process and logs the stacks of its threads.
"""

from __future__ import annotations

import faulthandler
import logging
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from django.conf import settings

from .lifecycle import stopping

logger = logging.getLogger(__name__)

EXIT_STATUS = 70
#: Looks per lease. A thread without a pulse for two leases hangs.
_LOOKS_A_LEASE = 4
_SILENT_LOOKS = 2 * _LOOKS_A_LEASE
#: Time for the other runs to hand over.
_LAST_S = 15.0
#: A process without a pulse for this many leases is ended, also if it was suspended for so long.
FROZEN_LEASES = 10
#: The file itself: Celery has replaced ``sys.stderr`` with an object that is not a file.
_LOG = 2


@dataclass(slots=True, eq=False)
class Pulse:
    """The pulse of one run: it beats as long as the run makes progress."""

    beats: int = 0
    _seen: int = -1
    _silent: int = 0

    def beat(self) -> None:
        self.beats += 1

    def has_stopped(self) -> bool:
        """Look once. Counts looks, not seconds, because a process that was suspended does not hang."""
        self._silent = self._silent + 1 if self.beats == self._seen else 0
        self._seen = self.beats
        return self._silent >= _SILENT_LOOKS


_pulses: set[Pulse] = set()


@contextmanager
def watched() -> Iterator[Pulse]:
    """Give a run a pulse, which it must beat regularly."""
    pulse = Pulse()
    _pulses.add(pulse)
    try:
        yield pulse
    finally:
        _pulses.discard(pulse)


def start() -> None:
    """Check the pulses until the process stops."""
    threading.Thread(target=_look, name="watchdog", daemon=True).start()


def _look() -> None:
    while not stopping.wait(settings.LEASE_SECONDS / _LOOKS_A_LEASE):
        # Postpone the timeout.
        faulthandler.dump_traceback_later(FROZEN_LEASES * settings.LEASE_SECONDS, exit=True, file=_LOG)
        hanging = sum(pulse.has_stopped() for pulse in list(_pulses))
        if hanging:
            logger.critical("%d runs hang in this worker, so it ends; others take them over", hanging)
            _end(hanging)


def _end(hanging: int) -> None:
    stopping.set()
    patience = threading.Event()
    for _ in range(int(_LAST_S * 10)):
        if len(_pulses) <= hanging:
            break
        patience.wait(0.1)
    os._exit(EXIT_STATUS)  # Celery would wait for the hanging thread
