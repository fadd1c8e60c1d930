"""The protocol with the child process that reads a file: one line of JSON per message."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Any

from ..types import Place, PlaceKind, Span
from .types import Document, DocumentLimits

_MAX_MESSAGE = 500


@dataclass(frozen=True, slots=True)
class Task:
    """What to read, apart from the bytes: ``suffix`` is that of its name, with the dot, and ``media_type`` has no
    parameters."""

    suffix: str
    media_type: str
    charset: str
    limits: DocumentLimits

    def to_line(self) -> bytes:
        return _line(asdict(self))

    @classmethod
    def from_line(cls, line: bytes) -> Task:
        fields = json.loads(line)
        return cls(**{**fields, "limits": DocumentLimits(**fields["limits"])})


@dataclass(frozen=True, slots=True)
class PagesRead:
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class Refusal:
    """The reason why the file cannot be read."""

    message: str


Report = PagesRead | Refusal | Document


def report_to_line(report: Report) -> bytes:
    match report:
        case PagesRead(done, total):
            return _line({"done": done, "total": total})
        case Refusal(message):
            return _line({"refused": message[:_MAX_MESSAGE]})
        case Document():
            return _line({
                "title": report.title,
                "text": report.text,
                "pages": report.pages,
                "places": [[place.kind, place.label, place.span.start, place.span.end] for place in report.places],
            })  # fmt: skip


def report_from_line(line: bytes) -> Report:
    """Parse and validate a report completely: a hostile file may control the child.

    Raises:
        ValueError: the line is not a report.
    """
    try:
        fields = json.loads(line)
        if "text" in fields:
            return _document(fields)
        if "refused" in fields:
            return Refusal(_string(fields["refused"])[:_MAX_MESSAGE])
        return PagesRead(int(fields["done"]), int(fields["total"]))
    except (KeyError, TypeError, OverflowError, RecursionError) as error:
        raise ValueError("not a report") from error


def _document(fields: dict[str, Any]) -> Document:
    text = _string(fields["text"])
    places = tuple(
        Place(PlaceKind(kind), _string(label), Span(int(start), int(end)))
        for kind, label, start, end in fields["places"]
    )
    if any(place.span.end > len(text) for place in places):
        raise ValueError("a place outside the text")
    pages = fields["pages"]
    return Document(_string(fields["title"]), text, places, pages if pages is None else int(pages))


def _string(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("not a string")
    return value


def _line(fields: dict[str, Any]) -> bytes:
    return json.dumps(fields, ensure_ascii=False).encode() + b"\n"
