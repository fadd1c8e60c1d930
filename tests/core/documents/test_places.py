from __future__ import annotations

import pytest

from detection.core.documents.places import Location, locate
from detection.core.types import Place, PlaceKind, Span

#        0         10        20        30
TEXT = "Preface. One two. Three four. Five."
PLACES = (
    Place(PlaceKind.PAGE, "36", Span(0, 17)),
    Place(PlaceKind.PAGE, "37", Span(18, 35)),
    Place(PlaceKind.HEADING, "Finances", Span(9, 30)),
    Place(PlaceKind.HEADING, "Staff", Span(30, 35)),
)


@pytest.mark.parametrize(
    ("span", "words"),
    [
        (Span(0, 8), "page 36"),
        (Span(9, 16), "page 36, Finances"),
        (Span(13, 23), "pages 36–37, Finances"),
        (Span(24, 35), "page 37, Finances"),
        (Span(30, 35), "page 37, Staff"),
        (Span(30, 30), "page 37, Staff"),
        (Span(17, 18), "Finances"),
    ],
)
def test_a_quote_is_placed_by_page_and_heading(span: Span, words: str) -> None:
    assert str(locate(PLACES, span)) == words


def test_a_source_without_places_has_none_to_name() -> None:
    assert locate((), Span(0, 5)) == Location(page=None, last_page=None, heading=None)
    assert str(locate((), Span(0, 5))) == ""
