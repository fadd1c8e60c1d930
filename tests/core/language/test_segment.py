"""Sentence segmentation by the whole pipeline: rules and parser."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from detection.core.language.pipeline import LanguagePipeline
from detection.core.types import BlockKind


def texts_of(pipeline: LanguagePipeline, text: str) -> list[str]:
    return [sentence.text for sentence in pipeline.parse(text).sentences]


@pytest.mark.parametrize(
    "sentences",
    [
        ["Dr. Ada Lind (born 3 Jan. 1921 in St. Ives) was a U.S. physicist.", "She died in 1989."],
        ["She worked with J. R. R. Berg at Acme Inc. in the 1950s.", "He left early."],
        ["Prices rose by 4.2 per cent vs. 1999, e.g. for bread, milk etc.", "Wages did not."],
        ["The shop opens at 9 a.m. and closes at 5 p.m. on Friday.", "It is shut on Sunday."],
        ["The report (see Fig. 3 and pp. 4-7) says so.", "No. 5 is missing."],
        ["The lake covers approx. 12 sq. km.", "It is 3.5 m deep."],
        ["“It was hard,” she said.", "“We had no money.”", "Then she left."],
        ["His cry is “D'oh!” which he utters often.", "Everybody laughs."],
        ["It is free.[1]", "He agreed.[2][3]", "They did not."],
        ["Visit https://example.org/a.b?c=d or call.", "It helps."],
        ["She waited… and waited.", "Nobody came."],
        ["She served as a senator and U.S. Congressman until 1990.", "Then she retired."],
        ["He founded Berg, Lind & Co. in Oslo.", "The firm grew."],
        ["The war ended on 8 Nov. 1923 in the north.", "Peace followed."],
        ["Is it true?", "Yes!", "It is."],
        ["She takes vitamin C.", "It helps her."],
    ],
)
def test_a_paragraph_is_cut_where_a_reader_would(pipeline: LanguagePipeline, sentences: list[str]) -> None:
    assert texts_of(pipeline, " ".join(sentences)) == sentences


DOCUMENT = """\
# The river Arn

The Arn is 120 km long. It rises in
the northern hills.

Towns on the river:

- Sallow, pop. 1,200
- Ferrin. It has a bridge.

1. First item
2. Second item

> A quoted line. And another.

```
code. not. sentences.
```

| Town | People |
|------|--------|
| Sallow | 1,200 |

Early history
=============
People came early."""


def test_headings_lists_quotes_code_and_tables_are_blocks_of_their_own(pipeline: LanguagePipeline) -> None:
    sentences = [(s.sentence.block_kind, s.text) for s in pipeline.parse(DOCUMENT).sentences]
    assert sentences == [
        (BlockKind.HEADING, "The river Arn"),
        (BlockKind.PARAGRAPH, "The Arn is 120 km long."),
        (BlockKind.PARAGRAPH, "It rises in\nthe northern hills."),
        (BlockKind.HEADING, "Towns on the river:"),
        (BlockKind.LIST_ITEM, "Sallow, pop. 1,200"),
        (BlockKind.LIST_ITEM, "Ferrin."),
        (BlockKind.LIST_ITEM, "It has a bridge."),
        (BlockKind.LIST_ITEM, "First item"),
        (BlockKind.LIST_ITEM, "Second item"),
        (BlockKind.PARAGRAPH, "A quoted line."),
        (BlockKind.PARAGRAPH, "And another."),
        (BlockKind.CODE, "code. not. sentences."),
        (BlockKind.TABLE, "| Town | People |\n|------|--------|"),
        (BlockKind.TABLE, "| Sallow | 1,200 |"),
        (BlockKind.HEADING, "Early history"),
        (BlockKind.PARAGRAPH, "People came early."),
    ]


@pytest.mark.parametrize(
    "line",
    [
        "The toll is $4 per car",
        "The piers are made of stone",
        "The Alder carries 320 passengers",
        "The trip takes 40 min",
        "“It is a marvel,” the mayor said in 1933.[1]",
        "The bridge carries 20,000 cars a day (2019).1",
        "It was opened in 1932.¹",
        "The mayor opened it in 1932.2",
    ],
)
def test_a_sentence_without_a_full_stop_at_its_end_is_no_heading(pipeline: LanguagePipeline, line: str) -> None:
    first, _ = pipeline.parse(f"{line}\n\nPeople came early.").sentences
    assert (first.sentence.block_kind, first.text) == (BlockKind.PARAGRAPH, line)


@pytest.mark.parametrize(
    "line",
    [
        "The river Arn",
        "What is the Marten Bridge",
        "Why the toll is so high",
        "Things that are free of charge",
        "The Toll Is Too High",
        "Places where cars are banned",
        "The main parts are:",
        "Energy costs in Holm",
        "Version 2.1",
        "**The toll is limited to cars**",
    ],
)
def test_a_title_is_a_heading(pipeline: LanguagePipeline, line: str) -> None:
    first, _ = pipeline.parse(f"{line}\n\nPeople came early.").sentences
    assert first.sentence.block_kind is BlockKind.HEADING


def test_lines_with_bare_pipes_are_rows(pipeline: LanguagePipeline) -> None:
    sentences = pipeline.parse(
        "It is a lamp.\n\nHeight | 54 cm\nWarranty | 10 years\n\nOne | two.\nThree | four."
    ).sentences
    assert [(s.sentence.block_kind, s.text) for s in sentences[:3]] == [
        (BlockKind.PARAGRAPH, "It is a lamp."),
        (BlockKind.TABLE, "Height | 54 cm"),
        (BlockKind.TABLE, "Warranty | 10 years"),
    ]
    assert all(s.sentence.block_kind is BlockKind.PARAGRAPH for s in sentences[3:])


_PIECES = st.sampled_from(
    [
        *(
            "The cat sat.",
            " ",
            "\n",
            "\n\n",
            "- ",
            "1. ",
            "Dr. Lind",
            "3.5",
            "…",
            "“No!” ",
            "(a. b)",
            "?",
            ".",
            "U.S. ",
        ),
        *("👩‍🔬🇩🇪", "עדה לינד.", "\x00", "\x85", "e.g. ", "# ", "|", "```\n", "ﬁ", "e\u0301", "\u200b"),
    ]
)


@settings(max_examples=60, deadline=None)
@given(text=st.lists(_PIECES | st.text(max_size=12), max_size=12).map("".join))
def test_offsets_are_exact_whatever_the_text(pipeline: LanguagePipeline, text: str) -> None:
    parsed = pipeline.parse(text)
    position = 0
    for index, item in enumerate(parsed.sentences):
        sentence = item.sentence
        assert sentence.index == index
        assert position <= sentence.start < sentence.end
        assert text[sentence.start : sentence.end] == sentence.text == sentence.text.strip()
        for token in item.tokens:
            assert sentence.span.contains(token.span)
            assert token.span.of(text) == token.text
        assert all(0 <= token.head < len(item.tokens) for token in item.tokens)
        assert all(entity.span.of(text) == entity.text for entity in item.entities)
        position = sentence.end


@settings(max_examples=40, deadline=None)
@given(words=st.lists(st.sampled_from(["Ada", "sat", "U.S.", "3.5", "mat.", "No!", "and", "Berg"]), max_size=30))
def test_no_word_of_a_paragraph_is_lost(pipeline: LanguagePipeline, words: list[str]) -> None:
    assert " ".join(texts_of(pipeline, " ".join(words))).split() == words


def test_a_giant_sentence_is_kept_whole_and_not_parsed(pipeline: LanguagePipeline) -> None:
    (sentence,) = pipeline.parse("word " * 4_000).sentences
    assert len(sentence.text) == 19_999
    assert sentence.tokens == ()
