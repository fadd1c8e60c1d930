"""The location of a quote in its source, in words: "page 37, Finances"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..types import Place, PlaceKind, Span


@dataclass(frozen=True, slots=True)
class Location:
    """The location of words in a source; None if the source has no such places.

    ``page`` is their first page and ``last_page`` their last, usually the same.
    """

    page: str | None = None
    last_page: str | None = None
    heading: str | None = None

    def __str__(self) -> str:
        if self.page is None:
            return self.heading or ""
        pages = f"page {self.page}" if self.page == self.last_page else f"pages {self.page}–{self.last_page}"
        return f"{pages}, {self.heading}" if self.heading else pages


def locate(places: Sequence[Place], span: Span) -> Location:
    """Locate ``span``; all positions count in the text of the source.

    Words between two pages belong to none. A span across several headings belongs to the first of them.
    """
    pages = [place.label for place in places if place.kind is PlaceKind.PAGE and _touches(place.span, span)]
    headings = [place.label for place in places if place.kind is PlaceKind.HEADING and _touches(place.span, span)]
    return Location(
        page=pages[0] if pages else None,
        last_page=pages[-1] if pages else None,
        heading=headings[0] if headings else None,
    )


def _touches(place: Span, span: Span) -> bool:
    if len(span) == 0:
        return place.start <= span.start < place.end
    return place.overlaps(span)
