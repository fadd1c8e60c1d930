"""Extract JSON from the answer of a model, which may wrap it in prose, truncate it, or add commas."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from ..untrusted.json import plain, read_json

_FENCE = re.compile(r"```(?:json)?\s*(.*?)(?:```|\Z)", re.DOTALL | re.IGNORECASE)
_TRAILING_COMMA = re.compile(r",(\s*[\]}])")
#: Maximum number of braces that do not begin a valid object. Parsing each may read up to the end.
_MAX_ATTEMPTS = 500
_CLOSING = {"[": "]", "{": "}"}
_DECODER = json.JSONDecoder(strict=False)  # models put line breaks into strings


class NoJson(ValueError):
    """An answer has no JSON of the expected kind."""


def find_array(answer: str) -> list[Any]:
    """The first JSON array in an answer. An unfinished last item is dropped.

    Raises:
        NoJson: there is none.
    """
    fenced = _FENCE.search(answer)
    for text in ([fenced[1]] if fenced else []) + [answer]:
        start = text.find("[")
        if start < 0:
            continue
        for candidate in (_balanced(text[start:]), _closed(text[start:])):
            try:
                value = read_json(_TRAILING_COMMA.sub(r"\1", candidate))
            except ValueError:
                continue
            if isinstance(value, list):
                return value
    raise NoJson("The model did not answer in the form that was asked for.")


def find_list(answer: str, name: str) -> list[Any]:
    """The list under the requested ``name``. Models also send it bare or under another name.

    An empty list counts only if it is bare or under ``name``: ``{"error": [], ...}`` is not an empty result.

    Raises:
        NoJson: there is none.
    """
    for value in find_objects(answer):
        found = value.get(name)
        if isinstance(found, list):
            return found
    found = find_array(answer)
    if not found and "{" in answer:
        raise NoJson("The model did not answer in the form that was asked for.")
    return found


def find_objects(answer: str) -> list[dict[str, Any]]:
    """The complete outermost JSON objects in an answer, in order, with any text around them.

    Of a truncated object, the complete objects inside it.
    """
    objects = _decode_objects(answer)
    return objects or _decode_objects(_TRAILING_COMMA.sub(r"\1", answer))


def _decode_objects(text: str) -> list[dict[str, Any]]:
    objects: list[dict[str, Any]] = []
    start = text.find("{")
    attempts = _MAX_ATTEMPTS
    while start >= 0 and attempts:
        try:
            value, end = _DECODER.raw_decode(text, start)
            objects.append(plain(value))
        except (ValueError, RecursionError):
            end = start + 1
            attempts -= 1
        start = text.find("{", end)
    return objects


def _balanced(text: str) -> str:
    """The text up to the bracket that closes the first bracket."""
    for end, depth in _depths(text):
        if depth == 0:
            return text[: end + 1]
    return ""


def _closed(text: str) -> str:
    """A truncated text up to its last complete item, with the open brackets closed."""
    last = max((end for end, depth in _depths(text) if depth == 1 and text[end] in "]}"), default=-1)
    return text[: last + 1] + "]" if last >= 0 else ""


def _depths(text: str) -> Iterator[tuple[int, int]]:
    """Each bracket outside of strings, with the nesting depth after it."""
    open_brackets: list[str] = []
    in_string = is_escaped = False
    for position, character in enumerate(text):
        if is_escaped:
            is_escaped = False
        elif character == "\\":
            is_escaped = in_string
        elif character == '"':
            in_string = not in_string
        elif not in_string and character in _CLOSING:
            open_brackets.append(character)
            yield position, len(open_brackets)
        elif not in_string and open_brackets and character == _CLOSING[open_brackets[-1]]:
            open_brackets.pop()
            yield position, len(open_brackets)
