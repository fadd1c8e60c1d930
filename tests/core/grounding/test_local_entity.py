"""The entity level: the source must support each name and value of a sentence."""

from __future__ import annotations

import pytest

from detection.core.types import FindingKind, GroundingLevel, Strictness, Verdict

from .conftest import Ground
from .texts import WORKS

ENTITY_ONLY = frozenset({GroundingLevel.ENTITY})
SENTENCE_ONLY = frozenset({GroundingLevel.SENTENCE})


@pytest.mark.parametrize(
    ("sentence", "wrong"),
    [
        ("Tom Berg had trained in Bergen.", "Tom Berg"),
        ("Elsa Krog had trained in Bergen.", "Elsa Krog"),
        ("Havstrom won the Northern Heritage Prize in 2004.", "Havstrom"),
        ("The company Solveig won the Northern Heritage Prize in 2004.", "Solveig"),
    ],
)
async def test_a_name_that_the_source_has_for_something_else_fails_the_sentence(
    ground: Ground, sentence: str, wrong: str
) -> None:
    result = await ground(sentence, WORKS)
    (finding,) = result.findings
    assert result.verdict is Verdict.CONFLICTS_WITH_SOURCE
    assert finding.kind is FindingKind.CONFLICTS_WITH_SOURCE
    assert finding.quoted == wrong
    assert str(finding.message) == f"The source does not say this of “{wrong}”."
    assert any(wrong in evidence.quote for evidence in finding.evidence)
    of_sentences = (await ground(sentence, WORKS, levels=SENTENCE_ONLY)).findings
    assert all(wrong in finding.quoted for finding in of_sentences)


@pytest.mark.parametrize(
    ("sentence", "wrong"),
    [
        ("Elsa Krog had trained in Bergen.", "Elsa Krog"),  # a person
        ("Havstrom won the Northern Heritage Prize in 2004.", "Havstrom"),  # an organisation
        ("Visitors from Bergen come by the ferry Solveig.", "Bergen"),  # a place
        ("Elsa Krog was elected to the council in 1954.", "1954"),  # a date
        ("The building stood empty for 34 years.", "34 years"),  # a quantity
    ],
)
async def test_each_category_is_judged_by_itself(ground: Ground, sentence: str, wrong: str) -> None:
    result = await ground(sentence, WORKS, levels=ENTITY_ONLY, strictness=Strictness.STRICT)
    (finding,) = result.findings
    assert finding.quoted == wrong


@pytest.mark.parametrize(
    "sentence",
    [
        "The UN sent experts to the works in 1961.",
        "Danish visitors come by the ferry Solveig.",
        "Mia Holm, 34, is the director of the museum.",
        "The 34-year-old Mia Holm wants to raise money for the roof.",
        "The director wants to raise 1.2 million euros for the roof.",
        "The guide book costs 1,200,000 kroner to print.",
        "The town had twelve thousand inhabitants.",
        "The steam engines were replaced in the 1950s.",
        "Lind designed the water works.",
        "The museum at Sorrel won the Northern Heritage Prize in 2004.",
    ],
)
async def test_the_right_name_or_value_in_another_form_passes(ground: Ground, sentence: str) -> None:
    result = await ground(sentence, WORKS)
    assert result.findings == ()
    assert result.verdict in (Verdict.SUPPORTED, Verdict.UNSURE)


async def test_who_is_named_in_the_sentence_before_is_the_one_a_pronoun_stands_for(ground: Ground) -> None:
    source = "Ada Lind built the mill at Sallow. She died in Bergen in 1912. Tom Berg sold the mill."
    assert (await ground("Ada Lind died in Bergen.", source)).findings == ()
    assert (await ground("Tom Berg died in Bergen.", source)).findings


async def test_a_name_in_place_of_the_one_before_is_a_conflict(ground: Ground) -> None:
    source = "Ada Lind built the mill at Sallow. She died in Bergen in 1912. Tom Berg sold the mill."
    (finding,) = (await ground("Tom Berg died in Bergen.", source)).findings
    assert finding.kind is FindingKind.CONFLICTS_WITH_SOURCE
    assert finding.quoted == "Tom Berg"


async def test_what_a_heading_names_need_not_be_repeated_under_it(ground: Ground) -> None:
    report = "The library reopened in March after fourteen months. The work cost 2.4 million pounds.\n"
    sentence = "Harwick's library reopened in March after fourteen months."
    assert (await ground(sentence, "# Harwick: annual report\n\n" + report)).findings == ()
    without = report + "\nThe ferry to Harwick leaves at noon.\n"
    (finding,) = (await ground(sentence, without, levels=ENTITY_ONLY)).findings
    assert finding.quoted == "Harwick"


async def test_what_the_opening_of_the_source_calls_the_village_may_be_called_so(ground: Ground) -> None:
    source = "Sorrel is a village on the southern shore of Lake Ferrin. The railway reached Sorrel in 1894."
    result = await ground("A railway reached the village in 1894.", source, levels=ENTITY_ONLY)
    assert result.findings == ()


async def test_what_no_source_names_fails_at_the_entity_level_as_well(ground: Ground) -> None:
    (finding,) = (await ground("Pia Dahl had trained in Bergen.", WORKS, levels=ENTITY_ONLY)).findings
    assert finding.quoted == "Pia Dahl"
    assert str(finding.message) == "The source does not mention “Pia Dahl”."


TEXTS = [
    "Tom Berg had trained in Bergen.",
    "Mia Holm designed the water works.",
    "Havstrom won the Northern Heritage Prize in 2004.",
    "The works pumped 12,000 cubic metres of water a day.",
    "The Northern Heritage Prize was given to Elsa Krog in 2004.",
    "In 2004 experts came to the works.",
    "Visitors from Bergen won the prize.",
    "The museum was elected to the council.",
    "Norwegian visitors come by the ferry Solveig.",
    "The museum houses 12,000 boilers.",
    "The museum has been there since 1979.",
    "The building closed in 1979.",
    "The works employed eighty men and women from the villages around.",
    "The prize made the museum known abroad.",
    "The steam engines were worn out by 1954.",
    "Ferries bring people to the museum.",
]


@pytest.mark.parametrize(
    "levels", [frozenset(GroundingLevel), ENTITY_ONLY, SENTENCE_ONLY], ids=["both", "entity", "sentence"]
)
async def test_a_stricter_check_shows_all_that_a_more_lenient_one_shows(
    ground: Ground, levels: frozenset[GroundingLevel]
) -> None:
    flagged = {
        strictness: {
            text for text in TEXTS if (await ground(text, WORKS, strictness=strictness, levels=levels)).findings
        }
        for strictness in Strictness
    }
    assert flagged[Strictness.LENIENT] <= flagged[Strictness.BALANCED] <= flagged[Strictness.STRICT]
    assert flagged[Strictness.LENIENT] != flagged[Strictness.STRICT]
