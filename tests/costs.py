"""What a piece of work costs: time of the processor, with child processes, and memory."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

_STATUS = Path("/proc/self/status")


@dataclass
class Cost:
    processor_s: float = 0.0
    peak_bytes: int = 0
    """Beyond what the process held before."""


@contextmanager
def measured() -> Iterator[Cost]:
    """The figures are there when the block has ended, also by an error."""
    Path("/proc/self/clear_refs").write_text("5")  # the peak counts from now on
    cost, held, began = Cost(), _status("VmRSS:"), _processor_s()
    try:
        yield cost
    finally:
        cost.processor_s = _processor_s() - began
        cost.peak_bytes = _status("VmHWM:") - held


def _processor_s() -> float:
    return sum(os.times()[:4])


def _status(name: str) -> int:
    line = next(line for line in _STATUS.read_text().splitlines() if line.startswith(name))
    return int(line.split()[1]) * 1024
