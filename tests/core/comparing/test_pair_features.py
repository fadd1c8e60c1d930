"""What the decision about two sentences of a text is told about them."""

from __future__ import annotations

import pytest

from detection.core.comparing.pair_features import PairReading, pair_features
from detection.core.types import NliScore
from tests.core.conftest import Prepare

NEUTRAL = NliScore(entailment=0.01, neutral=0.98, contradiction=0.01)


def features_of(prepare_all: Prepare, text: str) -> dict[str, float]:
    earlier, later = prepare_all(text)
    return dict(pair_features(PairReading(earlier, later, NEUTRAL, NEUTRAL, -2.0, -3.0), values=0.0))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A rowing boat costs 10 euros. A canoe costs 14 euros.", True),
        ("The tenant must give notice. The landlord must give notice.", True),
        ("The ferry carries cars. Cars cannot be taken by the ferry.", False),
        ("The ferry carries cars. It carries no cars.", False),
        ("The ferry carries cars. Cars are left at the pier.", False),
    ],
)
def test_it_is_told_of_two_subjects_that_neither_sentence_shares(
    prepare_all: Prepare, text: str, expected: bool
) -> None:
    assert features_of(prepare_all, text)["two_subjects"] == expected


def test_it_is_told_of_a_later_sentence_that_sets_itself_apart(prepare_all: Prepare) -> None:
    assert features_of(prepare_all, "The gate is open. The other gate is closed.")["later_contrasts"]
    assert not features_of(prepare_all, "The gate is open. The gate is closed.")["later_contrasts"]


def test_it_is_told_how_much_of_the_earlier_sentence_is_repeated(prepare_all: Prepare) -> None:
    all_of_it = features_of(prepare_all, "The mill has a wheel. The wheel of the old mill turns.")
    half = features_of(prepare_all, "The mill has a wheel. The mill burned.")

    assert all_of_it["earlier_nouns_repeated"] == 1.0
    assert half["earlier_nouns_repeated"] == 0.5
    assert half["nouns_repeated_most"] == 1.0
