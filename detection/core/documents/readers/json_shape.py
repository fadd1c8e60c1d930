"""Parse JSON after checking limits on its shape."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from ...errors import UnreadableDocument

NOT_JSON = "It is not JSON."

#: Also matches an unterminated string, so that no byte is scanned twice.
_STRING = re.compile(rb'"(?:[^"\\]++|\\.)*+"?', re.DOTALL)
_NOT_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))


@dataclass(frozen=True, slots=True)
class JsonLimits:
    """``members`` is the maximum for one object, because each unknown member is a separate error."""

    depth: int = 16
    items: int = 100_000
    members: int = 64


def canonical_json(data: bytes, limits: JsonLimits) -> str:
    """Parse and serialise a JSON value without repeated names.

    Raises:
        UnreadableDocument: it is not JSON, or exceeds the limits.
    """
    _refuse_beyond(data, limits)

    def refuse_wide(pairs: list[tuple[str, object]]) -> dict[str, object]:
        if len(pairs) > limits.members:
            raise UnreadableDocument(f"One part of it has {len(pairs):,} fields; the limit is {limits.members:,}.")
        return dict(pairs)

    try:
        value = json.loads(data, object_pairs_hook=refuse_wide)
        text = json.dumps(value, ensure_ascii=False, allow_nan=False)
        text.encode()  # lone surrogates cannot be encoded
    except (ValueError, RecursionError) as error:
        raise UnreadableDocument(NOT_JSON) from error
    return text


def _refuse_beyond(data: bytes, limits: JsonLimits) -> None:
    bare = _STRING.sub(b"", data)
    items = bare.count(b",") + bare.count(b"[") + bare.count(b"{")
    if items > limits.items:
        raise UnreadableDocument(f"It has more than {limits.items:,} parts.")
    depth = 0
    for bracket in bare.translate(None, _NOT_BRACKETS):
        depth += 1 if bracket in b"[{" else -1
        if depth > limits.depth:
            raise UnreadableDocument(f"Its parts are nested more than {limits.depth} deep.")
