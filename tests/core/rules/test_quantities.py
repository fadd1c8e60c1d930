from __future__ import annotations

import pytest

from detection.core.rules.base import Relation
from detection.core.rules.quantities import Quantity

from .support import COMPATIBLE, CONFLICT, SAME, UNRELATED, relation, texts_of


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("The road is 12 km long.", ["12 km"]),
        ("He is 5 ft 10 in tall.", ["5 ft 10 in"]),
        ("It is a 14-kilometre road.", ["14-kilometre"]),
        ("The lake covers about 2,500 square miles.", ["about 2,500 square miles"]),
        ("It reached 40 °C there.", ["40 °C"]),
        ("It is 5 to 7 metres deep.", ["5 to 7 metres"]),
        ("He was 12 in 1950.", []),
        ("The plan has 12 members.", []),
    ],
)
def test_quantities_are_found(sentence: str, expected: list[str]) -> None:
    assert texts_of(Quantity, sentence) == expected


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("12 km", "7.5 miles", SAME),
        ("12 km", "8.5 miles", CONFLICT),
        ("12 km", "12,000 metres", SAME),
        ("100 °C", "212 °F", SAME),
        ("20 °C", "20 °F", CONFLICT),
        ("5 ft 10 in", "178 cm", SAME),
        ("70 kg", "154 pounds", SAME),
        ("1 hectare", "2.47 acres", SAME),
        ("100 MW", "0.1 GW", SAME),
        ("12 km", "12 kg", UNRELATED),
        ("about 12 km", "11.5 km", COMPATIBLE),
        ("more than 12 km", "15 km", COMPATIBLE),
        ("at most 12 km", "15 km", CONFLICT),
        ("12.4 km", "12 km", COMPATIBLE),
        ("5–7 km", "6 km", COMPATIBLE),
        ("5–7 km", "9 km", CONFLICT),
        ("5 km", "5,000 m", SAME),
        ("1,5 km", "1.5 km", SAME),
        ("32 °F", "0 °C", SAME),
        ("32 degrees Fahrenheit", "0 degrees Celsius", SAME),
        ("-40 °C", "-40 °F", SAME),
        ("half a tonne", "500 kg", SAME),
        ("half a mile", "two miles", CONFLICT),
        ("500 GB", "half a terabyte", SAME),
        ("100 sq km", "38.6 square miles", SAME),
        ("2 km²", "200 hectares", SAME),
        ("100 km/h", "62 mph", SAME),
        ("1.80 m", "5 ft 11 in", SAME),
        ("100 m", "328 feet", SAME),
        ("100 m", "400 feet", CONFLICT),
        ("about 20 km", "21 km", COMPATIBLE),
        ("between 5 and 7 km", "6,500 metres", COMPATIBLE),
        ("at least 5 km", "5 km", COMPATIBLE),
    ],
)
def test_quantities_are_compared_in_one_unit(first: str, second: str, expected: Relation) -> None:
    assert relation(Quantity, f"It is {first} now.", f"It is {second} now.") is expected
