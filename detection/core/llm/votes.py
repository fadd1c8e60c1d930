"""Yes or no by several sampled answers, no more of them than are needed."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from ..errors import ModelCallFailed

#: METHODS A.3: so many conclusions are sampled, and the score is the share of Yes.
VOTES = 10
#: When the first few agree, the rest would hardly turn them: of the recorded scores one in 780 lies between.
FIRST_VOTES = 3

_YES = re.compile(r"\byes\b", re.IGNORECASE)
_NO = re.compile(r"\bno\b", re.IGNORECASE)

#: Gives at most so many sampled answers.
Sample = Callable[[int], Awaitable[tuple[str, ...]]]


@dataclass(frozen=True, slots=True)
class Count:
    """How many of the votes that were cast say Yes."""

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


def is_vote(answer: str) -> bool:
    """Whether an answer says Yes or No at all."""
    return bool(_YES.search(answer) or _NO.search(answer))


def says_yes(answer: str) -> bool:
    """Whether an answer says Yes; one with both words or with neither counts as No."""
    return bool(_YES.search(answer)) and not _NO.search(answer)


async def vote(sample: Sample, *, stops_early: bool = True) -> Count:
    """Sample answers until the outcome of :data:`VOTES` votes is decided.

    With ``stops_early`` the first :data:`FIRST_VOTES` decide if they agree. An endpoint that gives fewer answers than
    it is asked for is asked again.

    Raises:
        ModelCallFailed: not one of the answers says Yes or No. Each alone counts as No; together they say nothing.
    """
    count, has_votes = Count(0, 0), False
    while not _is_decided(count, stops_early=stops_early):
        wanted = FIRST_VOTES - count.cast if stops_early and count.cast < FIRST_VOTES else VOTES - count.cast
        answers = (await sample(wanted))[:wanted]
        count = Count(count.yes + sum(map(says_yes, answers)), count.cast + len(answers))
        has_votes = has_votes or any(map(is_vote, answers))
    if not has_votes:
        raise ModelCallFailed("The model said neither Yes nor No.")
    return count


def _is_decided(count: Count, *, stops_early: bool) -> bool:
    if count.cast >= VOTES:
        return True
    if stops_early and count.cast >= FIRST_VOTES and count.yes in (0, count.cast):
        return True
    no = count.cast - count.yes
    return stops_early and (count.yes > VOTES // 2 or no >= VOTES - VOTES // 2)
