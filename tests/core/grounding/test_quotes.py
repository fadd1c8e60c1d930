"""Find a model's quotes in the sources."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from detection.core.grounding.quotes import QuoteFinder, find_words
from detection.core.types import SourceText, Span

TEXT = """\
The council met on 4 May.  It said:
“The pier can’t be saved — it was built in 1894, and its wood is rotten.”
Forty-two people came, 17 of them by boat.
"""
FINDER = QuoteFinder([SourceText("a", "Minutes", TEXT), SourceText("b", "Letter", "The pier was loved by all.")])


@pytest.mark.parametrize(
    ("quote", "found"),
    [
        ("The council met on 4 May.", "The council met on 4 May"),
        ("the council\nmet on 4 May", "The council met on 4 May"),
        ("4 May. It said", "4 May.  It said"),
        ('"The pier can\'t be saved - it was built in 1894"', "The pier can’t be saved — it was built in 1894"),
        ("Forty‑two people came", "Forty-two people came"),
        ("The pier was loved by all", "The pier was loved by all"),
        ("17", "17"),
    ],
)
def test_space_case_and_the_shape_of_marks_do_not_matter(quote: str, found: str) -> None:
    places = FINDER.find(quote)
    assert places is not None
    (place,) = places
    assert place.text == found
    assert place.likeness == 1.0


@pytest.mark.parametrize(
    ("quote", "found"),
    [
        ("It was build in 1894, and the wood is rotten", "it was built in 1894, and its wood is rotten"),
        ("Forty-two people came and 17 of them by boat", "Forty-two people came, 17 of them by boat"),
    ],
)
def test_a_copy_with_small_slips_is_found_with_a_score(quote: str, found: str) -> None:
    places = FINDER.find(quote)
    assert places is not None
    (place,) = places
    assert found in place.text
    assert 0.85 <= place.likeness < 1


@pytest.mark.parametrize(
    "quote",
    [
        "It was built in 1849, and its wood is rotten",  # a different digit is not a copying error
        "The mayor promised a new pier by next summer.",
        "met on 5 May",
        "coun",  # a part of a word
        "…",
        "",
        "The council met … and then it burned to the ground with all who were in it",
    ],
)
def test_what_is_not_there_is_not_found(quote: str) -> None:
    assert FINDER.find(quote) is None


def test_a_quote_that_leaves_something_out_is_found_in_parts() -> None:
    places = FINDER.find("The council met on 4 May [...] The pier was loved by all.")
    assert places is not None
    assert [(place.source.id, place.text) for place in places] == [
        ("a", "The council met on 4 May"),
        ("b", "The pier was loved by all"),
    ]


@pytest.mark.parametrize(
    ("words", "text", "found"),
    [
        ("1,200", "It cost 1,200 crowns.", Span(8, 13)),
        ("“Crowns”.", "It cost 1,200 crowns.", Span(14, 20)),
        ("own", "It cost 1,200 crowns.", None),
        ("", "It cost 1,200 crowns.", None),
        ("!", "It cost 1,200 crowns!", None),
    ],
)
def test_words_are_found_whole(words: str, text: str, found: Span | None) -> None:
    assert find_words(words, text) == found


@given(st.text(max_size=40), st.integers(0, 40), st.integers(0, 40))
@example("⒜", 0, 1)
def test_every_whole_part_of_a_text_is_found_where_its_words_stand(text: str, first: int, second: int) -> None:
    start, end = sorted((first, second))
    part = text[start:end]
    span = find_words(part, text)
    if span is not None:
        assert span.end <= len(text)
        assert any(map(str.isalnum, unicodedata.normalize("NFKC", part)))  # "⒜" has the letter of "(a)"
