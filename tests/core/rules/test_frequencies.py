from __future__ import annotations

import pytest

from detection.core.rules.base import Relation
from detection.core.rules.frequencies import Frequency

from .support import COMPATIBLE, CONFLICT, SAME, relation, texts_of


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("The ferry runs once a day.", ["once a day"]),
        ("The ferry runs about three times a week.", ["about three times a week"]),
        ("It is published twice monthly.", ["twice monthly"]),
        ("The games are held every four years.", ["every four years"]),
        ("The games are held once every two years.", ["once every two years"]),
        ("They met every other week.", ["every other week"]),
        ("He won the cup three times.", []),
        ("He was once mayor.", []),
        ("The paper comes out daily.", []),
        ("Every second year of the course is free.", []),
    ],
)
def test_frequencies_are_found(sentence: str, expected: list[str]) -> None:
    assert texts_of(Frequency, sentence) == expected


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("once a day", "three times a day", CONFLICT),
        ("twice a day", "two times a day", SAME),
        ("twice daily", "twice a day", SAME),
        ("twice daily", "four times a day", CONFLICT),
        ("twice a day", "14 times a week", SAME),
        ("twice a day", "ten times a week", COMPATIBLE),
        ("twice a day", "twice a week", CONFLICT),
        ("every four years", "every two years", CONFLICT),
        ("every other year", "once every two years", SAME),
        ("every two weeks", "once every fortnight", SAME),
        ("at least twice a week", "four times a week", COMPATIBLE),
        ("at most twice a week", "four times a week", CONFLICT),
        ("two or three times a week", "three times a week", COMPATIBLE),
        ("up to five times a day", "three times a day", COMPATIBLE),
    ],
)
def test_frequencies_are_compared_by_their_period(first: str, second: str, expected: Relation) -> None:
    assert relation(Frequency, f"The ferry runs {first}.", f"The ferry runs {second}.") is expected
