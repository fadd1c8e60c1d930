"""Voting stops as soon as it is decided, and only Yes counts as Yes."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from detection.core.errors import ModelCallFailed
from detection.core.llm.votes import Count, says_yes, vote


class Voters:
    """Returns prepared votes, at most ``most`` per call."""

    def __init__(self, votes: Sequence[str], most: int = 10) -> None:
        self.votes = list(votes)
        self.most = most
        self.asked: list[int] = []

    async def __call__(self, count: int) -> tuple[str, ...]:
        self.asked.append(count)
        given = min(count, self.most)
        answers, self.votes = self.votes[:given], self.votes[given:]
        return tuple(answers)


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("Yes", True),
        ("yes.", True),
        ("Yes, the statements are contradictory.", True),
        ("No", False),
        ("No, they are not.", False),
        ("Yes, there is no doubt about it.", True),
        ("No doubt about it.", False),
        ("**Yes**", True),
        ("They are contradictory.", False),
        ("Yesterday", False),
        ("", False),
    ],
)
def test_the_first_word_of_an_answer_decides(answer: str, expected: bool) -> None:
    assert says_yes(answer) is expected


@pytest.mark.parametrize(
    ("votes", "stops_early", "asked", "outcome"),
    [
        (["Yes"] * 10, True, [3], Count(3, 3)),
        (["No"] * 10, True, [3], Count(0, 3)),
        (["Yes", "No", "Yes"] + ["Yes"] * 7, True, [3, 7], Count(9, 10)),
        (["Yes"] * 10, False, [10], Count(10, 10)),
        (["Yes"] * 5 + ["No"] * 5, False, [10], Count(5, 10)),
    ],
)
async def test_votes_until_it_is_decided(votes: list[str], stops_early: bool, asked: list[int], outcome: Count) -> None:
    voters = Voters(votes)
    assert await vote(voters, stops_early=stops_early) == outcome
    assert voters.asked == asked


async def test_half_of_the_votes_are_not_enough() -> None:
    assert not (await vote(Voters(["Yes"] * 5 + ["No"] * 5), stops_early=False)).is_yes
    assert (await vote(Voters(["Yes"] * 6 + ["No"] * 4), stops_early=False)).is_yes


async def test_an_endpoint_that_gives_one_answer_at_a_time_is_asked_again() -> None:
    voters = Voters(["Yes", "No"] * 5, most=1)
    count = await vote(voters)
    assert count.cast == len(voters.asked)
    assert not count.is_yes


async def test_answers_that_are_no_votes_settle_nothing() -> None:
    with pytest.raises(ModelCallFailed, match="neither Yes nor No"):
        await vote(Voters(["They differ in the year."] * 10))
    with pytest.raises(ModelCallFailed, match="neither Yes nor No"):
        await vote(Voters(["They differ.", "No", "They differ."] + ["Hard to say."] * 7))


async def test_answers_that_are_no_votes_are_not_counted() -> None:
    assert await vote(Voters(["They differ.", "No", "No", "No"] + ["Hard to say."] * 6)) == Count(0, 3)
