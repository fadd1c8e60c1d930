"""JSON schemas of requested answers. Every property is required, and no other is allowed."""

from __future__ import annotations

import json
from typing import Any

TEXT = {"type": "string"}


def list_of(items: dict[str, Any]) -> dict[str, Any]:
    """A list of any length."""
    return {"type": "array", "items": items}


def object_of(**properties: object) -> dict[str, Any]:
    """An object with exactly these properties, in the order in which the model should generate them."""
    return {"type": "object", "properties": properties, "required": [*properties], "additionalProperties": False}


def schema_of(**properties: object) -> str:
    """The schema of an answer with exactly these properties, as a string for a request."""
    return json.dumps(object_of(**properties))
