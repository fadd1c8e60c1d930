"""Messages to the reader when a site does not answer with the page."""

from __future__ import annotations

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http import HTTPStatus

from ..errors import PageUnreachable

_WITH_PAGE: frozenset[int] = frozenset({HTTPStatus.OK, HTTPStatus.NON_AUTHORITATIVE_INFORMATION})

_GONE = "There is no page at this address ({status}). Check it for typing errors; the page may have moved."
_CLOSED = "The site does not give this page to programs ({status}). Download it and upload the file instead."
_BUSY = "The site gets too many requests just now ({status}). Try again later, or upload the page as a file."
_BROKEN = "The site has a fault ({status}). Try again later."
_OTHER = "The site did not send a page ({status}). Open it in a browser, save it and upload the file instead."

_SENTENCES: dict[int, str] = {
    HTTPStatus.UNAUTHORIZED: _CLOSED,
    HTTPStatus.FORBIDDEN: _CLOSED,
    HTTPStatus.NOT_FOUND: _GONE,
    HTTPStatus.GONE: _GONE,
    HTTPStatus.TOO_MANY_REQUESTS: _BUSY,
    HTTPStatus.UNAVAILABLE_FOR_LEGAL_REASONS: _CLOSED,
}


def refuse_without_page(status: int, retry_after: str = "") -> None:
    """Accept an answer only if it is the page. ``retry_after`` is the header of that name.

    Raises:
        PageUnreachable: it is not. The message says what to do.
    """
    if status in _WITH_PAGE:
        return
    sentence = _BROKEN if 500 <= status < 600 else _SENTENCES.get(status, _OTHER)
    raise PageUnreachable(sentence.format(status=status), status=status, retry_after=seconds_to_wait(retry_after))


def seconds_to_wait(retry_after: str) -> float | None:
    """The seconds of a header ``Retry-After``, which has seconds or a date; None if it has neither."""
    if retry_after.strip().isdecimal():
        return float(retry_after)
    try:
        until = parsedate_to_datetime(retry_after)
    except ValueError:
        return None
    return max(0.0, (until.replace(tzinfo=until.tzinfo or UTC) - datetime.now(UTC)).total_seconds())
