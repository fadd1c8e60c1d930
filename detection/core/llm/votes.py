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

#: Fewer votes decide nothing, however many answers were asked for.
LEAST_VOTES = 3

#: The first word is the vote; what markup and quotes stand before it do not matter.
_FIRST_WORDS = re.compile(r"[\W_]*(?P<vote>yes|no)\b(?!\s+(?:doubt|question|wonder|matter))", re.IGNORECASE)

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


def read_vote(answer: str) -> bool | None:
    """Whether an answer says Yes. Its first word decides; None for one that begins with neither: it is no vote."""
    found = _FIRST_WORDS.match(answer)
    return found["vote"].casefold() == "yes" if found else None


def says_yes(answer: str) -> bool:
    """Whether an answer says Yes; one that is no vote does not."""
    return read_vote(answer) is True


async def vote(sample: Sample, *, stops_early: bool = True) -> Count:
    """Sample answers until the outcome of :data:`VOTES` votes is decided. What is no vote is not counted.

    With ``stops_early`` the first :data:`FIRST_VOTES` decide if they agree. An endpoint that gives fewer answers than
    it is asked for is asked again.

    Raises:
        ModelCallFailed: fewer than :data:`LEAST_VOTES` of the answers say Yes or No. They settle nothing.
    """
    count, given = Count(0, 0), 0
    while given < VOTES and not _is_decided(count, stops_early=stops_early):
        wanted = FIRST_VOTES - given if stops_early and given < FIRST_VOTES else VOTES - given
        answers = (await sample(wanted))[:wanted]
        votes = [cast for answer in answers if (cast := read_vote(answer)) is not None]
        count = Count(count.yes + sum(votes), count.cast + len(votes))
        given += max(1, len(answers))
        if given >= FIRST_VOTES and not count.cast:
            break  # the others would say nothing either
    if count.cast < LEAST_VOTES:
        raise ModelCallFailed("The model said neither Yes nor No.")
    return count


def _is_decided(count: Count, *, stops_early: bool) -> bool:
    if count.cast >= VOTES:
        return True
    if stops_early and count.cast >= FIRST_VOTES and count.yes in (0, count.cast):
        return True
    no = count.cast - count.yes
    return stops_early and (count.yes > VOTES // 2 or no >= VOTES - VOTES // 2)
