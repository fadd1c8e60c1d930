"""What is read out of an answer about numbered sentences."""

from __future__ import annotations

import json

import pytest

from detection.core.text_reading.answers import NamedPair, NamedPairs, read_pairs
from tests.fakes.reading import item

KNOWN = frozenset(range(4))


def answer(*items: object) -> str:
    return json.dumps({"contradictions": items})


def test_numbers_are_those_of_the_sentences_and_the_earlier_one_comes_first() -> None:
    assert read_pairs(answer(item(4, 2, "closed", "open")), KNOWN) == NamedPairs((NamedPair(1, 3, "open", "closed"),))


def test_an_empty_list_is_an_answer() -> None:
    assert read_pairs(answer(), KNOWN) == NamedPairs(())


@pytest.mark.parametrize(
    "text",
    [
        "I'm sorry, but I cannot help with that.",
        "There are no contradictions.",
        "",
        '{"result": "fine"}',
        answer("1 and 2"),
        answer(item(7, 9, "a", "b")),
    ],
)
def test_what_is_no_list_of_sentences_says_nothing(text: str) -> None:
    assert read_pairs(text, KNOWN) is None


def test_a_sentence_that_is_set_against_none_of_the_text_stays_in_doubt() -> None:
    named = read_pairs(answer(item(2, 90, "a", "b"), item(3, 3, "c", "c"), item(1, 4, "d", "e")), KNOWN)
    assert named == NamedPairs((NamedPair(0, 3, "d", "e"),), frozenset({1, 2}))


def test_a_pair_that_is_named_twice_counts_once() -> None:
    named = read_pairs(answer(item(1, 2, "a", "b"), item(2, 1, "c", "d")), KNOWN)
    assert named is not None
    assert named.pairs == (NamedPair(0, 1, "a", "b"),)


@pytest.mark.parametrize("wrap", ["Here it is:\n```json\n{}\n```", "{}\nThat is all."])
def test_words_around_the_list_do_no_harm(wrap: str) -> None:
    named = read_pairs(wrap.replace("{}", answer(item(1, 2, "a", "b"))), KNOWN)
    assert named == NamedPairs((NamedPair(0, 1, "a", "b"),))
