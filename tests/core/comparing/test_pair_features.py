"""What the decision about two sentences of a text is told about them."""

from __future__ import annotations

import pytest

from detection.core.comparing.clashes import clashes
from detection.core.comparing.pair_features import pair_features
from detection.core.comparing.pair_reading import PairReading
from detection.core.comparing.scores import log_odds
from detection.core.comparing.surroundings import Surroundings
from detection.core.types import NliScore
from tests.core.conftest import Prepare

NEUTRAL = NliScore(entailment=0.01, neutral=0.98, contradiction=0.01)
AGAINST = NliScore(entailment=0.05, neutral=0.15, contradiction=0.8)
AROUND_EARLIER = Surroundings(with_sentence=0.7, without_sentence=0.2)
AROUND_LATER = Surroundings(with_sentence=0.6, without_sentence=0.1)


def features_of(
    prepare_all: Prepare,
    text: str,
    *,
    later: int = 1,
    forward: NliScore = NEUTRAL,
    around_later: Surroundings = AROUND_LATER,
) -> dict[str, float]:
    earlier, other = prepare_all(text)
    read = PairReading(
        0,
        later,
        (earlier, other),
        clashes(earlier, other),
        forward,
        NEUTRAL,
        AROUND_EARLIER,
        around_later,
        earlier_relatedness=-2.0,
        later_relatedness=-3.0,
    )
    return dict(pair_features(read))


def test_it_is_told_how_much_of_the_earlier_sentence_is_repeated(prepare_all: Prepare) -> None:
    assert features_of(prepare_all, "The mill has a wheel. The wheel of the old mill turns.")["nouns_repeated"] == 1.0
    assert features_of(prepare_all, "The mill has a wheel. The mill burned.")["nouns_repeated"] == 0.5


@pytest.mark.parametrize(("later", "expected"), [(1, True), (2, False), (40, False)])
def test_it_is_told_whether_the_sentences_are_neighbours(prepare_all: Prepare, later: int, expected: bool) -> None:
    assert features_of(prepare_all, "The mill burned. The mill stands.", later=later)["neighbours"] is expected


def test_it_is_told_how_clearly_values_exclude_each_other(prepare_all: Prepare) -> None:
    same_event = features_of(prepare_all, "The mill was built in 1849. The mill was built in 1902.")["clash"]
    two_events = features_of(prepare_all, "The mill was built in 1849. The mill was sold in 1902.")["clash"]

    assert two_events < 0.5 < same_event


def test_it_is_told_of_both_readings_and_of_the_readings_of_other_pairs(prepare_all: Prepare) -> None:
    found = features_of(prepare_all, "The mill burned. The mill stands.", forward=AGAINST)

    assert found["contradiction"] == pytest.approx(log_odds((0.8 + 0.01) / 2))
    assert found["entailment_most"] == pytest.approx(log_odds(0.05))
    assert (found["earlier_relatedness"], found["later_relatedness"]) == (-2.0, -3.0)


def test_it_is_told_of_what_stands_around_either_sentence(prepare_all: Prepare) -> None:
    found = features_of(prepare_all, "The mill burned. The mill stands.")

    assert found["around_earlier"] == pytest.approx(log_odds(0.7))
    assert found["around_earlier_without"] == pytest.approx(log_odds(0.2))
    assert found["around_later"] == pytest.approx(log_odds(0.6))
    assert found["around_later_without"] == pytest.approx(log_odds(0.1))


def test_surroundings_that_hardly_contradict_a_sentence_do_not_contradict_it_at_all(prepare_all: Prepare) -> None:
    one, other = (
        features_of(prepare_all, "The mill burned. The mill stands.", around_later=Surroundings(0.6, against))
        for against in (0.0, 0.04)
    )

    assert one == other
