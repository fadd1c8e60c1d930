"""Restarts a worker that ends by itself: ``python -m chatprotect_web.worker_process --queues long``.

This is for ``make worker``; Docker and systemd have their own restarts (``docs/deploy.md``). It imports nothing of the
program, so that it cannot fail for the same reason. Arguments go to ``celery worker``.
"""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from types import FrameType

_FIRST_PAUSE_S = 1.0
_LONGEST_PAUSE_S = 8.0
#: A worker that ends within this time has failed to start. After several such failures the process gives up.
_START_S = 10.0
_MOST_FALSE_STARTS = 5


class WorkerProcess:
    def __init__(self, command: Sequence[str], *, first_pause_s: float = _FIRST_PAUSE_S) -> None:
        self._command = command
        self._pause_s = self._first_pause_s = first_pause_s
        self._process: subprocess.Popen[bytes] | None = None
        self._is_asked_to_stop = False

    def run(self) -> int:
        """Keep the worker running until this process is asked to stop; returns its last exit status."""
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._stop)
        false_starts = 0
        while True:
            began = time.monotonic()
            status = self._run_once()
            has_worked = time.monotonic() - began > _START_S
            false_starts = 0 if has_worked else false_starts + 1
            if self._is_asked_to_stop or status == 0 or false_starts == _MOST_FALSE_STARTS:
                return status
            self._pause_s = self._first_pause_s if has_worked else min(2 * self._pause_s, _LONGEST_PAUSE_S)
            print(f"the worker has ended with status {status}; it is started again", file=sys.stderr)  # noqa: T201
            time.sleep(self._pause_s)

    def _run_once(self) -> int:
        # Its own session: Ctrl+C reaches only this process, which forwards it once.
        self._process = subprocess.Popen(self._command, start_new_session=True)  # noqa: S603  # our own command
        if self._is_asked_to_stop:
            self._process.terminate()
        return self._process.wait()

    def _stop(self, number: int, frame: FrameType | None) -> None:
        self._is_asked_to_stop = True
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()


def main() -> int:
    command = [sys.executable, "-m", "celery", "--quiet", "--app", "chatprotect_web", "worker", *sys.argv[1:]]
    return WorkerProcess(command).run()


if __name__ == "__main__":
    sys.exit(main())
