"""The processor time of another process, and whether it waits for a processor, read from Linux' ``/proc``."""

from __future__ import annotations

import os
from pathlib import Path

_RUNNABLE = "R"


def processor_seconds(pid: int) -> float:
    """The processor time that a process and its ended children have used.

    0 if the process does not exist, and on systems without ``/proc``.
    """
    fields = _fields(Path(f"/proc/{pid}"))
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def wants_processor(pid: int) -> bool:
    """Whether a thread of the process is running or runnable: neither asleep nor stopped."""
    return any(_fields(thread)[:1] == [_RUNNABLE] for thread in Path(f"/proc/{pid}/task").glob("*"))


def _fields(of: Path) -> list[str]:
    """The fields of ``stat`` of a process or thread after its name; none if it does not exist."""
    try:
        # The name, in parentheses, may contain spaces.
        return (of / "stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []
