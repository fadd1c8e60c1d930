"""Untrusted values from addresses, forms and headers."""

from __future__ import annotations

from collections.abc import Iterable
from uuid import UUID

from django.http import QueryDict

from ..core.types import Span
from ..selectors.card_pages import AskedPage

#: Most digits that a database integer holds.
_MAX_DIGITS = 18
_MOST_PAGES = 10_000


def whole_number(value: str) -> int | None:
    """``"120"`` as a number; None for anything else, and for numbers beyond a database integer."""
    return int(value) if value.isascii() and value.isdigit() and len(value) <= _MAX_DIGITS else None


def asked_page(query: QueryDict) -> AskedPage:
    """The page of warnings that an address names: ``?warnings=2``, ``?warnings=2&all=1``, ``?card=17``."""
    number = min(whole_number(query.get("warnings", "")) or 1, _MOST_PAGES)
    return AskedPage(number, query.get("all") == "1", whole_number(query.get("card", "")))


def uuids(values: Iterable[str]) -> list[UUID]:
    """The values that are valid ids."""
    found = []
    for value in values:
        try:
            found.append(UUID(value))
        except ValueError:
            continue
    return found


def span_from_range(value: str) -> Span | None:
    """``"120-148"`` as a span; None for anything else."""
    first, _, last = value.partition("-")
    start, end = whole_number(first), whole_number(last)
    return Span(start, end) if start is not None and end is not None and start <= end else None
