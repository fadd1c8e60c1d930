from __future__ import annotations

import pytest

from detection.core.rules.base import Relation
from detection.core.rules.money import Money

from .support import COMPATIBLE, CONFLICT, SAME, UNRELATED, relation, texts_of


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("It cost $2.5 billion.", ["$2.5 billion"]),
        ("It cost £5m.", ["£5m"]),
        ("It cost US$ 12.", ["US$ 12"]),
        ("It cost twelve euros.", ["twelve euros"]),
        ("It cost more than $3 million.", ["more than $3 million"]),
        ("It cost $5 million to $7 million.", ["$5 million to $7 million"]),
        ("It weighs 12 pounds.", []),
        ("It cost two million pounds.", ["two million pounds"]),
        ("They won 12 games.", []),
    ],
)
def test_sums_are_found(sentence: str, expected: list[str]) -> None:
    assert texts_of(Money, sentence) == expected


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("$2.5 billion", "$2,500,000,000", SAME),
        ("$5 million", "five million US dollars", SAME),
        ("$5 million", "5 million Canadian dollars", COMPATIBLE),
        ("$5 million", "€5 million", UNRELATED),
        ("$5 million", "$3 million", CONFLICT),
        ("about $5 million", "$5.2 million", COMPATIBLE),
        ("more than $5 million", "$7 million", COMPATIBLE),
        ("more than $5 million", "$3 million", CONFLICT),
        ("$2.5 million", "$2,480,000", COMPATIBLE),
        ("$5–7 million", "$6 million", COMPATIBLE),
        ("£3k", "£3,000", SAME),
    ],
)
def test_sums_are_compared_in_one_currency(first: str, second: str, expected: Relation) -> None:
    found = relation(Money, f"It cost {first}.", f"It cost {second}.")

    assert found is expected or {found, expected} == {SAME, COMPATIBLE}
