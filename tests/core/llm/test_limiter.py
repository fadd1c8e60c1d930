"""How many calls an endpoint gets at once."""

from __future__ import annotations

from detection.core.llm.limiter import AdaptiveLimiter

TIMEOUT_S = 60.0


def test_calls_that_wait_for_each_other_stop_the_growth_before_their_answers_come() -> None:
    limiter = AdaptiveLimiter(64)
    limiter.answered(3.0, TIMEOUT_S, limit=1)
    for _ in range(20):  # each began behind three others at a server that takes 3 seconds a call
        limiter.answered(12.0, TIMEOUT_S, limit=4)
    assert limiter.limit == 6  # the sixth waits for 18 seconds, more than a quarter of the timeout


def test_answers_that_take_no_longer_with_more_calls_let_the_limit_grow() -> None:
    limiter = AdaptiveLimiter(64)
    for _ in range(20):
        limiter.answered(2.0, TIMEOUT_S, limit=limiter.limit)
    assert limiter.limit == 24


async def test_a_slot_says_how_many_there_are() -> None:
    limiter = AdaptiveLimiter(3)
    async with limiter.slot() as limit:
        assert limit == 3
