"""The time of a processor that another process has used, and whether it waits for one, as Linux tells it."""

from __future__ import annotations

import os
from pathlib import Path

_RUNNABLE = "R"


def processor_seconds(pid: int) -> float:
    """The time that a process has computed so far, with children of it that have ended.

    0 for a process that is gone, and on systems without `/proc`.
    """
    fields = _fields(pid)
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def wants_processor(pid: int) -> bool:
    """Whether a process computes or waits for its turn to compute: it neither sleeps nor is stopped."""
    return _fields(pid)[:1] == [_RUNNABLE]


def _fields(pid: int) -> list[str]:
    try:
        # The name of the program, in parentheses, may have spaces.
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []
