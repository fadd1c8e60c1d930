"""Windows of a long text, and the facts of the previous text in each."""

from __future__ import annotations

from itertools import pairwise

import pytest

from detection.core.comparing.sentence import ComparableSentence
from detection.core.text_reading.windows import FACTS_SHARE, OVERLAP, WINDOW, Windows
from detection.core.types import ParsedSentence, Sentence
from tests.core.conftest import Prepare

_FIRST = "The mill at Sorrel was built in 1894 by Ada Lind."
_LAST = "The mill at Sorrel was built in 1912 by her brother."


def long_text(count: int) -> str:
    """Sentences of which only the first and the last are about the same thing."""
    between = [f"House number {number} has {number + 3} windows." for number in range(count - 2)]
    return " ".join([_FIRST, *between, _LAST])


@pytest.fixture(scope="module")
def text_of_400() -> str:
    return long_text(400)


@pytest.fixture(scope="module")
def sentences(prepare_all: Prepare, text_of_400: str) -> list[ComparableSentence]:
    return prepare_all(text_of_400)


def test_windows_cover_the_text_and_overlap(sentences: list[ComparableSentence]) -> None:
    windows = Windows(sentences, None).all()
    assert {index for window in windows for index in window.sentences} == set(range(400))
    assert max(len(window.sentences) for window in windows) <= WINDOW
    for one, following in pairwise(windows):
        assert len(set(one.sentences) & set(following.sentences)) >= OVERLAP


def test_the_last_window_is_told_what_the_first_sentence_says(sentences: list[ComparableSentence]) -> None:
    text = Windows(sentences, None)
    last = text.all()[-1]
    assert 0 in last.facts
    assert 0 in last.known
    assert _FIRST.rstrip(".") in text.render(last)


def test_what_a_window_is_told_costs_little(sentences: list[ComparableSentence]) -> None:
    """The reading costs at most 1.4 times the text, including numbers, overlaps and facts."""
    windows = Windows(sentences, None)
    rendered = [windows.render(window) for window in windows.all()]
    whole = sum(len(sentence.text) + 1 for sentence in sentences)
    assert sum(map(len, rendered)) < 1.4 * whole
    for window in windows.all():
        facts = sum(len(windows._facts[index]) for index in window.facts)
        assert facts <= FACTS_SHARE * sum(len(sentences[index].text) for index in window.sentences)


def test_a_text_of_one_window_is_rendered_once_with_numbers(prepare_all: Prepare) -> None:
    windows = Windows(prepare_all(f"{_FIRST} {_LAST}"), None)
    (window,) = windows.all()
    assert windows.render(window) == f"1 {_FIRST}\n2 {_LAST}"


def test_a_line_break_in_a_sentence_begins_no_sentence() -> None:
    text = "The mill was built\n9 years ago."
    windows = Windows([ComparableSentence(ParsedSentence(Sentence(0, 0, len(text), text), ()))], None)
    (window,) = windows.all()
    assert windows.render(window) == "1 The mill was built 9 years ago."


def test_halves_cover_the_window_and_the_second_knows_the_first(prepare_all: Prepare) -> None:
    windows = Windows(prepare_all(long_text(10)), None)
    (window,) = windows.all()
    first, second = windows.halves(window)
    assert [*first.sentences, *second.sentences] == list(range(10))
    assert 0 in second.facts
