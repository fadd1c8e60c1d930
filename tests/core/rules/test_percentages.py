from __future__ import annotations

import pytest

from detection.core.rules.base import Relation
from detection.core.rules.percentages import Share

from .support import COMPATIBLE, CONFLICT, SAME, UNRELATED, relation, texts_of


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("It won 53.5% of the vote.", ["53.5%"]),
        ("It rose by 20 percent.", ["20 percent"]),
        ("It rose by twelve per cent a year.", ["twelve per cent"]),
        ("Two thirds of the members agreed.", ["Two thirds"]),
        ("One in five of them agreed.", ["One in five"]),
        ("Nine out of ten people agreed.", ["Nine out of ten"]),
        ("In the first half of the match it rained.", []),
        ("He came third in the race.", []),
    ],
)
def test_shares_are_found(sentence: str, expected: list[str]) -> None:
    assert texts_of(Share, sentence) == expected


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("50 % of them", "half of them", SAME),
        ("a quarter of them", "25 percent of them", SAME),
        ("two thirds of them", "67 % of them", SAME),
        ("one in five of them", "20% of them", SAME),
        ("a third of them", "half of them", CONFLICT),
        ("12% of them", "20% of them", CONFLICT),
        ("53.5% of them", "54% of them", COMPATIBLE),
        ("about 50% of them", "48% of them", COMPATIBLE),
        ("less than 1% of them", "over 2% of them", CONFLICT),
        ("5 percentage points", "5 percent", UNRELATED),
        ("5–7% of them", "6% of them", COMPATIBLE),
    ],
)
def test_shares_are_compared_in_per_cent(first: str, second: str, expected: Relation) -> None:
    assert relation(Share, f"It was {first}.", f"It was {second}.") is expected
