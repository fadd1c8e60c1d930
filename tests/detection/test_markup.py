"""Markdown on the page is formatted without losing characters."""

from __future__ import annotations

import pytest
from django.test import Client

from detection.core.types import Span
from detection.selectors.markup import rendered
from detection.selectors.pieces import pieces
from tests.factories import checked


def shown(text: str, *strong: Span) -> list[tuple[str, str]]:
    """The visible parts of a sentence with their styles."""
    return [(piece.text, piece.style) for piece in rendered(pieces(text, strong)) if not piece.is_syntax]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The **old mill** burned.", [("The ", ""), ("old mill", "bold"), (" burned.", "")]),
        ("The *old* mill.", [("The ", ""), ("old", "italic"), (" mill.", "")]),
        ("Run `make all` first.", [("Run ", ""), ("make all", "code"), (" first.", "")]),
        ("See [the report](https://example.org/a).", [("See ", ""), ("the report", "link"), (".", "")]),
        ("5 * 3 * 2 is 30.", [("5 * 3 * 2 is 30.", "")]),
        ("The snake_case_name stays.", [("The snake_case_name stays.", "")]),
        ("**Unclosed words.", [("**Unclosed words.", "")]),
        ("See [1](note).", [("See [1](note).", "")]),
    ],
)
def test_marks_are_not_seen_and_everything_else_is(text: str, expected: list[tuple[str, str]]) -> None:
    assert shown(text) == expected
    assert "".join(piece.text for piece in rendered(pieces(text, ()))) == text


def test_the_words_of_a_warning_within_marks_stay_marked() -> None:
    text = "It was **built in 1894**."
    found = rendered(pieces(text, [Span(18, 22)]))
    assert [piece.text for piece in found if piece.strong] == ["1894"]
    assert "".join(piece.text for piece in found if not piece.is_syntax) == "It was built in 1894."


def test_many_marks_take_no_time() -> None:
    text = "*a _b `c [d" * 5_000
    assert "".join(piece.text for piece in rendered(pieces(text, ()))) == text


@pytest.mark.django_db
def test_the_page_hides_the_marks_and_keeps_numbers_of_items(owner: Client) -> None:
    check = checked(("It was **built** in 1894.",))
    page = owner.get(f"/checks/{check.pk}/").content.decode()
    assert '<span class="syntax">**</span><strong>built</strong><span class="syntax">**</span>' in page
