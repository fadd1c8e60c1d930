"""``chatprotect batch``: check every row of a table; a second start reuses the results."""

from __future__ import annotations

import asyncio
import csv
import hashlib
import json
from argparse import Namespace
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from ...core.errors import DetectionError
from ...core.types import FindingKind
from .. import python
from ..python import BadInput
from ..report import Report, kind_label
from .severity import FailOn, is_contradiction
from .statuses import CLEAN, ERROR, FOUND

_COLUMNS = (
    "row",
    "digest",
    "sentences",
    "checked",
    "contradictions",
    "findings",
    "kinds",
    "messages",
    "revised",
    "error",
)
_MOST_FIELD_CHARS = 10_000_000


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the input. ``digest`` is a hash of everything that its result depends on."""

    number: int
    text: Any
    sources: tuple[Any, ...]
    digest: str


def run(options: Namespace) -> int:
    """The exit status: an error if a row could not be checked, else whether there are findings."""
    source = Path(options.file)
    output = Path(options.output) if options.output else source.with_name(f"{source.stem}.checked.jsonl")
    rows = list(_rows(source, options))
    results = _Results(output)
    kept = results.open(rows)
    console = Console(stderr=True, highlight=False)
    with results, Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task(source.name, total=len(rows), completed=len(kept))
        for row in rows:
            if row.number not in kept:
                results.add(_checked(row, options))
                progress.advance(task)
    everything = results.everything
    console.print(_summary(everything, len(kept)))
    console.print(f"Results are in {output}.")
    if any(result["error"] for result in everything):
        return ERROR
    column = {FailOn.ANY: "findings", FailOn.CONTRADICTION: "contradictions"}.get(FailOn(options.fail_on))
    return FOUND if column and any(int(result[column]) for result in everything) else CLEAN


def _rows(path: Path, options: Namespace) -> Iterator[Row]:
    for number, fields in enumerate(_records(path), 1):
        for name in (options.text, *options.source):
            if name not in fields:
                raise BadInput(f"Row {number} of {path} has no column {name!r}; it has {', '.join(map(str, fields))}.")
        asked = (options.engine, options.topic, options.strictness, sorted(options.detector))
        text, sources = fields[options.text], tuple(fields[name] for name in options.source)
        named = json.dumps([asked, text, sources], sort_keys=True, default=str)
        yield Row(number, text, sources, hashlib.sha256(named.encode("utf-8", "surrogatepass")).hexdigest()[:16])


def _records(path: Path) -> Iterator[Mapping[str, Any]]:
    csv.field_size_limit(_MOST_FIELD_CHARS)
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            if path.suffix.lower() == ".csv":
                yield from csv.DictReader(file, strict=True)
            elif path.suffix.lower() in (".jsonl", ".ndjson"):
                yield from _objects(file, path)
            else:
                raise BadInput(f"{path} is neither .csv nor .jsonl.")
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror}.") from error
    except (UnicodeDecodeError, csv.Error) as error:
        raise BadInput(f"{path} cannot be read: {error}.") from error


def _objects(lines: Iterator[str] | Any, path: Path) -> Iterator[Mapping[str, Any]]:
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            found = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise BadInput(f"Line {number} of {path} is no JSON: {error}.") from error
        if not isinstance(found, dict):
            raise BadInput(f"Line {number} of {path} is no object.")
        yield found


def _checked(row: Row, options: Namespace) -> dict[str, Any]:
    sources = tuple(source for source in row.sources if not isinstance(source, str) or source.strip())
    try:
        report = asyncio.run(
            python.check_async(
                row.text,
                sources,
                engine=options.engine,
                topic=options.topic,
                strictness=options.strictness,
                detectors=options.detector,
            )
        )
    except (BadInput, DetectionError) as error:
        return {**dict.fromkeys(_COLUMNS, ""), "row": row.number, "digest": row.digest, "findings": 0,
                "contradictions": 0, "error": str(error)}  # fmt: skip
    return _result(row, report)


def _result(row: Row, report: Report) -> dict[str, Any]:
    return {
        "row": row.number,
        "digest": row.digest,
        "sentences": len(report.sentences),
        "checked": report.checked,
        "contradictions": sum(map(is_contradiction, report.findings)),
        "findings": len(report.findings),
        "kinds": ", ".join(finding.kind.value for finding in report.findings),
        "messages": "\n".join(str(finding.message) for finding in report.findings),
        "revised": report.revised,
        "error": "",
    }


class _Results:
    """The file of results. Each result is written to disk before the next row starts."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._is_csv = path.suffix.lower() == ".csv"
        self.everything: list[dict[str, Any]] = []

    def open(self, rows: list[Row]) -> set[int]:
        """Keep the results of an earlier start that are still valid, and return their rows."""
        wanted = {(row.number, row.digest) for row in rows}
        for result in self._earlier():
            if (result["row"], result["digest"]) in wanted and not result["error"]:
                self.everything.append(result)
        try:
            new = self._path.with_name(f"{self._path.name}.new")
            with new.open("w", encoding="utf-8", newline="") as file:
                if self._is_csv:
                    csv.writer(file).writerow(_COLUMNS)
                for result in self.everything:
                    self._write(file, result)
            new.replace(self._path)
            self._file = self._path.open("a", encoding="utf-8", newline="")
        except OSError as error:
            raise BadInput(f"{self._path} cannot be written: {error.strerror}.") from error
        return {result["row"] for result in self.everything}

    def add(self, result: dict[str, Any]) -> None:
        self.everything.append(result)
        try:
            self._write(self._file, result)
            self._file.flush()
        except OSError as error:
            raise BadInput(f"{self._path} cannot be written: {error.strerror}.") from error

    def __enter__(self) -> _Results:
        return self

    def __exit__(self, *error: object) -> None:
        self._file.close()

    def _write(self, file: Any, result: dict[str, Any]) -> None:
        if self._is_csv:
            csv.writer(file).writerow([result[column] for column in _COLUMNS])
        else:
            file.write(json.dumps(result, ensure_ascii=False) + "\n")

    def _earlier(self) -> Iterator[dict[str, Any]]:
        """The complete results of an earlier start. The last one may be truncated."""
        if not self._path.exists():
            return
        with self._path.open(encoding="utf-8", errors="replace", newline="") as file:
            if self._is_csv:
                for fields in csv.DictReader(file):
                    if set(fields) == set(_COLUMNS) and fields["error"] is not None and fields["row"].isdigit():
                        yield {**fields, "row": int(fields["row"])}
                return
            for line in file:
                try:
                    result = json.loads(line)
                except ValueError:
                    continue
                if isinstance(result, dict) and set(result) == set(_COLUMNS):
                    yield result


def _summary(results: list[dict[str, Any]], kept: int) -> Table:
    kinds = Counter(kind for result in results for kind in filter(None, str(result["kinds"]).split(", ")))
    with_findings = sum(int(result["findings"]) > 0 for result in results)
    table = Table("", "rows", title=None)
    table.add_row("checked", str(len(results)))
    table.add_row("of them kept from before", str(kept))
    table.add_row("with findings", str(with_findings))
    table.add_row("that could not be checked", str(sum(bool(result["error"]) for result in results)))
    for kind in FindingKind:
        if kinds[kind.value]:
            table.add_row(f"findings: {kind_label(kind)}", str(kinds[kind.value]))
    return table
