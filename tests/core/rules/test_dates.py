from __future__ import annotations

import pytest

from detection.core.rules.base import Relation
from detection.core.rules.dates import Date

from .support import COMPATIBLE, CONFLICT, SAME, UNRELATED, relation, texts_of


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("She was born on 12 March 1957 in Malmö.", ["12 March 1957"]),
        ("She was born on March 12, 1957, in Malmö.", ["March 12, 1957"]),
        ("She was born on Tuesday, 12 March 1957.", ["Tuesday, 12 March 1957"]),
        ("It opened on 2011-05-03.", ["2011-05-03"]),
        ("It opened on 23/5/2011.", ["23/5/2011"]),
        ("He moved there in the late 1950s.", ["late 1950s"]),
        ("It dates from the second half of the 19th century.", ["second half of the 19th century"]),
        ("The city fell in 44 BC.", ["44 BC"]),
        ("It was held in the summer of 1965.", ["summer of 1965"]),
        ("Sales fell in the first quarter of 2010.", ["first quarter of 2010"]),
        ("She has lived there since 1998.", ["since 1998"]),
        ("The war lasted from 1914 to 1918.", ["from 1914 to 1918"]),
        ("It was built between 1911 and 1913.", ["between 1911 and 1913"]),
        ("It was built in around 1840.", ["around 1840"]),
        ("Born in 1911, he died in 1980.", ["1911", "1980"]),
        ("They met in May and again in July.", ["May", "July"]),
        ("The fair runs from 3 to 21 June.", ["from 3 to 21 June"]),
        ("The fair runs from June 3 to 21.", ["from June 3 to 21"]),
        ("It will be held between 3 and 21 June.", ["between 3 and 21 June"]),
        ("It was not opened before May 1999.", ["before May 1999"]),
        ("It opened not before 1999.", ["not before 1999"]),
    ],
)
def test_dates_are_found(sentence: str, expected: list[str]) -> None:
    assert texts_of(Date, sentence) == expected


@pytest.mark.parametrize(
    "sentence",
    [
        "The hall has 1936 seats.",
        "A total of 1800 people came.",
        "It cost $1950 at the time.",
        "They may march again.",
        "The pump delivers 1500 litres.",
        "Flight 1549 was late.",
        "He ran 1500 metres.",
        "Those aged 15 may enter.",
        "All 20 march to the square.",
        "From 3 to 21 members came.",
    ],
)
def test_other_numbers_are_no_dates(sentence: str) -> None:
    assert texts_of(Date, sentence) == []


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("on 12 March 1957", "on March 12, 1957", SAME),
        ("on 12 March 1957", "on 1957-03-12", SAME),
        ("in 1957", "on 12 March 1957", COMPATIBLE),
        ("on 2 March", "in March 1921", COMPATIBLE),
        ("in 1953", "in the 1950s", COMPATIBLE),
        ("in 1962", "in the 1950s", CONFLICT),
        ("in 1800", "in the 19th century", COMPATIBLE),
        ("in 1905", "in the 19th century", CONFLICT),
        ("in 1954", "in the late 1950s", CONFLICT),
        ("in 44 BC", "in AD 44", CONFLICT),
        ("in 44 BC", "in the first century BC", COMPATIBLE),
        ("in circa 1450", "in 1460", COMPATIBLE),
        ("in circa 1850", "in 1880", CONFLICT),
        ("on 12 March 1957", "on 13 March 1957", CONFLICT),
        ("on 12 March 1957", "in April 1957", CONFLICT),
        # 3 May or 5 March, but not June.
        ("on 3/5/1921", "on 3 May 1921", COMPATIBLE),
        ("on 3/5/1921", "on March 5, 1921", COMPATIBLE),
        ("on 3/5/1921", "in June 1921", CONFLICT),
        ("on 23/5/1921", "on May 23, 1921", SAME),
        ("before 1900", "in 1890", COMPATIBLE),
        ("before 1900", "in 1910", CONFLICT),
        ("after 1900", "in 1890", CONFLICT),
        ("since 1998", "since 2001", CONFLICT),
        ("from 1914 to 1918", "1914–18", SAME),
        ("from 1914 to 1918", "from 1914 to 1919", CONFLICT),
        ("between 1911 and 1913", "in 1912", COMPATIBLE),
        ("between 1911 and 1913", "in 1920", CONFLICT),
        ("in the summer of 1965", "in the winter of 1965", CONFLICT),
        ("in the summer of 1965", "in July 1965", COMPATIBLE),
        ("in the first quarter of 2010", "in May 2010", CONFLICT),
        ("on Tuesday", "on Friday", CONFLICT),
        ("on Saturdays", "on Sundays", CONFLICT),
        ("on Sundays", "on Sunday", SAME),
        ("since 1990", "from April to October", UNRELATED),
        ("since September", "in 1990", UNRELATED),
        ("from April to October", "from March to October", CONFLICT),
        ("from 3 to 21 June", "from 3 June to 21 June", SAME),
        ("from 3 to 21 June", "3–21 June", SAME),
        ("from 3 to 21 June", "from June 3 through 21", SAME),
        ("from 3 to 21 June", "from 4 to 30 June", CONFLICT),
        ("from 3 to 21 June", "on 10 June", COMPATIBLE),
        ("from 3 to 21 June", "on 25 June", CONFLICT),
        ("from 3 to 21 June", "in June 1999", COMPATIBLE),
        ("between 3 and 21 June", "on 10 June", COMPATIBLE),
        ("between 3 and 21 June", "on 25 June", CONFLICT),
        ("until 21 June", "on 25 June", CONFLICT),
        ("until 21 June", "on 3 June", COMPATIBLE),
        ("not before 1999", "in 2001", COMPATIBLE),
        ("no earlier than 1999", "in 1999", COMPATIBLE),
        ("no earlier than 1999", "in 1990", CONFLICT),
        ("no later than 1999", "in 1997", COMPATIBLE),
        ("in winter 1999", "in January 2000", COMPATIBLE),
        ("in the winter of 1999", "in 2000", COMPATIBLE),
        ("in winter 1999", "in May 2000", CONFLICT),
        ("in winter 1999", "in winter 2000", CONFLICT),
        ("in the mid-1990s", "in 1995", COMPATIBLE),
        ("in the mid-1990s", "in 1999", CONFLICT),
        ("in the 20th century", "in 1950", COMPATIBLE),
        ("in the twentieth century", "in the 1950s", COMPATIBLE),
        ("in the late 19th century", "in 1888", COMPATIBLE),
        ("in the late 19th century", "in 1820", CONFLICT),
        ("in 2015-16", "in 2015", COMPATIBLE),
        ("in 2015-16", "in 2016", COMPATIBLE),
        ("in 2015-16", "in 2015/16", SAME),
        ("in 2015-16", "in 2017–18", CONFLICT),
        ("in 44 BCE", "in 44 BC", SAME),
        ("in 44 BC", "in 43 BC", CONFLICT),
        ("on 29 February 2012", "in February 2012", COMPATIBLE),
        ("on 29 February 2012", "on 1 March 2012", CONFLICT),
        ("on 29 February", "on February 29, 2012", COMPATIBLE),
        ("in early 1999", "in February 1999", COMPATIBLE),
        ("in early 1999", "in November 1999", CONFLICT),
        ("by 1999", "in 1998", COMPATIBLE),
        ("in the ’90s", "in 1994", COMPATIBLE),
        ("in Q3 1999", "in August 1999", COMPATIBLE),
        ("on Tuesday", "on 4 May 1999", UNRELATED),
    ],
)
def test_dates_are_compared_by_what_they_say(first: str, second: str, expected: Relation) -> None:
    assert relation(Date, f"It happened {first}.", f"It happened {second}.") is expected
