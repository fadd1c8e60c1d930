"""Properties of all values: ranges contain their points, units convert back, relations are symmetric."""

from __future__ import annotations

from itertools import product

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from detection.core.rules import compare, extract
from detection.core.rules.base import Relation
from detection.core.rules.dates import Date
from detection.core.rules.numbers import Number
from detection.core.rules.quantities import Quantity
from detection.core.rules.times import TimeOfDay

from .support import CONFLICT, SAME, relation

UNTIMED = settings(deadline=None, max_examples=40)
NUMBERS = st.integers(min_value=2, max_value=100_000)
YEARS = st.integers(min_value=1500, max_value=2090)
#: Later numbers are not years: "from 2045 to 2101" may be a count.
LAST_YEAR = 2099
DAYS = st.integers(min_value=1, max_value=28)
MINUTES = st.integers(min_value=0, max_value=1439)
# Wordings that bound, soften or extend one number, date, length, sum or time.
WORDINGS = st.sampled_from(
    [
        "It has {0} seats.",
        "It has about {0} seats.",
        "It has more than {0} seats.",
        "It has fewer than {0} seats.",
        "It has between {0} and {1} seats.",
        "It is {0} km long.",
        "It is almost {0} miles long.",
        "It cost ${0}.",
        "It cost up to ${0} million.",
        "It grew by {0}%.",
        "It runs {0} times a week.",
        "It runs at least {0} times a day.",
        "It was there in {2}.",
        "It was there before {2}.",
        "It was there from {2} to {3}.",
        "It was there in the winter of {2}.",
        "It left at 3 pm.",
        "It left before 9 am.",
        "It left between 10 pm and 2 am.",
    ]
)


@st.composite
def sentences(draw: st.DrawFn) -> str:
    low, year = draw(NUMBERS), draw(YEARS)
    return draw(WORDINGS).format(low, low + draw(NUMBERS), year, year + draw(DAYS))


@UNTIMED
@given(sentences(), sentences())
def test_the_order_of_two_values_does_not_matter(first: str, second: str) -> None:
    for one, other in product(extract(first), extract(second)):
        assert compare(one, other) is compare(other, one)


@UNTIMED
@given(sentences())
def test_every_value_agrees_with_itself(sentence: str) -> None:
    assert all(compare(value, value) is SAME for value in extract(sentence))


@UNTIMED
@given(NUMBERS, st.integers(min_value=0, max_value=1000), st.integers(min_value=1, max_value=1000))
def test_a_range_of_numbers_holds_every_point_of_it(low: int, before: int, after: int) -> None:
    first, second = f"It has {low} to {low + before + after} seats.", f"It has {low + before} seats."
    assert relation(Number, first, second).agrees


@UNTIMED
@given(YEARS, DAYS, DAYS, st.integers(min_value=0, max_value=60))
def test_a_span_of_years_holds_every_year_of_it(year: int, before: int, after: int, beyond: int) -> None:
    assume(year + before + after + 1 + beyond <= LAST_YEAR)
    span = f"It was there from {year} to {year + before + after}."
    assert relation(Date, span, f"It was there in {year + before}.").agrees
    assert relation(Date, span, f"It was there in {year + before + after + 1 + beyond}.") is CONFLICT


@UNTIMED
@given(DAYS, DAYS, st.integers(min_value=1, max_value=28))
def test_days_of_a_month_hold_every_day_between_them(first: int, last: int, day: int) -> None:
    if first >= last:
        return
    expected = first <= day <= last
    found = relation(Date, f"It runs from {first} to {last} June.", f"It was shown on {day} June.")
    assert found.agrees is expected


@UNTIMED
@given(MINUTES, MINUTES, MINUTES)
def test_a_range_of_times_holds_every_time_between_them(first: int, last: int, time: int) -> None:
    if first == last:
        return
    is_between = first <= time <= last if first < last else time >= first or time <= last
    found = relation(TimeOfDay, f"It is open from {_clock(first)} to {_clock(last)}.", f"It rang at {_clock(time)}.")
    assert found.agrees or not is_between


def _clock(minute: int) -> str:
    return f"{minute // 60:02}:{minute % 60:02}"


@UNTIMED
@given(st.integers(min_value=1, max_value=9_999))
def test_lengths_convert_to_smaller_units(metres: int) -> None:
    assert relation(Quantity, f"It is {metres} m long.", f"It is {metres * 1000} mm long.") is SAME
    assert relation(Quantity, f"It is {metres} m long.", f"It is {metres / 1000} km long.") is SAME


@UNTIMED
@given(st.integers(min_value=-40, max_value=400))
def test_temperatures_convert_there_and_back(celsius: int) -> None:
    fahrenheit = f"It reached {celsius * 9 / 5 + 32:.1f} °F."
    assert relation(Quantity, f"It reached {celsius} °C.", fahrenheit) in (SAME, Relation.COMPATIBLE)
