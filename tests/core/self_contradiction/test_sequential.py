"""Stop voting by the costs of errors and votes."""

from __future__ import annotations

import pytest

from detection.core.self_contradiction.sequential import VoteCosts, is_settled, probability_of_majority


@pytest.mark.parametrize(
    ("yes", "cast", "expected"), [(0, 1, 0.0584), (1, 1, 0.9416), (1, 2, 0.5), (2, 2, 0.9817), (0, 0, 0.5)]
)
def test_the_upper_half_of_the_beta_distribution(yes: float, cast: float, expected: float) -> None:
    """The expected values are from 100,000 samples of ``random.betavariate``, except for the symmetric cases."""
    assert probability_of_majority(yes, cast) == pytest.approx(expected, abs=0.002)


def test_one_vote_settles_nothing_and_three_that_agree_do() -> None:
    assert not is_settled(1, 1)
    assert not is_settled(0, 1)
    assert is_settled(3, 3)
    assert is_settled(0, 3)
    assert not is_settled(2, 3)


def test_a_probability_settles_what_it_is_sure_of() -> None:
    assert [is_settled(3 * probability, 3) for probability in (0.02, 0.5, 0.98)] == [True, False, True]


def test_votes_that_are_dear_are_not_cast() -> None:
    assert is_settled(1, 2, VoteCosts(vote=30.0))
