"""Manual cases of correct and incorrect rewrites."""

from __future__ import annotations

import pytest

from detection.core.types import Span
from detection.lab.evaluation.rewrites import Correction, is_right

WRONG = "The case has only two wheels, so tilt it."


@pytest.mark.parametrize(
    "rewrite",
    [
        "The case has four wheels, so tilt it.",
        "the  case has four wheels so tilt it",
        "The case has only four wheels, so tilt it.",
    ],
)
def test_right_are_the_wording_and_the_right_words_in_its_place(rewrite: str) -> None:
    assert is_right(WRONG, rewrite, ["The case has four wheels, so tilt it."])


@pytest.mark.parametrize(
    "rewrite",
    [
        WRONG,
        "The case has only two of four wheels, so tilt it.",
        "The case has four new wheels, so tilt it.",
        "The bag has four wheels, so tilt it.",
        "The case has wheels, so tilt it.",
        "The case has four wheels.",
        "",
    ],
)
def test_wrong_is_what_keeps_the_error_or_changes_more(rewrite: str) -> None:
    assert not is_right(WRONG, rewrite, ["The case has four wheels, so tilt it."])


def test_any_of_several_wordings_will_do() -> None:
    wordings = ["The case has four wheels, so tilt it.", "The case rolls, so tilt it."]
    assert is_right(WRONG, "The case rolls; so tilt it.", wordings)
    assert not is_right(WRONG, "The case rolls; so tilt it.", wordings[:1])


def test_signs_and_separators_of_numbers_count() -> None:
    original = "It fell to 4.5 °C."
    assert not is_right(original, "It fell to 45 °C.", ["It fell to -4.5 °C."])
    assert not is_right(original, "It fell to 4.5 °C.", ["It fell to -4.5 °C."])
    assert is_right(original, "It fell to −4.5 °C.", ["It fell to -4.5 °C."])


def test_a_wording_that_only_takes_words_away_is_met_word_for_word() -> None:
    original = "The deck, which is green, is of steel."
    assert is_right(original, "The deck is of steel.", ["The deck is of steel."])
    assert not is_right(original, "The deck, which is, is of steel.", ["The deck is of steel."])


def test_a_part_of_the_sentence_may_be_replaced_or_more_than_it() -> None:
    text = "It is old. The deck is green; it is of wood. It is long."
    correction = Correction(text, Span(11, 45), ("The deck is green; it is of steel.",))
    assert correction.is_met_by("it is of steel.", Span(30, 44))
    assert not correction.is_met_by("it is of glass.", Span(30, 44))
    assert correction.is_met_by("The deck is green; it is of steel. It is long.", Span(11, len(text)))
    assert not correction.is_met_by("The deck is green; it is of steel.", Span(11, len(text)))
