"""The excerpt of a source around a quote: nothing is lost or duplicated, and the quote is marked."""

from __future__ import annotations

import pytest
from django.test import override_settings
from hypothesis import given
from hypothesis import strategies as st

from detection.core.types import Place, PlaceKind, Span
from detection.models import Source
from detection.selectors.sources import EXCERPT_CHARS, SourceExcerpt, source_excerpt
from detection.storage.evidence import PLACES
from detection.web.parameters import span_from_range

HEADING, PAGE = PlaceKind.HEADING, PlaceKind.PAGE


def source(text: str, *places: Place) -> Source:
    return Source(owner="somebody", name="A source", text=text, places=PLACES.to_json(places))


def shown(excerpt: SourceExcerpt) -> str:
    return "".join(part.heading + "".join(piece.text for piece in part.pieces) for part in excerpt.parts)


def quoted(excerpt: SourceExcerpt) -> str:
    return "".join(piece.text for part in excerpt.parts for piece in part.pieces if piece.quoted)


@given(
    text=st.text(alphabet="ab é👩\n", min_size=1, max_size=200),
    edges=st.lists(st.integers(0, 250), min_size=6, max_size=6),
)
@override_settings(ROOT_URLCONF="chatprotect_web.urls")
def test_a_short_source_is_shown_whole_whatever_is_marked_in_it(text: str, edges: list[int]) -> None:
    limited = [min(edge, len(text)) for edge in edges]
    spans = [Span(*sorted(pair)) for pair in zip(limited[::2], limited[1::2], strict=True)]
    places = (Place(PAGE, "1", Span(0, spans[2].start)), Place(PAGE, "2", Span(spans[2].start, len(text))))
    excerpt = source_excerpt(source(text, *places), quote=spans[0], conflict=[spans[1]])
    assert shown(excerpt) == text
    assert quoted(excerpt) == spans[0].of(text)
    assert (excerpt.before, excerpt.after) == ("", "")
    anchors = [piece for part in excerpt.parts for piece in part.pieces if piece.is_anchor]
    assert len(anchors) == (1 if len(spans[0]) else 0)


def test_a_heading_is_shown_once_and_pages_begin_where_they_begin() -> None:
    text = "Finances\n\nIt cost 40 pounds.\n\nNext page."
    turn = text.index("Next")
    places = (
        Place(PAGE, "7", Span(0, turn)),
        Place(PAGE, "8", Span(turn, len(text))),
        Place(HEADING, "Finances", Span(0, len(text))),
    )
    excerpt = source_excerpt(source(text, *places))
    assert [(part.page, part.heading) for part in excerpt.parts] == [("7", "Finances"), ("8", "")]
    assert shown(excerpt) == text


def test_a_long_source_is_shown_around_the_quote_from_line_break_to_line_break() -> None:
    line = "One line of many in this report.\n"
    text = line * 3_000
    start = 50_000
    excerpt = source_excerpt(source(text), quote=Span(start, start + 10))
    part = shown(excerpt)
    assert part.startswith(line)
    assert len(part) <= EXCERPT_CHARS + 1_000
    assert quoted(excerpt) == text[start : start + 10]
    assert excerpt.before
    assert excerpt.after


def test_a_long_line_without_breaks_is_cut_all_the_same() -> None:
    excerpt = source_excerpt(source("x" * 100_000), quote=Span(50_000, 50_010))
    assert len(shown(excerpt)) <= EXCERPT_CHARS + 10


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("3-9", Span(3, 9)),
        ("0-0", Span(0, 0)),
        ("9-3", None),
        ("-3", None),
        ("3", None),
        ("٣-٤", None),
        ("1-" + "9" * 30, None),
    ],
)
def test_ranges_in_addresses(value: str, expected: Span | None) -> None:
    assert span_from_range(value) == expected


def test_places_survive_being_stored() -> None:
    places = (Place(PAGE, "iv", Span(0, 3)), Place(HEADING, "Ä “b”", Span(1, 3)))
    assert PLACES.from_json(PLACES.to_json(places)) == places
