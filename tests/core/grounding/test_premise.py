"""The part of the sources that a language model reads."""

from __future__ import annotations

from detection.core.grounding.premise import FURTHER_PASSAGES, PremiseReader, boundary_of
from detection.core.types import ReadShare

from .conftest import OpenLibrary

ROOMS = [f"Room {i} of the house is painted in colour number {i} and holds {i} old chairs." for i in range(400)]
LONG = " ".join(ROOMS)


def test_sources_that_fit_are_read_in_full_and_by_name(open_library: OpenLibrary) -> None:
    premise = PremiseReader(open_library("The mill is old.", "The mill is red."), 1_000).premise_for(["The mill"])
    assert premise.text == "Source 1 (Source 0):\nThe mill is old.\n\nSource 2 (Source 1):\nThe mill is red."
    assert premise.is_whole


def test_of_long_sources_the_passages_nearest_to_each_sentence_are_read_in_order(open_library: OpenLibrary) -> None:
    reader = PremiseReader(open_library(LONG), 2_000)
    premise = reader.premise_for(["Room 371 holds chairs.", "Room 12 is painted."])
    assert not premise.is_whole
    assert ROOMS[371] in premise.text
    assert ROOMS[12] in premise.text
    assert premise.text.index(ROOMS[12]) < premise.text.index(ROOMS[371])
    assert "\n[…]\n" in premise.text
    assert len(premise.text) < 2_000 * 4 + 200
    assert premise.read == ReadShare(len(premise.passages), premise.read.total)
    assert 0 < premise.read.read < premise.read.total


def test_no_sentence_of_a_passage_is_given_twice(open_library: OpenLibrary) -> None:
    premise = PremiseReader(open_library(LONG), 4_000).premise_for(["Room 200 of the house", "Room 203 of the house"])
    assert premise.text.count(ROOMS[202]) == 1


def test_the_best_passage_is_read_even_where_there_is_no_room(open_library: OpenLibrary) -> None:
    premise = PremiseReader(open_library(LONG), 10).premise_for(["Room 371 holds chairs.", "Room 12 is painted."])
    assert ROOMS[371] in premise.text
    assert ROOMS[12] in premise.text


def test_a_second_look_goes_on_where_the_first_ended_until_all_is_read(open_library: OpenLibrary) -> None:
    reader = PremiseReader(open_library(" ".join(ROOMS[:100])), 1_400)
    first = reader.premise_for(["Room 7 of the house"])
    further = reader.further_premise("Room 7 of the house", first)
    assert further is not None
    assert not further.passages & first.passages
    assert 0 < len(further.passages) <= FURTHER_PASSAGES


def test_when_everything_was_read_there_is_no_second_look(open_library: OpenLibrary) -> None:
    library = open_library("The mill is old.")
    reader = PremiseReader(library, 1)
    assert reader.further_premise("The mill", reader.premise_for(["The mill"])) is None


def test_a_boundary_stands_in_none_of_the_texts_and_is_the_same_for_the_same_texts() -> None:
    first = boundary_of("A premise.")
    assert boundary_of("A premise.", "a hypothesis") == first
    assert boundary_of("A premise.", f"hypothesis {first.upper()}") != first
