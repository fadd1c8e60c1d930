from __future__ import annotations

import pytest

from detection.core.rules.base import Relation
from detection.core.rules.times import TimeOfDay

from .support import COMPATIBLE, CONFLICT, SAME, relation, texts_of


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("The train left at 3:45 p.m. sharp.", ["3:45 p.m."]),
        ("The train left at 15:45.", ["15:45"]),
        ("It opens at 9 am.", ["9 am"]),
        ("They met at five o'clock.", ["five o'clock"]),
        ("They met at noon.", ["noon"]),
        ("The class begins at half past seven.", ["half past seven"]),
        (
            "It closes at a quarter to 6 pm and opens after quarter past nine.",
            ["a quarter to 6 pm", "after quarter past nine"],
        ),
        ("A quarter to a third of the flats stand empty, half past use.", []),
        ("The ratio was 3:15 in the end.", []),
        ("They won 15:13.", []),
        ("It was read from John 3:16 aloud.", []),
        ("It is open from 9 am to 5 pm.", ["from 9 am to 5 pm"]),
        ("It is open from 9 to 5 pm.", ["from 9 to 5 pm"]),
        ("It is open 9–11 am and at noon.", ["9–11 am", "noon"]),
        ("It was seen between 10 pm and 2 am.", ["between 10 pm and 2 am"]),
        ("They left shortly after 3 pm.", ["shortly after 3 pm"]),
        ("They left before noon.", ["before noon"]),
        ("All trains from 1 to 3 left at 9 am.", ["9 am"]),
    ],
)
def test_times_are_found(sentence: str, expected: list[str]) -> None:
    assert texts_of(TimeOfDay, sentence) == expected


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("at 3:45 p.m.", "at 15:45", SAME),
        ("at 12 a.m.", "at midnight", SAME),
        ("at 12 p.m.", "at noon", SAME),
        ("at 12:30 a.m.", "at 00:30", SAME),
        ("at five o'clock", "at 5 p.m.", COMPATIBLE),
        ("at half past seven", "at 7:30 pm", COMPATIBLE),
        ("at half past seven", "at 7 pm", CONFLICT),
        ("at a quarter to one", "at 12:45 pm", COMPATIBLE),
        ("at quarter past twelve", "at 12:15 am", COMPATIBLE),
        ("at a quarter to six pm", "at 17:45", SAME),
        ("at a quarter to 12 am", "at 23:45", SAME),
        ("at five o'clock", "at 6 p.m.", CONFLICT),
        ("at 3:45 a.m.", "at 15:45", CONFLICT),
        ("at 3 pm", "at 15:00", SAME),
        ("at 3 pm", "at 4 pm", CONFLICT),
        ("at about 3 pm", "at 3:10 pm", COMPATIBLE),
        ("at about 3 pm", "at 7 pm", CONFLICT),
        ("shortly after 3 pm", "at 3:05 pm", COMPATIBLE),
        ("before 9 am", "at 8:15 am", COMPATIBLE),
        ("before 9 am", "at 10 am", CONFLICT),
        ("before 9 am", "before 8 am", COMPATIBLE),
        ("after 9 am", "at 10 am", COMPATIBLE),
        ("after 9 am", "at 8 am", CONFLICT),
        ("by 9 am", "at 9 am", COMPATIBLE),
        ("no later than 9 am", "at 10 am", CONFLICT),
        ("not before 9 am", "at 10 am", COMPATIBLE),
        ("between 9 am and 11 am", "at 10 am", COMPATIBLE),
        ("between 9 and 11 am", "at 10 am", COMPATIBLE),
        ("between 9 and 11 am", "at 11:30", CONFLICT),
        ("between 10 pm and 2 am", "at midnight", COMPATIBLE),
        ("between 10 pm and 2 am", "at 1 a.m.", COMPATIBLE),
        ("between 10 pm and 2 am", "at 3 a.m.", CONFLICT),
        ("from 9 to 5 pm", "from 9 am to 5 pm", SAME),
        ("from 9 am to 5 pm", "from 10 am to 5 pm", CONFLICT),
        ("from 9 am to 5 pm", "until 5 pm", COMPATIBLE),
        ("until 5 pm", "until 17:00", SAME),
        ("from 00:00 to 10:00", "at 09:30", COMPATIBLE),
        ("from 00:00 to 10:00", "at 14:30", CONFLICT),
        ("from 9:00 to 5:00", "at 3:00", COMPATIBLE),
        ("from 9:00 to 5 pm", "at 3 pm", COMPATIBLE),
        ("until 5 pm", "until 6 pm", CONFLICT),
        ("until five o'clock", "until 5 pm", COMPATIBLE),
        ("from 9 am", "from 10 am", CONFLICT),
        ("from 9 am", "at 10 am", COMPATIBLE),
    ],
)
def test_times_are_compared_on_the_clock(first: str, second: str, expected: Relation) -> None:
    assert relation(TimeOfDay, f"It began {first} then.", f"It began {second} then.") is expected
