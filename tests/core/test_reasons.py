"""Reasons for skipped work are stored as codes and rendered in one place; old rows stay readable."""

from __future__ import annotations

import pytest

from detection import wording
from detection.core.reasons import _FORMER, Reason, is_reason, read_reason
from detection.core.run import pipeline


@pytest.mark.parametrize("reason", Reason)
def test_every_reason_is_read_as_it_was_stored_and_has_words(reason: Reason) -> None:
    words = str(wording.REASONS[reason])
    numbers = tuple(range(3, 3 + words.count("%s")))
    assert read_reason(reason.of(*numbers)) == (reason, numbers)
    assert wording.reason_words(reason.of(*numbers)) == words % numbers


#: What earlier versions stored, and how it is told today.
_REWORDED = {
    "the model names no fact in it": "the model found no factual claim in it",
    "No correction could be made that holds.": "No correction passed all checks.",
    "The model had no more to say.": "The model finished its text.",
    "The text is as long as it may be.": "The text reached the maximum length.",
    "The check was started 3 times and never came to an end. You can try again.": (
        "The check was started 3 times and never finished. You can try again."
    ),
}


def test_a_reason_of_an_earlier_version_is_the_same_reason_in_the_same_words() -> None:
    of_tables = {reason for reason in Reason if reason.startswith("table_")}  # never stored as words
    assert {stored.split(" ")[0] for stored in _FORMER.values()} == set(Reason) - of_tables
    for former, stored in _FORMER.items():
        assert read_reason(former) == read_reason(stored)
        words = _REWORDED.get(former, former)
        assert wording.reason_words(former) == wording.reason_words(stored) == words
        assert is_reason(former, Reason(stored.split(" ")[0]))


@pytest.mark.parametrize("text", ["", "The model refused to answer.", "too_long many", "it states no fact."])
def test_any_other_text_is_shown_as_it_is(text: str) -> None:
    assert read_reason(text) is None
    assert not is_reason(text, *Reason)
    assert wording.reason_words(text) == text


def test_the_limit_is_told() -> None:
    assert wording.reason_words(pipeline.TOO_LONG) == "longer than 120 words: split it to have it checked"
