"""Parse answers about numbered sentences."""

from __future__ import annotations

import json

import pytest

from detection.core.text_reading.answers import NamedPair, NamedPairs, read_pairs
from detection.core.text_reading.windows import Window
from tests.fakes.reading import item

#: The second sentence is given as a fact; the third to the sixth are read.
WINDOW = Window(range(2, 6), facts=(1,))


def answer(*items: object, read: object = (3, 6)) -> str:
    return json.dumps({"contradictions": items, "read": read})


def test_numbers_are_those_of_the_sentences_and_the_earlier_one_comes_first() -> None:
    assert read_pairs(answer(item(4, 2, "closed", "open")), WINDOW) == NamedPairs((NamedPair(1, 3, "open", "closed"),))


def test_an_empty_list_is_an_answer() -> None:
    assert read_pairs(answer(), WINDOW) == NamedPairs(())


@pytest.mark.parametrize(
    "text",
    [
        "I'm sorry, but I cannot help with that.",
        "There are no contradictions.",
        "",
        '{"result": "fine"}',
        "I can give no list [] of contradictions here.",
        answer("1 and 2"),
        answer(item(3, 4, "a", "b"), "5 and 6"),
        answer(item(7, 9, "a", "b")),
        answer(item(3, 4, "a", "b"), item(5, 6, "c", "d"))[:-25],
        '{"contradictions": []}',
        answer(read=[6]),
        answer(read=None),
    ],
)
def test_what_is_no_whole_list_of_sentences_says_nothing(text: str) -> None:
    assert read_pairs(text, WINDOW) is None


@pytest.mark.parametrize(
    ("read", "unread"),
    [([3, 6], set()), ([2, 6], set()), ("3 to 6", set()), ([3, 4], {4, 5}), ([5, 6], {2, 3}), ([6, 3], {2, 3, 4, 5})],
)
def test_what_the_model_does_not_claim_to_have_read_is_unread(read: object, unread: set[int]) -> None:
    named = read_pairs(answer(item(3, 4, "a", "b"), read=read), WINDOW)
    assert named == NamedPairs((NamedPair(2, 3, "a", "b"),), unread=frozenset(unread))


def test_a_sentence_that_is_set_against_none_of_the_text_stays_in_doubt() -> None:
    named = read_pairs(answer(item(2, 90, "a", "b"), item(3, 3, "c", "c"), item(4, 6, "d", "e")), WINDOW)
    assert named == NamedPairs((NamedPair(3, 5, "d", "e"),), frozenset({1, 2}))


def test_a_pair_that_is_named_twice_keeps_both_quotes() -> None:
    named = read_pairs(answer(item(3, 4, "a", "b"), item(4, 3, "c", "d"), item(3, 4, "a", "b")), WINDOW)
    assert named is not None
    assert named.pairs == (NamedPair(2, 3, "a", "b"), NamedPair(2, 3, "d", "c"))


@pytest.mark.parametrize("wrap", ["Here it is:\n```json\n{}\n```", "{}\nThat is all."])
def test_words_around_the_list_do_no_harm(wrap: str) -> None:
    named = read_pairs(wrap.replace("{}", answer(item(3, 4, "a", "b"))), WINDOW)
    assert named == NamedPairs((NamedPair(2, 3, "a", "b"),))


def test_a_draft_before_the_list_hides_nothing() -> None:
    named = read_pairs(answer() + "\nNo, there is one:\n" + answer(item(3, 4, "a", "b")), WINDOW)
    assert named == NamedPairs((NamedPair(2, 3, "a", "b"),))
