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
        ("He left in his early thirties.", ["early thirties"]),
        ("It was built in the thirties.", []),
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
        ("for a fortnight", "for two weeks", SAME),
        ("for three weeks", "for 21 days", SAME),
        ("for half a century", "for 50 years", SAME),
        ("for one and a half hours", "for 90 minutes", SAME),
        ("for almost a decade", "for nine years", COMPATIBLE),
        ("for more than a decade", "for 14 years", COMPATIBLE),
        ("for less than a decade", "for 14 years", CONFLICT),
        ("for two to three hours", "for about two and a half hours", COMPATIBLE),
        ("as a twelve-year-old", "aged 12", SAME),
        ("as a twelve-year-old", "aged 14", CONFLICT),
        ("in his thirties", "aged 34", COMPATIBLE),
        ("in his thirties", "aged 44", CONFLICT),
        ("in her early thirties", "at the age of 32", COMPATIBLE),
        ("in her late thirties", "at the age of 32", CONFLICT),
        ("in his teens", "at the age of 16", COMPATIBLE),
    ],
)
def test_durations_are_compared_by_kind(first: str, second: str, expected: Relation) -> None:
    assert relation(Duration, f"He worked {first}.", f"He worked {second}.") is expected
