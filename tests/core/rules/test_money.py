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
        ("$1.2 million", "1,200,000 dollars", SAME),
        ("$1.2 million", "US$1.2m", SAME),
        ("$1.2 million", "$1.5 million", CONFLICT),
        ("€3.5bn", "3.5 billion euros", SAME),
        ("€3.5bn", "€4.5bn", CONFLICT),
        ("$500,000", "half a million dollars", SAME),
        ("$500,000", "C$600,000", UNRELATED),
        ("$500,000", "US$600,000", CONFLICT),
        ("C$500,000", "C$600,000", CONFLICT),
        ("12.000 euros", "12,000 euros", COMPATIBLE),
        ("12.50 euros", "12,50 euros", SAME),
        ("between $3 million and $5 million", "$4 million", COMPATIBLE),
        ("$3 to $5 million", "$4 million", COMPATIBLE),
        ("$3 to $5 million", "$6 million", CONFLICT),
        ("up to $3 million", "$2.4 million", COMPATIBLE),
        ("up to $3 million", "$3.4 million", CONFLICT),
    ],
)
def test_sums_are_compared_in_one_currency(first: str, second: str, expected: Relation) -> None:
    found = relation(Money, f"It cost {first}.", f"It cost {second}.")

    assert found is expected or {found, expected} == {SAME, COMPATIBLE}
