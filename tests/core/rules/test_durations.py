from __future__ import annotations

import pytest

from detection.core.rules.base import Relation
from detection.core.rules.durations import Duration

from .support import COMPATIBLE, CONFLICT, SAME, UNRELATED, relation, texts_of


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("He stayed for four years.", ["four years"]),
        ("It took a decade and a half to build.", ["decade and a half"]),
        ("It lasted two years and three months.", ["two years and three months"]),
        ("A 25-year-old man won.", ["25-year-old"]),
        ("He died aged 94.", ["94"]),
        ("Two years later he left.", ["Two years"]),
        ("One day he left.", []),
        ("It appears twice a year.", []),
        ("It was his second book.", []),
    ],
)
def test_durations_are_found(sentence: str, expected: list[str]) -> None:
    assert [text.removeprefix("a ") for text in texts_of(Duration, sentence)] == expected


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("for ten years", "for a decade", SAME),
        ("for 18 months", "for a year and a half", SAME),
        ("for two hours", "for 120 minutes", SAME),
        ("for four years", "for five years", CONFLICT),
        ("for about ten years", "for nine years", COMPATIBLE),
        ("for several years", "for six years", COMPATIBLE),
        ("for four years", "at the age of 4", UNRELATED),
        ("at the age of 94", "aged 91", CONFLICT),
        ("at the age of 94", "aged 94", SAME),
    ],
)
def test_durations_are_compared_by_kind(first: str, second: str, expected: Relation) -> None:
    assert relation(Duration, f"He worked {first}.", f"He worked {second}.") is expected
