"""Entities of various sentences, with their categories (METHODS B.3)."""

from __future__ import annotations

import re

import pytest

from detection.core.entities.search import find_entities
from detection.core.language.pipeline import LanguagePipeline
from detection.core.rules import extract

# Brackets mark the entities and their categories: [Ada Lind|person].
SENTENCES = [
    "[Ada Lind|person] was born in [Bergen|place] on [12 March 1957|date].",
    "[President|title] [Marwen|person] signed the treaty in [1648|date].",
    "[Dr. Okafor|person] moved to [Lagos|place] at the age of [30|quantity].",
    "The [University of Halden|organisation] was founded in [1811|date].",
    "[Sorrel Group|organisation] bought [Halmar Ltd|organisation] for [$12 million|quantity].",
    "The [River Tarn|place] flows through [Elmsford|place].",
    "[Lake Vessen|place] is [12 km|quantity] long.",
    "Her novel “[The Salt Road|work]” won the [Lind Prize|other].",
    "[Marwen|person] was married to [Ines Duarte|person].",
    "The [mayor|title] of [Oslo|place] opened the bridge.",
    "The [king|title] died in [1905|date].",
    "The [Battle of Harrow|event] was fought in [1432|date].",
    "[About 40 percent|quantity] of the [Norwegians|group] voted.",
    "The [second|quantity] edition sold [30,000|quantity] copies.",
    "He is the [chief executive|title] of [Brightwater Inc.|organisation]",
    "The train left at [9:30 am|date].",
    "[French|group] troops entered [Madrid|place].",
    "[Queen|title] [Maud|person] lived in [England|place] [until 1938|date].",
    "[Professor|title] [Elin Aas|person] teaches at [Oslo University|organisation].",
    "[Mount Harrow|place] is [2,400 metres|quantity] high.",
    "The [Halmar Museum|place] stands in [Graz|place].",
    "The [1988 Winter Games|event] were held in [Calgary|place].",
    "[Vesper|person] married [Tomas Brandt|person] in [1931|date].",
    "The [director|title] [Karl Holm|person] made [six|quantity] films.",
    "The [Ministry of Health|organisation] denied it.",
    "She works for the [BBC|organisation].",
    "[Bell Street|place] runs to [Harbour Square|place].",
    "The album [Northern Lights|work] came out in [May 1994|date].",
    "Many [Buddhists|group] live in [Thailand|place].",
    "Sir [Alan Pike|person] led the [Halden Society|organisation].",
    "The [Vistula|place] is the [longest|quantity] river in [Poland|place].",
    "The company was sold for [€3.5 billion|quantity] to [Norcom Corporation|organisation].",
    "[Jordan|person] was born in [Leeds|place].",
    "[Jordan|place] borders [Syria|place].",
    "[Paris Holt|person] wrote the song.",
    "They waited for [three weeks|quantity].",
    "The tree is [40 years old|quantity].",
    "The [First World War|event] began in [1914|date].",
    "The [Treaty of Elm|work] was signed by [Chancellor|title] [Dorn|person].",
    "[General Motors|organisation] closed the plant in [June 2009|date].",
    "“We lost everything,” said the [mayor|title].",
    "“We have lost everything that we had,” said [Marta Lindqvist|person].",
    "[Prime Minister|title] [Holt|person] resigned on [Monday|date].",
    "Its [managing director|title] earned [£200,000|quantity] a year.",
    "He was the [deputy mayor|title] of a small town.",
    "The general mood was good.",
    "Sales rose by [12.5%|quantity] in the [first|quantity] quarter.",
    "[More than 300|quantity] guests came to [Vienna|place].",
    "The town of [Marwick|place] has [12,000|quantity] inhabitants.",
    "The company [Brightwater|organisation] makes pumps.",
    "[Bank of Halden|organisation] lost [half|quantity] of its customers.",
    "[Danish|group] painters settled in [Skagen|place].",
    "The [Muslims|group] of the city built [two|quantity] mosques.",
    "The [Republic of Tarsia|place] joined the [European Union|organisation] in [2004|date].",
    "[Florence|place] lies on the [Arno|place].",
    "She studied medicine in [Florence|place] [from 1950 to 1955|date].",
    "[Anna|person] and [Peter Moe|person] opened a bakery in [Malmö|place].",
    "The [Halden Times|organisation] reported the fire.",
    "The film [Silent Harbour|work] lasts [two hours|quantity].",
    "[Sorrel|place] is a small town on the coast.",
    "[Brightwater|organisation] is a company from [Norway|place].",
    "The painter [Oda Brekke|person] died in the [Siege of Marwick|event].",
    "Ms. [Tan|person], the [chairwoman|title] of [Orient Bank|organisation], owns [51%|quantity] of it.",
    "[President|title] of the club [since 1999|date], she retired in [2010|date].",
    "The [director general|title] of the agency met the [Chief Justice|title].",
    "[Hurricane Olga|event] hit [Florida|place] on [3 September|date].",
    "[King Street|place] was renamed [Queen Road|place] in [1902|date].",
    "The judge said “This is not true” and left.",
    "It was raining.",
    "In the [1990s|date], [Mrs. Bell|person] ran the school.",
    "The [Black Sea|place] is [2,212 m|quantity] deep.",
    "[Pope|title] [Clement|person] crowned the [emperor|title] in [1530|date].",
    "The [king|title]'s brother fled.",
    "[General|title] [Harrow|person] crossed the [Danube|place].",
    "[Airbus|organisation] delivered [20|quantity] planes to [Lufthansa|organisation].",
]

WRONG = [
    ("[Chad|person] plays the guitar.", "a first name that is a country"),
    ("[Elizabeth II|person] opened the bridge.", "the rules read no Roman numerals in names"),
    ("In [2010|date] [Brandt|person], a [Swiss|group] engineer, joined it.", "the pipeline takes the year into a name"),
    (
        "The [Kestrel 400|product] has [4 GB|quantity] of memory.",
        "the rules read the number of a product apart from its name",
    ),
    (
        "The [Halden Festival|event] takes place [every summer|date].",
        "the rules read no dates that come again and again",
    ),
    ("[Marwen’s Law|work] was passed in [1999|date].", "a name that begins with a possessor is read as two"),
]
_ENTITY = re.compile(r"\[(?P<text>[^|]+)\|(?P<category>\w+)\]")


@pytest.mark.parametrize(
    "marked",
    [
        *SENTENCES,
        *(pytest.param(text, marks=pytest.mark.xfail(strict=True, reason=reason)) for text, reason in WRONG),
    ],
)
def test_a_sentence_has_these_entities(pipeline: LanguagePipeline, marked: str) -> None:
    (sentence,) = pipeline.parse(_ENTITY.sub(r"\g<text>", marked)).sentences
    entities = find_entities(sentence, extract(sentence))
    assert [(entity.text, entity.category.value) for entity in entities] == _ENTITY.findall(marked)


def test_spans_count_in_the_document(pipeline: LanguagePipeline) -> None:
    text = "It rained all day. [Sorrel] is a town near Lake Vessen."
    found = [find_entities(sentence, extract(sentence)) for sentence in pipeline.parse(text).sentences]
    assert [entity.span.of(text) for entities in found for entity in entities] == ["Sorrel", "Lake Vessen"]


def test_without_values_the_names_of_the_pipeline_are_left(pipeline: LanguagePipeline) -> None:
    (sentence,) = pipeline.parse("Ada Lind was born in Bergen in 1957.").sentences
    assert [entity.text for entity in find_entities(sentence, ())] == ["Ada Lind", "Bergen"]


def test_a_company_that_is_tagged_as_a_noun_is_not_lost(pipeline: LanguagePipeline) -> None:
    (sentence,) = pipeline.parse("Airbus delivered 20 planes.").sentences
    assert "Airbus" in [entity.text for entity in find_entities(sentence, extract(sentence))]
