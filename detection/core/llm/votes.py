"""Decide yes or no by several sampled answers, with as few as needed."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from ..errors import ModelCallFailed

#: METHODS A.3: number of sampled conclusions; the score is the share of Yes.
VOTES = 10
#: If the first few votes agree, the rest seldom change the outcome: one in 780 recorded scores lies between.
FIRST_VOTES = 3

#: Minimum number of valid votes for a decision.
MIN_VOTES = 3

#: The first word is the vote; markup and quotes before it are ignored.
_FIRST_WORDS = re.compile(r"[\W_]*(?P<vote>yes|no)\b(?!\s+(?:doubt|question|wonder|matter))", re.IGNORECASE)

#: Returns at most this many sampled answers.
Sample = Callable[[int], Awaitable[tuple[str, ...]]]


@dataclass(frozen=True, slots=True)
class Count:
    """The number of votes and how many of them are Yes."""

    yes: int
    cast: int

    @property
    def score(self) -> float:
        """The share of Yes, 0 to 1; 0 without votes."""
        return self.yes / self.cast if self.cast else 0.0

    @property
    def is_yes(self) -> bool:
        """METHODS A.3: the score exceeds a half."""
        return self.score > 0.5


def read_vote(answer: str) -> bool | None:
    """Whether an answer says Yes. Its first word decides; None if it is neither Yes nor No."""
    found = _FIRST_WORDS.match(answer)
    return found["vote"].casefold() == "yes" if found else None


def says_yes(answer: str) -> bool:
    """Whether an answer says Yes; False if it is not a vote."""
    return read_vote(answer) is True


async def vote(sample: Sample, *, stops_early: bool = True) -> Count:
    """Sample answers until the outcome of :data:`VOTES` votes is decided. Answers that are not votes do not count.

    With ``stops_early`` the first :data:`FIRST_VOTES` decide if they agree. An endpoint that returns fewer answers than
    requested is asked again.

    Raises:
        ModelCallFailed: fewer than :data:`MIN_VOTES` of the answers are Yes or No.
    """
    count, given = Count(0, 0), 0
    while given < VOTES and not _is_decided(count, stops_early=stops_early):
        wanted = FIRST_VOTES - given if stops_early and given < FIRST_VOTES else VOTES - given
        answers = (await sample(wanted))[:wanted]
        votes = [cast for answer in answers if (cast := read_vote(answer)) is not None]
        count = Count(count.yes + sum(votes), count.cast + len(votes))
        given += max(1, len(answers))
        if given >= FIRST_VOTES and not count.cast:
            break  # more answers would not be votes either
    if count.cast < MIN_VOTES:
        raise ModelCallFailed("The model said neither Yes nor No.")
    return count


def _is_decided(count: Count, *, stops_early: bool) -> bool:
    if count.cast >= VOTES:
        return True
    if stops_early and count.cast >= FIRST_VOTES and count.yes in (0, count.cast):
        return True
    no = count.cast - count.yes
    return stops_early and (count.yes > VOTES // 2 or no >= VOTES - VOTES // 2)
