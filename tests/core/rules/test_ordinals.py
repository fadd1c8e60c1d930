from __future__ import annotations

import pytest

from detection.core.rules.base import Relation
from detection.core.rules.ordinals import Ordinal

from .conftest import Parse
from .support import COMPATIBLE, CONFLICT, SAME, UNRELATED, relation, texts_of


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("It was her twenty-first book.", ["twenty-first"]),
        ("It is the third-largest city in the country.", ["third-largest"]),
        ("It is the largest city in the country.", ["largest"]),
        ("The first bridge was made of wood.", ["first"]),
        ("At least five people came.", []),
        ("The Second World War ended.", []),
        ("He came last year.", []),
        ("It lasts for a second or so.", []),
        ("Most people agreed.", []),
    ],
)
def test_ranks_are_found(parse: Parse, sentence: str, expected: list[str]) -> None:
    assert texts_of(Ordinal, parse(sentence)) == expected


def test_numbered_places_are_ranks() -> None:
    assert texts_of(Ordinal, "It reached No. 1 in the charts, then #3.") == ["No. 1", "#3"]


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("the second book", "the 2nd book", SAME),
        ("the second book", "the third book", CONFLICT),
        ("the second book", "the third child", UNRELATED),
        ("the first book", "the last book", CONFLICT),
        ("the third book", "the last book", COMPATIBLE),
        ("the largest city", "the third-largest city", CONFLICT),
        ("the largest city", "the smallest city", CONFLICT),
        ("the largest city", "the oldest city", UNRELATED),
        ("the largest city", "one of the largest cities", COMPATIBLE),
        ("the ninetieth visitor", "the 90th visitor", SAME),
        ("the one hundred and fiftieth meeting", "the 150th meeting", SAME),
        ("the one hundred and fiftieth meeting", "the 50th meeting", CONFLICT),
        ("the hundred and twenty-fifth meeting", "the 125th meeting", SAME),
        ("the nine hundredth visitor", "the 900th visitor", SAME),
    ],
)
def test_ranks_are_compared_within_one_order(parse: Parse, first: str, second: str, expected: Relation) -> None:
    assert relation(Ordinal, parse(f"It is {first}."), parse(f"It is {second}.")) is expected
