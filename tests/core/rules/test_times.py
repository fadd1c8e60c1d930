from __future__ import annotations

import pytest

from detection.core.rules.base import Relation
from detection.core.rules.times import TimeOfDay

from .support import COMPATIBLE, CONFLICT, SAME, relation, texts_of


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("The train left at 3:45 p.m. sharp.", ["3:45 p.m."]),
        ("The train left at 15:45.", ["15:45"]),
        ("It opens at 9 am.", ["9 am"]),
        ("They met at five o'clock.", ["five o'clock"]),
        ("They met at noon.", ["noon"]),
        ("The ratio was 3:15 in the end.", []),
        ("They won 15:13.", []),
        ("It was read from John 3:16 aloud.", []),
    ],
)
def test_times_are_found(sentence: str, expected: list[str]) -> None:
    assert texts_of(TimeOfDay, sentence) == expected


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("at 3:45 p.m.", "at 15:45", SAME),
        ("at 12 a.m.", "at midnight", SAME),
        ("at 12 p.m.", "at noon", SAME),
        ("at 12:30 a.m.", "at 00:30", SAME),
        ("at five o'clock", "at 5 p.m.", COMPATIBLE),
        ("at five o'clock", "at 6 p.m.", CONFLICT),
        ("at 3:45 a.m.", "at 15:45", CONFLICT),
    ],
)
def test_times_are_compared_on_the_clock(first: str, second: str, expected: Relation) -> None:
    assert relation(TimeOfDay, f"It began {first} then.", f"It began {second} then.") is expected
