from __future__ import annotations

import pytest

from detection.core.rules.base import Relation
from detection.core.rules.numbers import Number, Score
from detection.core.rules.numerals import find_numerals

from .conftest import Parse
from .support import COMPATIBLE, CONFLICT, SAME, UNRELATED, relation, texts_of


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1,200", 1200),
        ("1 200", 1200),
        ("1.200,5", 1200.5),
        ("1,5", 1.5),
        ("12.5", 12.5),
        ("-12", -12),
        ("two hundred and five", 205),
        ("twenty-one", 21),
        ("a hundred", 100),
        ("one hundred thousand", 100_000),
        ("two and a half", 2.5),
        ("half a million", 500_000),
        ("2.5 billion", 2.5e9),
        ("three dozen", 36),
        ("3½", 3.5),
        ("two lakh", 200_000),
    ],
)
def test_numerals_have_their_value(text: str, expected: float) -> None:
    (numeral,) = find_numerals(text)

    assert numeral.value == pytest.approx(expected)
    assert numeral.span.of(text) == text


@pytest.mark.parametrize("text", ["1.2.3", "word", "and a", "third", "A1b2", ""])
def test_what_is_no_numeral_is_left_out(text: str) -> None:
    assert find_numerals(text) == ()


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("She has three children.", ["three"]),
        ("About 1,200 people live there.", ["About 1,200"]),
        ("It is a 12-seat bus.", ["12"]),
        ("Between 20 and 30 people came.", ["Between 20 and 30"]),
        ("Thousands of people came.", ["Thousands"]),
        ("One of the members left.", []),
        ("No one came.", []),
        ("One was a cook, while another was a driver.", []),
        ("4. Sports and games", []),
        ("The COVID-19 wave passed.", []),
        ("It has a 4K screen.", []),
        ("Call 315-460-3344.", []),
        ("It took 12-15 people.", ["12-15"]),
    ],
)
def test_numbers_are_found(parse: Parse, sentence: str, expected: list[str]) -> None:
    assert texts_of(Number, parse(sentence)) == expected


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("three children", "3 kids", SAME),
        ("three children", "four children", CONFLICT),
        ("three children", "four books", UNRELATED),
        ("about 20 seats", "21 seats", COMPATIBLE),
        ("about 20 seats", "40 seats", CONFLICT),
        ("above 20 seats", "larger than 20 seats", SAME),
        ("warmer than 20 degrees", "12 degrees", CONFLICT),
        ("smaller than 20 seats", "12 seats", COMPATIBLE),
        ("more than 20 seats", "25 seats", COMPATIBLE),
        ("more than 21 seats", "21 seats", CONFLICT),
        # "More than" a round number often means approximately that number.
        ("more than 20 seats", "20 seats", COMPATIBLE),
        ("at least 20 seats", "20 seats", COMPATIBLE),
        ("fewer than 20 seats", "25 seats", CONFLICT),
        ("up to 20 seats", "25 seats", CONFLICT),
        ("nearly 500 seats", "480 seats", COMPATIBLE),
        ("nearly 500 seats", "520 seats", CONFLICT),
        ("1,200 seats", "1,187 seats", COMPATIBLE),
        ("1,187 seats", "1,188 seats", CONFLICT),
        ("20 to 30 seats", "25 seats", COMPATIBLE),
        ("20 to 30 seats", "35 seats", CONFLICT),
        ("one million copies", "1,000,000 units", SAME),
        ("dozens of seats", "12 seats", CONFLICT),
        ("dozens of seats", "60 seats", COMPATIBLE),
        ("two dozen seats", "24 seats", SAME),
        ("half a dozen seats", "six seats", SAME),
        ("a hundred seats", "100 seats", SAME),
        ("12 345 seats", "12,345 seats", SAME),
        ("12.345 seats", "12,345 seats", COMPATIBLE),
        ("1.2 million seats", "1,234,000 seats", COMPATIBLE),
        ("1.2 million seats", "1,300,000 seats", CONFLICT),
        ("more than 100 seats", "140 seats", COMPATIBLE),
        ("more than 100 seats", "80 seats", CONFLICT),
        ("between 100 and 200 seats", "150 seats", COMPATIBLE),
        ("100 or more seats", "120 seats", COMPATIBLE),
        ("as many as 100 seats", "60 seats", COMPATIBLE),
        ("well over 100 seats", "180 seats", COMPATIBLE),
        ("two or three seats", "three seats", COMPATIBLE),
        ("two or three seats", "five seats", CONFLICT),
        ("no more than 100 seats", "90 seats", COMPATIBLE),
        ("several seats", "five seats", COMPATIBLE),
        ("hundreds of seats", "400 seats", COMPATIBLE),
        ("its 240 seats", "300 seats", CONFLICT),
        ("its 240 seats", "240 seats", SAME),
    ],
)
def test_numbers_are_compared_when_they_count_the_same(
    parse: Parse, first: str, second: str, expected: Relation
) -> None:
    assert relation(Number, parse(f"It has {first}."), parse(f"It has {second}.")) is expected


def test_scores_are_compared_without_their_order() -> None:
    assert relation(Score, "They won 3–2.", "They lost 2–3.") is SAME
    assert relation(Score, "They won 3–2.", "They won 4–1.") is CONFLICT
