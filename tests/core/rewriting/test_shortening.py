"""Which phrases a sentence can be shortened by."""

from __future__ import annotations

import pytest

from detection.core.rewriting.shortening import shortenings
from tests.core.conftest import Prepare


@pytest.mark.parametrize(
    ("sentence", "shorter"),
    [
        ("Because the grant came late, work was delayed.", "Work was delayed."),
        ("Work was delayed because the grant came late.", "Work was delayed."),
        ("Members may borrow tools and pay no rent.", "Members may borrow tools."),
        ("The mill, which burned in 1902, stands by the river.", "The mill stands by the river."),
        ("The mill was sold, and the family moved to Bergen.", "The mill was sold."),
    ],
)
def test_a_clause_or_a_coordinated_part_is_left_out_with_its_commas(
    prepare_all: Prepare, sentence: str, shorter: str
) -> None:
    (prepared,) = prepare_all(sentence)
    assert shorter in [one.wording for one in shortenings(prepared)]


@pytest.mark.parametrize(
    "sentence",
    [
        "The tray, the lid and the blade are of steel.",
        "The company was founded in 1962.",
        "The blue pots were sold to a museum.",
        "Tom Berg never sold the mill.",
    ],
)
def test_parts_of_lists_adjuncts_objects_and_negations_stay(prepare_all: Prepare, sentence: str) -> None:
    (prepared,) = prepare_all(sentence)
    assert shortenings(prepared) == []


def test_the_span_is_that_of_the_phrase_that_is_left_out(prepare_all: Prepare) -> None:
    _, prepared = prepare_all("The mill is old. Work was delayed because the grant came late.")
    (shortening,) = shortenings(prepared)
    assert shortening.span.of(prepared.text) == "because the grant came late"


def test_of_a_long_sentence_only_some_are_tried(prepare_all: Prepare) -> None:
    (prepared,) = prepare_all("The mill stands " + ", ".join(["which burned when it rained"] * 60) + ".")
    assert len(shortenings(prepared)) <= 12
