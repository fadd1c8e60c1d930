"""Parse untrusted JSON."""

from __future__ import annotations

import json
from typing import Any

from ..plain_text import remove_unprintable


def read_json(data: str | bytes) -> Any:
    """The value, with every text cleaned by :func:`plain`.

    Raises:
        ValueError: it is not JSON or is nested too deeply.
    """
    try:
        return plain(json.loads(data))
    except RecursionError:
        raise ValueError("nested too deeply") from None


def plain(value: Any) -> Any:
    """The value without the characters that can be neither shown nor stored.

    JSON can escape invalid characters: null characters, which PostgreSQL refuses, and lone surrogates, which cannot be
    encoded.
    """
    if isinstance(value, str):
        return remove_unprintable(value)
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {plain(name): plain(item) for name, item in value.items()}
    return value
