"""Sources are cut into passages without a gap, and found by what a sentence speaks of."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from detection.core.compute import InProcessModels
from detection.core.library import PASSAGE_WORDS, ParsedSource, SourceLibrary
from detection.core.types import SourceText

FILLER = "The council met on a rainy day and talked about the harbour wall for a long while. "


def library(models: InProcessModels, *texts: str) -> SourceLibrary:
    return SourceLibrary(
        ParsedSource(SourceText(str(i), f"Source {i}", text), models.language.parse(text))
        for i, text in enumerate(texts)
    )


def test_passages_overlap_and_leave_nothing_out(local_models: InProcessModels) -> None:
    text = FILLER * 40
    passages = library(local_models, text).passages
    assert passages[0].span.start == 0
    assert passages[-1].span.end == len(text.rstrip())
    for before, after in pairwise(passages):
        assert before.span.start < after.span.start <= before.span.end < after.span.end
    assert all(len(passage.text.split()) <= PASSAGE_WORDS for passage in passages)


@settings(max_examples=20, deadline=None)
@given(words=st.lists(st.sampled_from(["mill", "river", "1912", "Ada", ",", "of"]), min_size=1, max_size=400))
def test_a_sentence_without_an_end_is_cut_and_read_whole(local_models: InProcessModels, words: list[str]) -> None:
    text = " ".join(words)
    passages = library(local_models, text).passages
    assert {i for passage in passages for i in range(passage.span.start, passage.span.end)} >= {
        i for i, character in enumerate(text) if character.isalnum()
    }
    assert all(len(passage.text.split()) <= PASSAGE_WORDS for passage in passages)


def test_the_best_passages_speak_of_the_same_thing(local_models: InProcessModels) -> None:
    found = library(local_models, FILLER * 60 + "The mill opened in 1894. " + FILLER * 60, FILLER * 30)
    (best,) = found.best_passages("When was the opening of the mill?", 1)
    assert "mill" in best.text
    assert best.source.id == "0"
    assert best.span.of(best.source.text) == best.text


def test_words_are_found_whole_and_in_any_case(local_models: InProcessModels) -> None:
    found = library(local_models, "The WATER  works of Sorrel.")
    assert found.mentions("Water works")
    assert not found.mentions("Water work")
    assert not found.mentions("Sorre")


def test_a_pronoun_brings_the_sentence_before_it(local_models: InProcessModels) -> None:
    (passage,) = library(local_models, "Ada Lind built the mill. She died in 1912. The mill burnt.").passages
    assert [sentence.premise for sentence in passage.sentences] == [
        "Ada Lind built the mill.",
        "Ada Lind built the mill. She died in 1912.",
        "The mill burnt.",
    ]


def test_nothing_to_read(local_models: InProcessModels) -> None:
    assert not library(local_models)
    assert not library(local_models, " \n ")
    assert library(local_models).best_passages("The mill", 3) == []
