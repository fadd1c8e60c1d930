"""Wordings with the opposite of a word."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from detection.core.comparing.sentence import ComparableSentence
from detection.core.rules.antonyms import with_antonyms
from detection.core.rules.slots import Clause

from .conftest import Parse

ReadClause = Callable[[str], Clause]


@pytest.fixture
def clause(parse: Parse) -> ReadClause:
    return lambda text: ComparableSentence(parse(text)).clause


@pytest.mark.parametrize(
    ("sentence", "own", "expected"),
    [
        ("Pupils are a minority of the guests.", "minority", "Pupils are a majority of the guests."),
        ("It was an expensive trip.", "expensive", "It was a cheap trip."),
        ("The shares trade at a lower price.", "lower", "The shares trade at a higher price."),
        ("More visitors came by train.", "More", "Fewer visitors came by train."),
        ("They have more space.", "more", "They have less space."),
        ("She sold the house.", "sold", "She bought the house."),
        ("The lenses shortened their sleep.", "shortened", "The lenses lengthened their sleep."),
        ("They kept the lamps for the opening scene.", "opening", "They kept the lamps for the closing scene."),
        ("The path runs along the southern shore.", "southern", "The path runs along the northern shore."),
    ],
)
def test_a_word_is_replaced_by_its_opposite(clause: ReadClause, sentence: str, own: str, expected: str) -> None:
    found = [(wording.own.of(sentence), wording.text) for wording in with_antonyms(clause(sentence))]
    assert (own, expected) in found


def test_a_comparative_has_the_opposite_of_its_adjective(clause: ReadClause) -> None:
    found = [wording.text for wording in with_antonyms(clause("The shares trade at a lower price."))]
    assert found == ["The shares trade at a higher price."]


def test_words_with_several_opposites_are_not_replaced(clause: ReadClause) -> None:
    assert list(with_antonyms(clause("Her cousin painted the door red."))) == []


def test_before_and_after_are_not_replaced(clause: ReadClause) -> None:
    assert list(with_antonyms(clause("The hedge was trimmed before noon."))) == []


def test_a_verb_with_an_object_is_not_replaced_by_one_without(clause: ReadClause) -> None:
    assert not any("die" in wording.text for wording in with_antonyms(clause("Her husband survives her.")))
    assert any("die" in wording.text for wording in with_antonyms(clause("The patient survives.")))
