"""Dates of birth and death in brackets after a name."""

from __future__ import annotations

import pytest

from detection.core.rules import extract
from detection.core.rules.alignment import conflicts, prepare

from .conftest import Parse


@pytest.mark.parametrize(
    ("sentence", "birth", "death"),
    [
        ("Ada Lind (24 May 1901 – 3 June 1950) was a painter.", "24 May 1901", "3 June 1950"),
        ("Ada Lind (May 24, 1901 - June 3, 1950) was a painter.", "May 24, 1901", "June 3, 1950"),
        ("Ada Lind (1901–1950) was a painter.", "1901", "1950"),
        ("Ada Lind Jr. (1901–1950) was a painter.", "1901", "1950"),
        ("Sir Ole Berg (1901–1950) was a painter.", "1901", "1950"),
    ],
)
def test_life_dates_tell_of_birth_and_death(parse: Parse, sentence: str, birth: str, death: str) -> None:
    clause = prepare(parse(sentence))
    assert [(found.event, found.date.text) for found in clause.life_dates] == [("birth", birth), ("death", death)]
    for found in clause.life_dates:
        assert clause.slot(found.date).event == found.event
        assert found.date.span.of(sentence) == found.date.text


@pytest.mark.parametrize(
    "sentence",
    [
        "Ada Lind (24 May 1901) was a painter.",
        "The museum shows works by Ada Lind (1901–1950).",
        "Ada Lind painted for years (1921–1950).",
        "The report (1901-05-24) names Ada Lind.",
        "From 1901–1950 Ada Lind was a painter.",
    ],
)
def test_other_dates_are_no_life_dates(parse: Parse, sentence: str) -> None:
    assert not prepare(parse(sentence)).life_dates


def test_a_span_of_years_elsewhere_stays_one_value() -> None:
    assert [value.text for value in extract("She was away (1914–1918) and came back.")] == ["1914–1918"]


@pytest.mark.parametrize(
    ("other", "clash"),
    [
        ("She died in 1955 in Oslo.", ["3 June 1950 against 1955"]),
        ("Lind was born in 1899.", ["24 May 1901 against 1899"]),
        ("Ada Lind (1901–1955) was a painter.", ["3 June 1950 against 1955"]),
        ("She was born in May 1901 and died in 1950.", []),
        ("Ada Lind (1901–1950) was a painter.", []),
    ],
)
def test_life_dates_clash_with_what_is_said_of_birth_and_death(parse: Parse, other: str, clash: list[str]) -> None:
    first = parse("Ada Lind (24 May 1901 – 3 June 1950) was a Norwegian painter.")
    second = parse(other)
    assert [found.reason for found in conflicts(first, second) if found.is_strong] == clash


def test_the_birth_of_somebody_else_does_not_clash(parse: Parse) -> None:
    first = parse("Ada Lind (1901–1950) was a painter.")
    second = parse("Her father was born in 1870.")
    assert not [found for found in conflicts(first, second) if found.is_strong]
