"""``chatprotect check``: check several files, one after the other, with one result."""

from __future__ import annotations

import asyncio
import sys
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn
from rich.text import Text

from ...core.errors import DetectionError
from ...core.plain_text import NotText, decode
from ...core.types import SourceText
from .. import python
from ..python import BadInput
from ..report import Report
from .formats import FORMATS, CheckedFile
from .severity import FailOn
from .statuses import CLEAN, ERROR, FOUND

#: Most bytes of a file.
_MOST_BYTES = 4 * python.MAX_TEXT_CHARS + 4


def run(options: Namespace) -> int:
    """The exit status. Files that cannot be checked are reported on standard error; the others are checked."""
    errors = Console(stderr=True, highlight=False)
    names = options.files or ["-"]
    if names.count("-") > 1:
        raise BadInput("Standard input can be read once only.")
    sources = tuple(python.read_source(Path(name), number) for number, name in enumerate(options.source, 1))
    checked, has_failed = [], False
    with _progress(errors, len(names)) as progress:
        for name in names:
            try:
                checked.append(CheckedFile(name, asyncio.run(_check(name, sources, options, progress))))
            except (BadInput, DetectionError) as error:
                has_failed = True
                errors.print(Text(f"chatprotect: {error}", style="red"))
    if checked or not has_failed:
        _write(FORMATS[options.format](checked), options)
    findings = [finding for file in checked for finding in file.report.findings]
    if has_failed:
        return ERROR
    return FOUND if FailOn(options.fail_on).fails(findings) else CLEAN


async def _check(name: str, sources: tuple[SourceText, ...], options: Namespace, progress: _Bar) -> Report:
    return await python.check_async(
        read_text(name),
        sources,
        engine=options.engine,
        topic=options.topic,
        strictness=options.strictness,
        detectors=options.detector,
        progress=progress.begin("standard input" if name == "-" else name),
    )


def read_text(name: str) -> str:
    """The text of a file, or of standard input for "-".

    Raises:
        BadInput: the file is missing, too large, or not text.
    """
    shown = "Standard input" if name == "-" else name
    try:
        if name == "-":
            data = sys.stdin.buffer.read(_MOST_BYTES + 1)
        else:
            with Path(name).open("rb") as file:
                data = file.read(_MOST_BYTES + 1)
    except OSError as error:
        raise BadInput(f"{shown} cannot be read: {error.strerror}.") from error
    if len(data) > _MOST_BYTES:
        raise BadInput(f"{shown} is longer than {python.MAX_TEXT_CHARS:,} characters, which is the limit.")
    try:
        text = decode(data, name=shown)
    except NotText as error:
        raise BadInput(str(error)) from error
    if not text.strip():
        raise BadInput(f"{shown} is empty.")
    return text


def _write(result: str, options: Namespace) -> None:
    if options.output:
        try:
            Path(options.output).write_text(result, encoding="utf-8")
        except OSError as error:
            raise BadInput(f"{options.output} cannot be written: {error.strerror}.") from error
    elif options.format == "text" and sys.stdout.isatty():
        Console(highlight=False).print(_coloured(result), soft_wrap=True)
    else:
        sys.stdout.write(result)


def _coloured(result: str) -> Text:
    text = Text(result.removesuffix("\n"))
    text.highlight_regex(r"(?m)^\S.*?:\d+:\d+:", "bold")
    text.highlight_regex(r"(?m)^    →.*$", "green")
    text.highlight_regex(r"(?m)^    “.*”$", "yellow")
    return text


class _Bar:
    """A progress bar for all files, on a terminal."""

    def __init__(self, progress: Progress, files: int) -> None:
        self._progress = progress
        self._files = files
        self._done = -1
        self._task = progress.add_task("", total=files)

    def begin(self, name: str) -> python.Progress:
        self._done += 1
        self._progress.update(self._task, description=name, completed=self._done)

        def tell(done: int, total: int) -> None:
            self._progress.update(self._task, completed=self._done + (done / total if total else 1))

        return tell


@contextmanager
def _progress(console: Console, files: int) -> Iterator[_Bar]:
    columns = (TextColumn("{task.description}"), BarColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        yield _Bar(progress, files)
