"""Peak memory of processes, in MiB, as Linux tells it."""

from __future__ import annotations

import threading
from pathlib import Path
from types import TracebackType

from .server import Server

_INTERVAL_S = 0.05


def peak_memory(pid: int) -> int:
    """Peak resident memory of a process; 0 for one that is gone."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) // 1024 for line in lines if line.startswith("VmHWM:")), 0)


class PeakOfNewChildren:
    """The most that one of the children takes which a server starts meanwhile. Used as ``with``."""

    def __init__(self, server: Server) -> None:
        self.peak = 0
        self._server = server
        self._known = set(server.children())
        self._finished = threading.Event()
        self._thread = threading.Thread(target=self._watch)

    def __enter__(self) -> PeakOfNewChildren:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._finished.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._finished.wait(_INTERVAL_S):
            for pid in set(self._server.children()) - self._known:
                self.peak = max(self.peak, peak_memory(pid))
