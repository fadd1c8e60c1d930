"""Ages and anniversaries say in which year something began."""

from __future__ import annotations

import pytest

from detection.core.rules.alignment import prepare
from detection.core.rules.elapsed import Beginning, Elapsed, ElapsedKind, find_beginnings, find_elapsed

from .conftest import Parse


def beginnings(parse: Parse, sentence: str) -> list[tuple[str, int]]:
    return [(found.event, found.year) for found in find_beginnings(prepare(parse(sentence)))]


def elapsed(parse: Parse, sentence: str) -> list[Elapsed]:
    return list(find_elapsed(prepare(parse(sentence))))


def only_beginning(parse: Parse, sentence: str) -> Beginning:
    (found,) = find_beginnings(prepare(parse(sentence)))
    return found


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("She was born in Bodø on 4 May 1931.", [("birth", 1931)]),
        ("Founded in 1998 by two sisters, Brightloom has grown.", [("founding", 1998)]),
        ("The monks who founded the town in 1143 built a mill.", [("founding", 1143)]),
        ("Ada Lind (24 May 1901 – 3 June 1950) was a painter.", [("birth", 1901)]),
        ("She was born in the 1930s.", []),
        ("She was born before 1931.", []),
        ("She died in 1931.", []),
    ],
)
def test_beginnings_are_found(parse: Parse, sentence: str, expected: list[tuple[str, int]]) -> None:
    assert beginnings(parse, sentence) == expected


@pytest.mark.parametrize(
    ("sentence", "kind", "years", "year", "subject"),
    [
        ("She died in 2011 at the age of eighty.", ElapsedKind.AGE, 80, 2011, "She"),
        ("Arthur Pell, a clockmaker, died on 2 November 2025, aged 91.", ElapsedKind.AGE, 91, 2025, "Arthur Pell"),
        ("He was just 23 when he founded the company in 1975.", ElapsedKind.AGE, 23, 1975, "He"),
        ("In 1990 she was told that she was 34 years old when she won the prize in 1987.", ElapsedKind.AGE, 34, 1987,
         "She"),
        ("The firm marked its twentieth birthday in 2012.", ElapsedKind.ANNIVERSARY, 20, 2012, "The firm"),
        ("The band's thirtieth anniversary fell in 2014.", ElapsedKind.ANNIVERSARY, 30, 2014, "The band"),
        ("The 50th anniversary of the bridge was in 1985.", ElapsedKind.ANNIVERSARY, 50, 1985, "The bridge"),
        ("In 2001 the club celebrated its centenary.", ElapsedKind.ANNIVERSARY, 100, 2001, "The club"),
        ("The town celebrated its seven hundred and fiftieth birthday in 1993.", ElapsedKind.ANNIVERSARY, 750, 1993,
         "The town"),
        ("He celebrated his ninetieth birthday in 2011.", ElapsedKind.BIRTHDAY, 90, 2011, "He"),
        ("In 2020 the Heron turned twenty-five.", ElapsedKind.BIRTHDAY, 25, 2020, "The Heron"),
    ],
)  # fmt: skip
def test_ages_and_anniversaries_are_found(
    parse: Parse, sentence: str, kind: ElapsedKind, years: int, year: int, subject: str
) -> None:
    (found,) = elapsed(parse, sentence)
    assert (found.kind, found.years, found.year, found.subject) == (kind, years, year, subject)


@pytest.mark.parametrize(
    "sentence",
    [
        "She retired in 1996 and died eleven years later, at the age of seventy-six.",
        "She died at the age of eighty.",
        "She died in 2011 at the age of about eighty.",
        "Her baby died in 2011 at the age of eight months.",
        "They celebrated their 50th wedding anniversary in 1985.",
        "Its tenth birthday in 2023 was celebrated with cakes.",
        "She won her thirtieth race in 2014.",
        "The temperature was 34 when it was measured in 1987.",
        "In 2004 he was sixty when he retired.",
        "In 2020 he turned to painting with twenty-five others.",
    ],
)
def test_nothing_is_concluded_where_the_year_or_the_thing_is_open(parse: Parse, sentence: str) -> None:
    assert elapsed(parse, sentence) == []


@pytest.mark.parametrize(
    ("told", "begun", "fits"),
    [
        ("She died in 2011 at the age of eighty.", "She was born in 1932.", False),
        ("She died in 2011 at the age of eighty.", "She was born in 1931.", True),
        ("She died in 2011 at the age of eighty.", "She was born in 1930.", True),
        ("She died in 2011 at the age of eighty.", "She was born in 1929.", False),
        ("The firm marked its twentieth birthday in 2012.", "It was founded in 1990.", False),
        ("The firm marked its twentieth birthday in 2012.", "It was founded in 1991.", True),
        ("The firm marked its twentieth birthday in 2012.", "It was founded in 1993.", True),
        ("The firm marked its twentieth birthday in 2012.", "It was founded in 1994.", False),
    ],
)
def test_a_birthday_may_not_have_come_and_an_anniversary_may_be_late(
    parse: Parse, told: str, begun: str, *, fits: bool
) -> None:
    (age,) = elapsed(parse, told)
    beginning = only_beginning(parse, begun)
    assert age.counts_from(beginning)
    assert (beginning.year in age.first_years) is fits


@pytest.mark.parametrize(
    ("told", "begun"),
    [
        ("She died in 2011 at the age of eighty.", "The firm was founded in 1950."),
        ("The firm marked its twentieth birthday in 2012.", "Its founder was born in 1950."),
    ],
)
def test_an_age_counts_from_a_birth_and_the_anniversary_of_a_thing_does_not(
    parse: Parse, told: str, begun: str
) -> None:
    (age,) = elapsed(parse, told)
    assert not age.counts_from(only_beginning(parse, begun))


@pytest.mark.parametrize(
    ("told", "begun", "restated"),
    [
        ("She died in 2011 at the age of eighty.", "She was born in 1928.", "She was born in 1931."),
        ("The firm marked its 20th birthday in 2012.", "It was founded in 1998.", "The firm was founded in 1992."),
        ("The twins died in 2011, aged 80.", "The twins were born in 1928.", "The twins were born in 1931."),
    ],
)
def test_an_age_is_restated_in_the_words_of_the_beginning(parse: Parse, told: str, begun: str, restated: str) -> None:
    (age,) = elapsed(parse, told)
    assert age.restated(only_beginning(parse, begun)) == restated
