"""JSON that somebody else wrote: read without surprises."""

from __future__ import annotations

import json
from typing import Any

from ..plain_text import remove_unprintable


def read_json(data: str | bytes) -> Any:
    """The value, with :func:`plain` words in it.

    Raises:
        ValueError: it is no JSON, or is nested too deeply to be an answer.
    """
    try:
        return plain(json.loads(data))
    except RecursionError:
        raise ValueError("nested too deeply") from None


def plain(value: Any) -> Any:
    """The value without the characters that can be neither shown nor stored.

    JSON can escape what no text may hold: null characters, which PostgreSQL refuses, and halves of characters, which
    cannot be written at all.
    """
    if isinstance(value, str):
        return remove_unprintable(value)
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {plain(name): plain(item) for name, item in value.items()}
    return value
