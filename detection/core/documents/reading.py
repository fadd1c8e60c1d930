"""Read a file in a child process with limits, while this process stays small and responsive.

Files are untrusted. The libraries that parse them are large, and some are written in C: their faults must crash a child
process and not the server.
"""

from __future__ import annotations

import os
import re
import selectors
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from pathlib import PurePosixPath
from typing import IO, cast

from ..errors import Cancelled, UnreadableDocument
from .protocol import PagesRead, Refusal, Report, Task, report_from_line
from .types import Document, DocumentLimits, Progress

#: The module that the child runs.
READER = "detection.core.documents.child"
JSON_READER = "detection.core.documents.json_child"

_POLL_S = 0.1
_CHUNK_BYTES = 1 << 16
#: A character takes at most four bytes, and the labels of places are shorter than the text.
_REPORTED_BYTES_PER_CHARACTER = 8
_REPORTED_BYTES_BESIDE = 1_000_000
_MAX_SUFFIX = 12
_MEDIA_TYPE = re.compile(r"[\w.+-]{1,60}/[\w.+-]{1,60}", re.A)
_CHARSET = re.compile(r"charset\s*=\s*[\"']?([\w.:-]{1,40})", re.A | re.I)
_SIGNALS_OF_TIME = (-signal.SIGALRM, -signal.SIGXCPU)

_BROKE_OFF = (
    "The program that reads it broke off: the file is damaged or made to do so. Save it again and try once more."
)


def read_document(
    data: bytes,
    *,
    name: str,
    media_type: str = "",
    limits: DocumentLimits,
    progress: Progress,
    stop: Callable[[], bool],
) -> Document:
    """Read a file in a child process. Blocks: call it from a worker thread.

    The content of ``data`` decides the format; ``name`` and ``media_type`` ("text/html; charset=utf-8") only
    distinguish text formats. ``progress`` is called with the number of pages read. ``stop`` is called ten times a
    second.

    Raises:
        UnreadableDocument: it is of an unsupported kind, damaged, protected, empty, or beyond ``limits``.
        Cancelled: ``stop`` returned true.
    """
    _refuse_large(data, limits)
    return run_reader(READER, _task(name, media_type, limits), data, progress=progress, stop=stop)


def read_json_file(data: bytes, *, limits: DocumentLimits) -> str:
    """Parse a file in a child process, and return it as JSON of a bounded shape. Blocks.

    Raises:
        UnreadableDocument: it is not JSON, or beyond ``limits`` or those of ``JsonLimits``.
    """
    _refuse_large(data, limits)
    document = run_reader(
        JSON_READER, _task("", "", limits), data, progress=lambda _done, _total: None, stop=lambda: False
    )
    return document.text


def run_reader(reader: str, task: Task, data: bytes, *, progress: Progress, stop: Callable[[], bool]) -> Document:
    """Run the module ``reader`` on ``data`` in a child process; raises the errors of :func:`read_document`."""
    with tempfile.TemporaryFile() as file:
        file.write(task.to_line())
        file.write(data)
        file.seek(0)
        with closing(_lines_of_child(reader, file, task.limits, stop)) as lines:
            for line in lines:
                match _report(line):
                    case PagesRead(done, total):
                        progress(done, total)
                    case Refusal(message):
                        raise UnreadableDocument(message)
                    case Document() as document:
                        return document
    raise UnreadableDocument(_BROKE_OFF)


def _refuse_large(data: bytes, limits: DocumentLimits) -> None:
    if len(data) > limits.file_bytes:
        raise UnreadableDocument(f"It has {len(data) / 1e6:,.1f} MB; the limit is {limits.file_bytes / 1e6:,.1f} MB.")


def _task(name: str, media_type: str, limits: DocumentLimits) -> Task:
    kind, charset = _MEDIA_TYPE.match(media_type), _CHARSET.search(media_type)
    return Task(
        suffix=PurePosixPath(name).suffix.lower()[:_MAX_SUFFIX],
        media_type=kind.group().lower() if kind else "",
        charset=charset.group(1) if charset else "",
        limits=limits,
    )


def _report(line: bytes) -> Report:
    try:
        return report_from_line(line)
    except ValueError as error:
        raise UnreadableDocument(_BROKE_OFF) from error


def _lines_of_child(
    reader: str, file: IO[bytes], limits: DocumentLimits, stop: Callable[[], bool]
) -> Generator[bytes, None, None]:
    """Yield the reports of the child, line by line, until it ends. Closing this generator ends the child."""
    deadline = time.monotonic() + limits.seconds
    # A new program, because a fork would copy the locks of this process's threads.
    process = subprocess.Popen(  # noqa: S603 - only the program's own modules
        [sys.executable, "-P", "-m", reader],
        stdin=file,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},  # without keys
        bufsize=0,
    )
    reports = cast(IO[bytes], process.stdout)
    try:
        yield from _lines(reports, deadline, limits, stop)
        returncode = process.wait(max(0.0, deadline - time.monotonic()))
    except subprocess.TimeoutExpired as error:
        raise _took_too_long(limits) from error
    finally:
        process.kill()
        process.wait()
        reports.close()
    if returncode in _SIGNALS_OF_TIME:
        raise _took_too_long(limits)


def _lines(pipe: IO[bytes], deadline: float, limits: DocumentLimits, stop: Callable[[], bool]) -> Iterator[bytes]:
    most = limits.characters * _REPORTED_BYTES_PER_CHARACTER + _REPORTED_BYTES_BESIDE
    pending = bytearray()
    with selectors.DefaultSelector() as selector:
        selector.register(pipe, selectors.EVENT_READ)
        while True:
            if stop():
                raise Cancelled
            if time.monotonic() > deadline:
                raise _took_too_long(limits)
            if not selector.select(_POLL_S):
                continue
            chunk = os.read(pipe.fileno(), _CHUNK_BYTES)
            if not chunk:
                return
            most -= len(chunk)
            if most < 0:
                raise UnreadableDocument("It has more pages and headings than can be kept.")
            pending += chunk
            if b"\n" in chunk:
                *lines, pending = pending.split(b"\n")
                yield from map(bytes, lines)


def _took_too_long(limits: DocumentLimits) -> UnreadableDocument:
    return UnreadableDocument(f"Reading it takes longer than {limits.seconds:,.0f} seconds, which is the limit.")
