"""Key concepts of various sentences (METHODS D.1)."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from detection.core.entities.concepts import MAX_WITH_KEYWORDS, Concept, ConceptKind, by_worth, key_concepts
from detection.core.language.pipeline import LanguagePipeline
from detection.core.rules import extract

# Brackets mark the concepts.
SENTENCES = [
    "[Ada Lind] was born in [Bergen] on [12 March 1957].",
    "She died in [1990].",
    "The [bridge] was opened in [1932] by [Jon Berg].",
    "The [harbour] handles [300,000 tonnes] of [grain] a year.",
    "It has [three swimming pools].",
    "The [novel] was translated into [eleven languages].",
    "“[The Salt Road]” is her [second novel].",
    "The [painter] [Oda Brekke] studied in [Copenhagen].",
    "In [1987], the [firm] moved to [Malmö].",
    "After the [war], she taught [chemistry] at the [University of Halden].",
    "The [museum] (founded in [1911]) owns [4,000 paintings].",
    "[Jon Berg], a [carpenter] from [Oslo], built the [tower].",
    "[Ludwig van Meer] won the [Lind Prize] in [1999].",
    "The [town] has a [cathedral], a [theatre] and a [castle].",
    "The [recipe] needs [flour], [butter] and [sugar].",
    "[Sorrel] lies on the [river] [Tarn].",
    "The [company] employs [about 340 people].",
    "[More than half] of the [members] voted for the [plan].",
    "The [ticket] costs [12 euros].",
    "The [train] leaves at [9:30 am].",
    "The [film] lasts [two hours].",
    "It was the [largest city] in [Norway].",
    "He was [40 years old].",
    "The [mayor] resigned on [Monday].",
    "The [law] was passed by the [senate] in [May 1994].",
    "[Photosynthesis] turns [light] into [chemical energy].",
    "The [liquid] boiled at [100 °C].",
    "The [heart] has [four chambers].",
    "[Penicillin] was discovered by [Alexander Fleming].",
    "The [lake] is [12 km] long and [3 km] wide.",
    "There are [two mills] on the [river].",
    "The [council] rejected the [budget].",
    "He never [married].",
    "It was [raining].",
    "It [works].",
    "They were [poor].",
    "Did she live in Oslo?",
    "Hello and welcome!",
    "What a place!",
    "See the list below.",
    "The [paper mill] was closed in the [1960s].",
    "[Norwegian] [fishermen] settled on the [island].",
    "Its [capital] is [Vienna].",
    "His [father] was a [Swedish] [baker].",
    "The [club] won the [cup] in [1978].",
    "For example, the [archive] holds [rare manuscripts].",
    "In addition, the [hall] was used as a [school].",
    "Overall, the [reform] was a [success].",
    "[Maria Holt] and [Peter Moe] founded a [bakery].",
    "The [president] of the [club] is [Karl Holm].",
    "“The [mill] is lost,” said the [owner].",
    "Born in [Graz], she grew up in [Vienna].",
    "Although the [roof] leaked, the [church] was never repaired.",
    "The [vaccine] is given [twice a year].",
    "The [festival] takes place [every two years].",
    "[Anna] plays the [violin].",
    "She is known for her [short stories].",
    "The [engine] uses [liquid hydrogen] as [fuel].",
    "- [Population]: [12,000]",
    "The [Vistula] flows through [Warsaw].",
    "[Brightwater Inc.] makes [water pumps].",
    "The [treaty] was signed by [France] and [Spain].",
    "He scored [20 goals] in [30 matches].",
    "The [price] rose by [12 %].",
    "The [first edition] appeared in [1901].",
    "Her [daughter] became a [famous physicist].",
    "The [bird] ate [insects] and [small fish].",
    "The [bell], which weighs [two tonnes], was cast in [1720].",
    "When the [dam] broke, [40 houses] were destroyed.",
    "Many of them left the [country].",
    "The [three-storey house] was sold.",
    "The [second-largest city] has [two airports].",
    "In contrast, most [members] were [farmers].",
    "[Eva Lind], [Tom Berg] and [Ida Moe] shared the [prize].",
    "[Queen] [Maud II] opened the [bridge].",
]
WRONG = [
    ("The [population] [doubled] in [1990].", "a value that stands in a verb is no value to the rules"),
]
_CONCEPT = re.compile(r"\[(?P<text>[^]]+)\]")


def _concepts(pipeline: LanguagePipeline, text: str, topic: str | None = None) -> list[Concept]:
    parsed = pipeline.parse(text).sentences
    return [concept for sentence in parsed for concept in key_concepts(sentence, extract(sentence), topic)]


@pytest.mark.parametrize(
    "marked",
    [
        *SENTENCES,
        *(pytest.param(text, marks=pytest.mark.xfail(strict=True, reason=reason)) for text, reason in WRONG),
    ],
)
def test_a_sentence_has_these_concepts(pipeline: LanguagePipeline, marked: str) -> None:
    found = _concepts(pipeline, _CONCEPT.sub(r"\g<text>", marked))
    assert [concept.text for concept in found] == _CONCEPT.findall(marked)


def test_spans_are_the_characters_of_the_document_and_do_not_overlap(pipeline: LanguagePipeline) -> None:
    text = "It rained 🌧 all night. In 1932 Ada Lind opened the old harbour of Sorrel with 300 guests."
    found = _concepts(pipeline, text)
    assert [concept.span.of(text) for concept in found] == [concept.text for concept in found]
    assert all(first.span.end <= second.span.start for first, second in pairwise(found))


def test_values_are_most_worth_checking_then_names(pipeline: LanguagePipeline) -> None:
    found = by_worth(_concepts(pipeline, "The harbour was opened by Ada Lind in 1932."))
    assert [(concept.text, concept.kind) for concept in found] == [
        ("1932", ConceptKind.VALUE),
        ("Ada Lind", ConceptKind.NAME),
        ("harbour", ConceptKind.KEYWORD),
    ]


@pytest.mark.parametrize("topic", ["Ada Lind", "the painter Ada Lind"])
def test_the_topic_is_not_asked_about(pipeline: LanguagePipeline, topic: str) -> None:
    found = _concepts(pipeline, "Lind was born in Bergen in 1957.", topic)
    assert [concept.text for concept in found] == ["Bergen", "1957"]


def test_keywords_give_way_to_values_and_names(pipeline: LanguagePipeline) -> None:
    text = "In 1932, Ada Lind sold a mill, a barn and a boat to Jon Berg for 300 euros and left Bergen in May 1933."
    found = _concepts(pipeline, text)
    assert len(found) > MAX_WITH_KEYWORDS
    assert not any(concept.kind is ConceptKind.KEYWORD for concept in found)


def test_a_long_list_keeps_its_last_keywords(pipeline: LanguagePipeline) -> None:
    found = _concepts(pipeline, "The shop sells bread, cheese, butter, apples and honey.")
    assert [concept.text for concept in found] == ["cheese", "butter", "apples", "honey"]
