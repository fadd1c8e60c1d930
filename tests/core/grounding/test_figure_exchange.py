"""A wrong figure in free paraphrase, found by exchanging it for those of the source."""

from __future__ import annotations

import pytest

from detection.core.types import FindingKind

from .conftest import Ground

STATION = (
    "Lindow station was built in 1874 to plans by the engineer Ferdinand Aust. After the line to Garz was closed in "
    "1969, the building was used as a furniture store.\n\nIn 1994 a group of 17 citizens bought it for one mark and "
    "spent eight years restoring it. Since 2002 it has housed a library on the ground floor and four flats above."
)
STRIKE = (
    "Staff of the city library walked out on Monday and Tuesday of last week. According to the union, 210 of the 260 "
    "employees took part; the city speaks of 150. All eleven branches stayed shut, and readings with an estimated 900 "
    "visitors were cancelled."
)
BAKERY = (
    "Managing director Tamar Weil wants to cut the range from 140 to 90 products. The central bakery in Rosdorf is to "
    "get a new oven in the autumn at a cost of 2.3 million euros. No dividend will be paid."
)
SURVEY = (
    "We asked 1,280 pupils at eleven schools about their sleep. The effect was smaller among pupils older than sixteen "
    "(21 minutes). Two thirds of the participants said that they kept the phone beside their pillow."
)


@pytest.mark.parametrize(
    ("sentence", "source", "own", "given", "rewrite"),
    [
        (
            "Work on the restoration took them eighteen years.",
            STATION,
            "eighteen years",
            "eight years",
            "Work on the restoration took them eight years.",
        ),
        (
            "Trains to Garz ceased to run in 1996.",
            STATION,
            "1996",
            "1969",
            "Trains to Garz ceased to run in 1969.",
        ),
        (
            "By the union's count 120 employees joined in.",
            STRIKE,
            "120",
            "210",
            "By the union's count 210 employees joined in.",
        ),
        (
            "The oven planned for Rosdorf will swallow 3.2 million euros.",
            BAKERY,
            "3.2 million euros",
            "2.3 million euros",
            "The oven planned for Rosdorf will swallow 2.3 million euros.",
        ),
    ],
)
async def test_the_figure_with_which_the_source_supports_the_sentence_is_named_and_offered(
    ground: Ground, sentence: str, source: str, own: str, given: str, rewrite: str
) -> None:
    (finding,) = (await ground(sentence, source)).findings
    assert finding.kind is FindingKind.CONFLICTS_WITH_SOURCE
    assert finding.quoted == own
    assert given in str(finding.message)
    assert finding.suggestions[0].replacement == rewrite


@pytest.mark.parametrize(
    ("sentence", "source"),
    [
        ("Weil intends to drop fifty items from the assortment.", BAKERY),
        ("The two sides differ by sixty over how many people stayed away from work.", STRIKE),
        ("It took the citizens eight years to restore the building.", STATION),
        ("The restoration took them almost a decade.", STATION),
    ],
)
async def test_a_figure_that_can_be_worked_out_or_is_given_in_other_words_is_no_conflict(
    ground: Ground, sentence: str, source: str
) -> None:
    assert [finding.kind for finding in (await ground(sentence, source)).findings] == []


async def test_the_word_one_is_not_exchanged(ground: Ground) -> None:
    (finding,) = (await ground("Roughly one pupil in three keeps the telephone next to the pillow.", SURVEY)).findings
    assert [one.replacement for one in finding.suggestions] == [""]
