"""Parse the error of an endpoint: its message, the parameter it names, and how long to wait."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, Final

from ..plain_text import remove_unprintable
from ..untrusted.json import read_json

#: Maximum characters of an endpoint's message to show, in one line.
MAX_WORDS: Final = 110
#: Maximum characters to search for keys: a megabyte would take seconds.
_MAX_READ: Final = 2_000
_LONGEST_WAIT_S: Final = 86_400.0
#: Gateways wrap errors in errors; deeper nesting than this does not occur.
_MAX_DEPTH: Final = 5

_LOOKS_LIKE_KEY: Final = re.compile(
    r"\b(?:(?:sk|gsk|pk|rk|xai|hf|key)[-_]|AIza|Bearer )[A-Za-z0-9*._-]{8,}|[\w-]*\*{3,}[\w-]*|[A-Fa-f0-9]{32,}"
)
_DURATION: Final = re.compile(
    r"(\d+(?:\.\d+)?)\s*(ms|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hours?|d|days?)?(?![A-Za-z])"
)
_AMOUNT: Final = r"\d+(?:\.\d+)?"
_UNIT: Final = r"ms|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hours?|d|days?"
_TRY_AGAIN: Final = re.compile(
    rf"(?:try again|retry|please wait|available) (?:in|after|for)\s+(?P<wait>(?:{_AMOUNT}\s*(?:{_UNIT})?\s*)+)",
    re.IGNORECASE,
)
_SECONDS_OF: Final = {"ms": 0.001, "mi": 0.001, "s": 1.0, "m": 60.0, "h": 3_600.0, "d": 86_400.0}


@dataclass(frozen=True, slots=True)
class EndpointError:
    """An error of an endpoint in a common form. ``message`` is for the program, not for people."""

    status: int = 0
    code: str = ""
    param: str = ""
    message: str = ""
    wait_s: float | None = None

    @property
    def words(self) -> str:
        """The message in lower case, with its code."""
        return f"{self.code} {self.message}".casefold()


def read_error(status: int, headers: Mapping[str, str], body: bytes) -> EndpointError:
    """The error in a body of JSON in any known form, or of plain text."""
    try:
        data: Any = read_json(body)
    except ValueError:
        text = body.decode(errors="replace")
        data = "" if "<html" in text[:500].casefold() or "<!doctype" in text[:100].casefold() else text
    error = read_error_value(data, status)
    wait = _wait_in_headers(headers)
    if wait is None:
        wait = error.wait_s
    return EndpointError(status, error.code, error.param, error.message, wait)


def read_error_value(data: Any, status: int = 0) -> EndpointError:
    """The error in decoded JSON: a body, or an event of a stream."""
    codes, params, messages, waits = [], [], [], []
    for name, value in _fields(data, 0):
        text = str(value).strip()
        if not text:
            continue
        if name in ("code", "type", "status", "reason"):
            codes.append(text)
        elif name in ("param", "loc"):
            params.append(text)
        elif name == "retrydelay":
            waits.append(text)
        else:
            messages.append(text)
    message = " ".join(dict.fromkeys(messages))
    told = [seconds for text in waits if (seconds := _seconds(text)) is not None]
    found = _TRY_AGAIN.search(message)
    if not told and found:
        told = [seconds for seconds in [_seconds(found["wait"])] if seconds is not None]
    numeric = next((int(code) for code in codes if code.isdigit() and 400 <= int(code) < 600), 0)
    return EndpointError(
        status or numeric, " ".join(dict.fromkeys(codes)), " ".join(params), message, max(told, default=None)
    )


def _fields(data: Any, depth: int) -> Iterator[tuple[str, Any]]:
    """The fields of known error forms: OpenAI, FastAPI, Mistral, Gemini, Ollama, and gateways around them."""
    if depth > _MAX_DEPTH:
        return
    if isinstance(data, str):
        yield from _fields_of_text(data, depth)
    elif isinstance(data, list):
        for item in data[:5]:
            yield from _fields(item, depth + 1)
    elif isinstance(data, dict):
        for name in ("error", "detail", "message", "msg", "errors", "metadata", "raw", "details", "error_description"):
            if data.get(name):
                yield from _fields(data[name], depth + 1)
        for name in ("code", "type", "status", "reason", "param"):
            if isinstance(data.get(name), str | int) and not isinstance(data[name], bool):
                yield name, data[name]
        if isinstance(data.get("loc"), list | tuple):
            yield "loc", ".".join(str(part) for part in data["loc"] if part != "body")
        if isinstance(data.get("retryDelay"), str):
            yield "retrydelay", data["retryDelay"]


def _fields_of_text(text: str, depth: int) -> Iterator[tuple[str, Any]]:
    """A message, and the fields of another error if a gateway put its JSON into the message."""
    start = min((place for sign in "{[" if (place := text.find(sign)) >= 0), default=-1)
    if start >= 0:
        try:
            inner = json.JSONDecoder().raw_decode(text, start)[0]
        except (ValueError, RecursionError):
            inner = None
        if isinstance(inner, dict) or (isinstance(inner, list) and inner and isinstance(inner[0], dict)):
            yield from _fields(inner, depth + 1)
            return
    yield "message", text


def shown_words(message: str, secrets: tuple[str, ...] = ()) -> str:
    """The endpoint's message for the reader: one short line without keys; "" for none."""
    text = " ".join(remove_unprintable(message.replace("\n", " ")).split())
    for secret in secrets:
        if len(secret) >= 4:
            text = text.replace(secret, "…")
    if len(text) > _MAX_READ:
        # Cut at a space, because half a key would not be recognised.
        text = text[:_MAX_READ].rpartition(" ")[0]
    text = _LOOKS_LIKE_KEY.sub("…", text)
    return text if len(text) <= MAX_WORDS else text[: MAX_WORDS - 1].rstrip() + "…"


# --- How long to wait -------------------------------------------------------------------------------------------


def _wait_in_headers(headers: Mapping[str, str]) -> float | None:
    """The seconds to wait according to the headers. The most explicit header comes first."""
    folded = {name.casefold(): value for name, value in headers.items()}
    if (milliseconds := _number(folded.get("retry-after-ms"))) is not None:
        return _within_reason(milliseconds / 1_000)
    if "retry-after" in folded:
        told = _number(folded["retry-after"])
        return _within_reason(told) if told is not None else _seconds_until(folded["retry-after"])
    resets = {name: value for name, value in folded.items() if "ratelimit" in name and "reset" in name}
    used_up = {
        name: value
        for name, value in resets.items()
        if folded.get(name.replace("reset", "remaining"), "").strip() in ("0", "0.0")
    }
    waits = [wait for value in (used_up or resets).values() if (wait := _reset_in_s(value)) is not None]
    return (max(waits) if used_up else min(waits)) if waits else None


def _reset_in_s(value: str) -> float | None:
    """The seconds until a limit resets, given as a duration, a date, or seconds since 1970."""
    number = _number(value)
    if number is not None:
        if number > 1e11:
            number /= 1_000
        return _within_reason(number - time.time() if number > 1e9 else number)
    return _seconds_until(value) if "T" in value or "," in value else _seconds(value)


def _seconds(text: str) -> float | None:
    """A duration as in "7.2s", "1m0.36s", "120ms" or "20 seconds"."""
    total, has_any = 0.0, False
    for amount, unit in _DURATION.findall(text):
        name = unit.casefold()
        factor = 1.0 if not name else _SECONDS_OF.get(name[:2] if name.startswith(("ms", "mil")) else name[0], 1.0)
        total += float(amount) * factor
        has_any = True
    return _within_reason(total) if has_any else None


def _seconds_until(moment: str) -> float | None:
    for read in (parsedate_to_datetime, datetime.fromisoformat):
        try:
            when = read(moment.strip())
        except (TypeError, ValueError):
            continue
        when = when if when.tzinfo else when.replace(tzinfo=UTC)
        return _within_reason((when - datetime.now(UTC)).total_seconds())
    return None


def _number(value: str | None) -> float | None:
    try:
        return float(value) if value is not None else None
    except ValueError:
        return None


def _within_reason(seconds: float) -> float | None:
    return min(max(0.0, seconds), _LONGEST_WAIT_S) if seconds == seconds else None
