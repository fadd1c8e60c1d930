"""JSON schemas of the answers that are asked for. Every property is required, and no other is allowed."""

from __future__ import annotations

import json
from typing import Any

TEXT = {"type": "string"}


def list_of(items: dict[str, Any]) -> dict[str, Any]:
    """A list of any length."""
    return {"type": "array", "items": items}


def object_of(**properties: object) -> dict[str, Any]:
    """An object with exactly these properties, in the order in which a model shall think."""
    return {"type": "object", "properties": properties, "required": [*properties], "additionalProperties": False}


def schema_of(**properties: object) -> str:
    """The schema of an answer with exactly these properties, as a request takes it."""
    return json.dumps(object_of(**properties))
