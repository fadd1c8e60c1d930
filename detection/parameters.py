"""Values as they come in addresses, forms and headers, from anybody."""

from __future__ import annotations

from collections.abc import Iterable
from uuid import UUID

#: So many digits fit the databases' integers.
_MAX_DIGITS = 18


def whole_number(value: str) -> int | None:
    """``"120"`` as a number; None for anything else, and for what no database has."""
    return int(value) if value.isascii() and value.isdigit() and len(value) <= _MAX_DIGITS else None


def uuids(values: Iterable[str]) -> list[UUID]:
    """The values that are ids; others are left out."""
    found = []
    for value in values:
        try:
            found.append(UUID(value))
        except ValueError:
            continue
    return found
