from __future__ import annotations

import pytest

from detection.core.rules.base import Relation
from detection.core.rules.opposites import Opposite

from .conftest import Parse
from .support import COMPATIBLE, CONFLICT, SAME, UNRELATED, relation, texts_of


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Prices rose sharply.", ["rose"]),
        ("It is a private school.", ["private"]),
        ("The bird sings.", []),
        ("She is a writer and a doctor.", []),
    ],
)
def test_words_with_an_opposite_are_found(parse: Parse, sentence: str, expected: list[str]) -> None:
    assert texts_of(Opposite, parse(sentence)) == expected


def test_a_plain_text_has_no_opposites() -> None:
    assert texts_of(Opposite, "Prices rose sharply.") == []


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("Prices rose sharply.", "Prices fell sharply.", CONFLICT),
        ("Prices rose sharply.", "Prices increased sharply.", SAME),
        ("Prices rose sharply.", "It is a private school.", UNRELATED),
        ("It is a public school.", "It is a private school.", CONFLICT),
        ("It lies in northern Wales.", "It lies in southern Wales.", CONFLICT),
        ("It lies in northern Wales.", "It lies in eastern Wales.", COMPATIBLE),
        ("It lies in northeastern Wales.", "It lies in western Wales.", CONFLICT),
        ("She is his sister.", "She is his aunt.", CONFLICT),
    ],
)
def test_opposites_exclude_each_other(parse: Parse, first: str, second: str, expected: Relation) -> None:
    assert relation(Opposite, parse(first), parse(second)) is expected
