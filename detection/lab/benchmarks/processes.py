"""The memory (MiB) and the children of processes, from Linux."""

from __future__ import annotations

import threading
from pathlib import Path
from types import TracebackType

from .server import Server

_INTERVAL_S = 0.05


def peak_memory(pid: int) -> int:
    """Peak resident memory of a process; 0 if it has ended."""
    return _kibibytes(Path(f"/proc/{pid}/status"), "VmHWM:") // 1024


def memory_share(pid: int) -> float:
    """The present memory of a process: its private memory and its share of shared memory."""
    return _kibibytes(Path(f"/proc/{pid}/smaps_rollup"), "Pss:") / 1024


def family(pid: int) -> list[int]:
    """A process with its children, and theirs."""
    return [pid, *(member for child in children(pid) for member in family(child))]


def children(pid: int) -> list[int]:
    """The processes that a process has started, and that are still there."""
    try:
        threads = list(Path(f"/proc/{pid}/task").iterdir())
    except OSError:
        return []
    return [int(child) for thread in threads for child in _text_of(thread / "children").split()]


def _kibibytes(path: Path, name: str) -> int:
    lines = _text_of(path).splitlines()
    return next((int(line.split()[1]) for line in lines if line.startswith(name)), 0)


def _text_of(path: Path) -> str:
    """The text of a file; empty if its process or thread has ended, which may happen at any moment."""
    try:
        return path.read_text()
    except OSError:
        return ""


class PeakOfNewChildren:
    """The peak memory of a child that a server starts meanwhile. Used as ``with``."""

    def __init__(self, server: Server) -> None:
        self.peak = 0
        self._server = server
        self._known = set(children(server.pid))
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
            for pid in set(children(self._server.pid)) - self._known:
                self.peak = max(self.peak, peak_memory(pid))
