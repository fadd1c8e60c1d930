"""Classify the failures of a call: what the reader can do, and whether to retry."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from .error_body import EndpointError, shown_words

#: Maximum attempts at a busy or broken endpoint.
MAX_ATTEMPTS: Final = 6
#: Maximum attempts if the endpoint says how long to wait; such refusals are cheap.
_MAX_ATTEMPTS_WHEN_TOLD: Final = 20
_FIRST_WAIT_S: Final = 0.5
_LONGEST_WAIT_S: Final = 20.0
#: Time limit for loading a model; several gigabytes take less.
MAX_LOADING_SECONDS: Final = 120.0
_SECONDS_BETWEEN_LOOKS: Final = 3.0
#: A longer wait is reported to the user as a failure instead.
LONGEST_PAUSE_S: Final = 180.0
#: Maximum characters of a reason, which is stored with a number of questions before it.
_MAX_REASON_CHARACTERS: Final = 160
_MAX_NAME_CHARACTERS: Final = 40


class FailureKind(StrEnum):
    BUSY = "busy"
    LOADING = "loading"
    BROKEN = "broken"
    UNREACHABLE = "unreachable"
    TIMEOUT = "timeout"
    UNREADABLE = "unreadable"
    EMPTY = "empty"
    CUT = "cut"
    KEY_REFUSED = "key_refused"
    NO_QUOTA = "no_quota"
    UNKNOWN_MODEL = "unknown_model"
    WRONG_ADDRESS = "wrong_address"
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
            FailureKind.WRONG_ADDRESS,
            FailureKind.MOVED,
        )

    @property
    def may_pass(self) -> bool:
        """True when the same call may succeed a little later."""
        return self in (
            FailureKind.BUSY,
            FailureKind.LOADING,
            FailureKind.BROKEN,
            FailureKind.UNREACHABLE,
            FailureKind.TIMEOUT,
            FailureKind.UNREADABLE,
        )

    @property
    def is_of_one_call(self) -> bool:
        """True when the endpoint works, and this question alone failed."""
        return self in (
            FailureKind.EMPTY,
            FailureKind.CUT,
            FailureKind.TOO_LONG,
            FailureKind.REFUSED,
            FailureKind.BAD_REQUEST,
        )


@dataclass(frozen=True, slots=True)
class Failure:
    """One failed attempt. ``reason`` is a sentence for the reader; the endpoint asks to wait ``retry_after_s``.

    ``error`` is the error of the endpoint, if it sent one. ``is_certain`` is True if an immediate retry is pointless
    unless the endpoint has answered before: no server is there.
    """

    kind: FailureKind
    reason: str
    retry_after_s: float | None = None
    error: EndpointError | None = None
    is_certain: bool = False


def wait_before_retry(
    failure: Failure, attempt: int, remaining_s: float, jitter: random.Random | None = None
) -> float | None:
    """Seconds to wait before the next attempt; None to give up.

    Exponential backoff with full jitter (uniform between 0 and the growing bound), but never less than what the
    endpoint asks for. ``attempt`` counts from 1; ``remaining_s`` is the time left for the call.
    """
    if not failure.kind.may_pass:
        return None
    if failure.kind is FailureKind.LOADING:
        return _SECONDS_BETWEEN_LOOKS  # the client limits the total time
    is_told = failure.kind is FailureKind.BUSY and failure.retry_after_s is not None
    if attempt >= (_MAX_ATTEMPTS_WHEN_TOLD if is_told else MAX_ATTEMPTS):
        return None
    if failure.kind in (FailureKind.TIMEOUT, FailureKind.UNREADABLE) and attempt >= MAX_ATTEMPTS // 2:
        return None  # each of these attempts cost a whole call
    bound = min(_LONGEST_WAIT_S, _FIRST_WAIT_S * 2 ** (min(attempt, MAX_ATTEMPTS) - 1))
    wait = (jitter or random).uniform(0, bound)
    if failure.retry_after_s is not None:
        return failure.retry_after_s + min(wait, 1.0)
    return wait if wait < remaining_s else None


# --- Telling them apart -----------------------------------------------------------------------------------------

_NO_CREDIT: Final = re.compile(
    r"insufficient_quota|insufficient (?:balance|credits?)|credit balance is too low|out of credits?|no credits?\b"
    r"|billing_hard_limit|billing hard limit|more credits|payment required|spending limit|exceeded your current quota"
)
_MODERATED: Final = re.compile(
    r"content_filter|content management policy|responsibleaipolicy|content_policy|content policy|moderation|\bflagged\b"
    r"|data_inspection_failed|usage policies|prohibited_content|safety system"
)
_TOO_LONG: Final = re.compile(
    r"context_length|context length|context window|context size|maximum context|prompt is too long|too many tokens"
    r"|input token count|exceed_context_size|request too large|string_above_max_length|input is too long"
)
_NO_MODEL: Final = re.compile(
    r"model_not_found|model not found|deploymentnotfound|no such model|not a valid model|invalid model|unknown model"
    r"|model .{0,80}(?:not found|does not exist|not exist|is not available|not loaded|decommissioned)|no models? loaded"
    r"|no endpoints found|model_decommissioned"
)
_WRONG_KEY: Final = re.compile(
    r"invalid_api_key|api[ _]key (?:not valid|invalid|expired)|invalid api key|incorrect api key|api_key_invalid"
    r"|authentication_error|invalid x-api-key|no auth credentials|unauthorized"
)
_LOADING: Final = re.compile(
    r"loading model|model is loading|is currently loading|model loading|loading the model|warming up"
)


def failure_of(error: EndpointError, model: str, secrets: tuple[str, ...] = ()) -> Failure:
    """The failure of an error, with a reason for the reader that quotes the endpoint."""
    kind, reason = _kind_of(error, model if len(model) <= _MAX_NAME_CHARACTERS else f"{model[:_MAX_NAME_CHARACTERS]}…")
    words = shown_words(error.message, secrets)
    told = f"{reason} It says: “{words}”" if words and kind is not FailureKind.LOADING else reason
    if len(told) > _MAX_REASON_CHARACTERS:
        told = f"{told[: _MAX_REASON_CHARACTERS - 2]}…”"
    return Failure(kind, told, error.wait_s, error)


def _kind_of(error: EndpointError, model: str) -> tuple[FailureKind, str]:
    """The kind of an error by its message, or by its status if it has none."""
    status, words = error.status, error.words
    if 300 <= status < 400:
        return (
            FailureKind.MOVED,
            f"The endpoint leads to another address (status {status}), and nothing is sent there: set that address.",
        )
    if _LOADING.search(words):
        return FailureKind.LOADING, "The endpoint is still loading the model. This can take two minutes."
    if _MODERATED.search(words):
        return FailureKind.REFUSED, "The endpoint moderates, and refused this text. Another model may take it."
    if _NO_CREDIT.search(words) and error.wait_s is None:
        return FailureKind.NO_QUOTA, "The account has no credit left. Add some, or use another key."
    if status not in (429, 498) and _TOO_LONG.search(words):
        return FailureKind.TOO_LONG, "The text is too long for the model. Use one with a larger context."
    if status not in (401, 429) and _NO_MODEL.search(words):
        return FailureKind.UNKNOWN_MODEL, f"The endpoint has no model {model!r}. Choose one that it lists."
    if _WRONG_KEY.search(words) and 400 <= status < 500:
        return FailureKind.KEY_REFUSED, "The endpoint refuses the API key. Check it, or use another."
    return _kind_of_status(status, error.wait_s, model)


def _kind_of_status(status: int, wait_s: float | None, model: str) -> tuple[FailureKind, str]:
    match status:
        case 401:
            return FailureKind.KEY_REFUSED, "The endpoint refuses the API key. Check it, or use another."
        case 402:
            return FailureKind.NO_QUOTA, "The account has no credit left. Add some, or use another key."
        case 403:
            return FailureKind.KEY_REFUSED, "The API key does not allow this. Use another key or model."
        case 404 | 405:
            reason = f"The endpoint has no model {model!r}, or nothing at this address: most addresses end in /v1."
            return FailureKind.WRONG_ADDRESS, reason
        case 413:
            return FailureKind.TOO_LONG, "The text is too long for the model. Use one with a larger context."
        case 408 | 504:
            return FailureKind.TIMEOUT, "The endpoint ran out of time."
        case 429 | 498 | 529:
            return FailureKind.BUSY, "The endpoint is busy and asks to wait."
        case 503 if wait_s is not None:
            return FailureKind.BUSY, "The endpoint is busy and asks to wait."
        case _ if status >= 500 or status == 409:
            return FailureKind.BROKEN, f"The endpoint has a problem of its own (status {status})."
        case 0:
            return FailureKind.BROKEN, "The endpoint reports a problem of its own."
        case _:
            return FailureKind.BAD_REQUEST, f"The endpoint does not accept the request (status {status})."
