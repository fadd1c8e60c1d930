"""The formats of ``chatprotect check``: reports of several files as one text."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from importlib.metadata import version
from pathlib import PurePath
from typing import Any
from urllib.parse import quote

from ...core.types import Finding, FindingKind, Span, Suggestion
from ..positions import Lines
from ..report import Report, kind_label
from .severity import is_contradiction

_SARIF_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


@dataclass(frozen=True, slots=True)
class CheckedFile:
    """A file and its report. ``name`` is the argument; "-" is standard input."""

    name: str
    report: Report

    @property
    def shown_name(self) -> str:
        return "standard input" if self.name == "-" else self.name


def as_text(files: Sequence[CheckedFile]) -> str:
    """A line for each finding in the format of compilers, with its explanation below."""
    return "".join(line for file in files for line in _lines_of(file))


def _lines_of(file: CheckedFile) -> Iterator[str]:
    lines = Lines(file.report.text)
    for finding in file.report.findings:
        place = lines.position(finding.span.start)
        yield (
            f"{file.shown_name}:{place.line + 1}:{place.column + 1}: {kind_label(finding.kind)}: {finding.message}\n"
            f"    “{finding.quoted}”\n"
        )
        for evidence in finding.evidence:
            yield f"    {_place_of(finding, file, evidence.sentence, evidence.source)}: “{evidence.quote}”\n"
        for suggestion in finding.suggestions[:1]:
            yield f"    → {suggestion.replacement or '(remove the sentence)'}\n"
    found = len(file.report.findings)
    total = len(file.report.sentences)
    yield (
        f"{file.shown_name}: {found or 'no'} finding{'' if found == 1 else 's'}, "
        f"{file.report.checked} of {total} sentences checked\n"
    )


def _place_of(finding: Finding, file: CheckedFile, sentence: int | None, source: str | None) -> str:
    if sentence is not None:
        return f"sentence {sentence + 1}"
    return next((known.name for known in file.report.sources if known.id == source), "evidence")


def as_json(files: Sequence[CheckedFile]) -> str:
    return _dump({"files": [{"file": file.name, **file.report.as_json()} for file in files]})


def as_github(files: Sequence[CheckedFile]) -> str:
    """Commands of a GitHub workflow: annotations at the lines of the change."""
    return "".join(_annotation(file, finding) for file in files for finding in file.report.findings)


def _annotation(file: CheckedFile, finding: Finding) -> str:
    lines = Lines(file.report.text)
    start, end = lines.position(finding.span.start), lines.position(finding.span.end)
    properties = {
        "file": file.name,
        "line": start.line + 1,
        "endLine": end.line + 1,
        **({"col": start.column + 1, "endColumn": end.column + 1} if start.line == end.line else {}),
        "title": kind_label(finding.kind),
    }
    written = ",".join(f"{name}={_escaped_property(str(value))}" for name, value in properties.items())
    level = "error" if is_contradiction(finding) else "warning"
    return f"::{level} {written}::{_escaped(str(finding.message))}\n"


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _escaped_property(text: str) -> str:
    return _escaped(text).replace(":", "%3A").replace(",", "%2C")


def as_html(files: Sequence[CheckedFile]) -> str:
    """One HTML page without scripts and external resources."""
    sections = "".join(f"<h2>{escape(file.shown_name)}</h2>{file.report._repr_html_()}" for file in files)
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>ChatProtect</title>'
        '<meta name="viewport" content="width=device-width">'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        '</head><body style="font-family:sans-serif;max-width:50rem;margin:2rem auto;padding:0 1rem">'
        f"<h1>ChatProtect</h1>{sections}</body></html>\n"
    )


# --- SARIF 2.1.0 --------------------------------------------------------------------------------------------------


def as_sarif(files: Sequence[CheckedFile]) -> str:
    run = {
        "tool": {
            "driver": {
                "name": "ChatProtect",
                "semanticVersion": version("chatprotect-web"),
                "rules": [{"id": kind.value, "shortDescription": {"text": kind_label(kind)}} for kind in FindingKind],
            }
        },
        "columnKind": "unicodeCodePoints",
        "results": [_result(file, finding) for file in files for finding in file.report.findings],
    }
    return _dump({"$schema": _SARIF_SCHEMA, "version": "2.1.0", "runs": [run]})


def _result(file: CheckedFile, finding: Finding) -> dict[str, Any]:
    lines = Lines(file.report.text)
    inside = [evidence for evidence in finding.evidence if evidence.sentence is not None]
    quotes = "".join(f" “{evidence.quote}”" for evidence in finding.evidence)
    fixes = [_fix(file, finding, suggestion, lines) for suggestion in finding.suggestions if _is_local(suggestion)]
    return {
        "ruleId": finding.kind.value,
        "ruleIndex": list(FindingKind).index(finding.kind),
        "level": "error" if is_contradiction(finding) else "warning",
        "rank": round(100 * finding.score, 1),
        "message": {"text": f"{finding.message}{quotes}"},
        "locations": [_location(file, finding.span, lines)],
        **(
            {
                "relatedLocations": [
                    {**_location(file, evidence.span, lines), "message": {"text": evidence.quote}}
                    for evidence in inside
                ]
            }
            if inside
            else {}
        ),
        "partialFingerprints": {"chatprotect/v1": finding.fingerprint()},
        **({"fixes": fixes} if fixes else {}),
    }


def _is_local(suggestion: Suggestion) -> bool:
    """Whether it changes one sentence; a fix of two places has no single replacement text."""
    return suggestion.is_of_one_sentence


def _fix(file: CheckedFile, finding: Finding, suggestion: Suggestion, lines: Lines) -> dict[str, Any]:
    sentence = file.report.sentences[suggestion.sentence].sentence
    replacement = {
        "deletedRegion": _region(sentence.span, lines),
        "insertedContent": {"text": suggestion.replacement},
    }
    change = {"artifactLocation": _artifact(file), "replacements": [replacement]}
    return {"description": {"text": suggestion.label or "Rewrite the sentence"}, "artifactChanges": [change]}


def _location(file: CheckedFile, span: Span, lines: Lines) -> dict[str, Any]:
    return {"physicalLocation": {"artifactLocation": _artifact(file), "region": _region(span, lines)}}


def _artifact(file: CheckedFile) -> dict[str, str]:
    return {"uri": "stdin" if file.name == "-" else quote(PurePath(file.name).as_posix())}


def _region(span: Span, lines: Lines) -> dict[str, int]:
    start, end = lines.position(span.start), lines.position(span.end)
    return {
        "startLine": start.line + 1,
        "startColumn": start.column + 1,
        "endLine": end.line + 1,
        "endColumn": end.column + 1,
    }


def _dump(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"


FORMATS: dict[str, Callable[[Sequence[CheckedFile]], str]] = {
    "text": as_text,
    "json": as_json,
    "sarif": as_sarif,
    "github": as_github,
    "html": as_html,
}
