"""The processor time of another process, and whether it waits for a processor, read from Linux' ``/proc``."""

from __future__ import annotations

import os
from pathlib import Path

_RUNNABLE = "R"


def processor_seconds(pid: int) -> float:
    """The processor time that a process and its ended children have used.

    0 if the process does not exist, and on systems without ``/proc``.
    """
    fields = _fields(pid)
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def wants_processor(pid: int) -> bool:
    """Whether a process is running or runnable: neither asleep nor stopped."""
    return _fields(pid)[:1] == [_RUNNABLE]


def _fields(pid: int) -> list[str]:
    try:
        # The program name, in parentheses, may contain spaces.
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []
