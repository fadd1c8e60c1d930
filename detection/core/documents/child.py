"""The child process that reads one file. It may crash, run out of memory or hang without affecting the server.

``python -m detection.core.documents.child`` takes a line with the task and then the file on standard input, and
reports on standard output (``protocol``).
"""

from __future__ import annotations

import math
import os
import resource
import signal
import sys
from collections.abc import Callable

from ..errors import UnreadableDocument
from .protocol import PagesRead, Refusal, Report, Task, report_to_line
from .readers import read
from .types import Document, DocumentLimits

#: Niceness, below that of the web server and of the models.
_LOW_PRIORITY = 15

Read = Callable[..., Document]


def serve(read: Read) -> None:
    """Read the one file with ``read``, within the limits of the task."""
    task = Task.from_line(sys.stdin.buffer.readline())
    report = _reports_only()
    os.nice(_LOW_PRIORITY)
    _limit_this_process(task.limits)
    try:
        report(
            read(
                sys.stdin.buffer.read(),
                suffix=task.suffix,
                media_type=task.media_type,
                charset=task.charset,
                limits=task.limits,
                progress=lambda done, total: report(PagesRead(done, total)),
            )
        )
    except UnreadableDocument as error:
        report(Refusal(str(error)))
    except MemoryError:
        report(Refusal(f"Reading it takes more than {task.limits.memory_bytes / 1e6:,.0f} MB of memory."))


def _reports_only() -> Callable[[Report], None]:
    """Reserve standard output for reports and discard the output of libraries."""
    output = os.fdopen(os.dup(sys.stdout.fileno()), "wb", buffering=0)
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())

    def report(report: Report) -> None:
        line = memoryview(report_to_line(report))
        while line:
            line = line[output.write(line) :]

    return report


def _limit_this_process(limits: DocumentLimits) -> None:
    """Set limits at which the operating system ends this process, even without its parent."""
    seconds = min(limits.processor_seconds, math.ceil(limits.seconds))
    resource.setrlimit(resource.RLIMIT_AS, (limits.memory_bytes, limits.memory_bytes))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.setitimer(signal.ITIMER_REAL, limits.seconds)


if __name__ == "__main__":
    serve(read)
