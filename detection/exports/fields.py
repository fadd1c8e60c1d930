"""Find the first missing or unknown field of a file.

pydantic reports all such fields at once and keeps a copy of the whole part with each: hundreds of megabytes for a file
full of errors.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, get_args

from .schema import Record


def first_wrong_field(record: type[Record], content: Any, place: tuple[str | int, ...] = ()) -> str | None:
    """The place of the field and its error in pydantic's words; None if all fields are right.

    pydantic reports values of the wrong type.
    """
    if not isinstance(content, dict):
        return None
    for name in content:
        if name not in record.model_fields:
            return _say((*place, name), "Extra inputs are not permitted")
    for name, field in record.model_fields.items():
        if field.is_required() and name not in content:
            return _say((*place, name), "Field required")
    for name, inner in _records_in(record):
        for index, part in _parts(content.get(name)):
            if problem := first_wrong_field(inner, part, (*place, name, *index)):
                return problem
    return None


def _parts(value: Any) -> Iterator[tuple[tuple[int, ...], Any]]:
    if isinstance(value, list):
        yield from (((index,), part) for index, part in enumerate(value))
    else:
        yield (), value


@cache
def _records_in(record: type[Record]) -> tuple[tuple[str, type[Record]], ...]:
    """The fields that contain records, one or a list."""
    found = ((name, _record_of(field.annotation)) for name, field in record.model_fields.items())
    return tuple((name, inner) for name, inner in found if inner is not None)


def _record_of(annotation: Any) -> type[Record] | None:
    if isinstance(annotation, type) and issubclass(annotation, Record):
        return annotation
    return next((inner for part in get_args(annotation) if (inner := _record_of(part))), None)


def _say(place: tuple[str | int, ...], problem: str) -> str:
    return f"{' › '.join(map(str, place))}: {problem}"
