"""What can go wrong with a call, and the one place that decides whether to try again."""

from __future__ import annotations

import random
from dataclasses import dataclass
from enum import StrEnum

#: An endpoint that is busy or broken is asked so often in all.
MAX_ATTEMPTS = 6
_FIRST_WAIT_S = 0.5
_LONGEST_WAIT_S = 20.0


class FailureKind(StrEnum):
    BUSY = "busy"
    BROKEN = "broken"
    UNREACHABLE = "unreachable"
    TIMEOUT = "timeout"
    UNREADABLE = "unreadable"
    EMPTY = "empty"
    KEY_REFUSED = "key_refused"
    NO_QUOTA = "no_quota"
    UNKNOWN_MODEL = "unknown_model"
    TOO_LONG = "too_long"
    REFUSED = "refused"
    BAD_REQUEST = "bad_request"
    MOVED = "moved"

    @property
    def is_final(self) -> bool:
        """True when every further call of the run would fail in the same way."""
        return self in (
            FailureKind.KEY_REFUSED,
            FailureKind.NO_QUOTA,
            FailureKind.UNKNOWN_MODEL,
            FailureKind.MOVED,
        )

    @property
    def may_pass(self) -> bool:
        """True when the same call may succeed a little later."""
        return self in (
            FailureKind.BUSY,
            FailureKind.BROKEN,
            FailureKind.UNREACHABLE,
            FailureKind.TIMEOUT,
            FailureKind.UNREADABLE,
        )


@dataclass(frozen=True, slots=True)
class Failure:
    """One failed attempt. ``reason`` is a sentence for the reader. ``retry_after_s`` is what the endpoint asks for."""

    kind: FailureKind
    reason: str
    retry_after_s: float | None = None


def wait_before_retry(
    failure: Failure, attempt: int, remaining_s: float, jitter: random.Random | None = None
) -> float | None:
    """Seconds to wait before the next attempt; None to give up.

    Exponential backoff with full jitter (uniform between 0 and the growing bound), but never less than what the
    endpoint asks for. ``attempt`` counts from 1; ``remaining_s`` is what is left of the deadline of the call.
    """
    if not failure.kind.may_pass or attempt >= MAX_ATTEMPTS:
        return None
    if failure.kind in (FailureKind.TIMEOUT, FailureKind.UNREADABLE) and attempt >= MAX_ATTEMPTS // 2:
        return None  # each of these has cost a whole call
    bound = min(_LONGEST_WAIT_S, _FIRST_WAIT_S * 2 ** (attempt - 1))
    wait = (jitter or random).uniform(0, bound)
    if failure.retry_after_s is not None:
        wait += failure.retry_after_s
    return wait if wait < remaining_s else None
