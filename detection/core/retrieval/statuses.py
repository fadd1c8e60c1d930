"""What the reader is told when a site answers with something else than the page."""

from __future__ import annotations

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


def refuse_without_page(status: int) -> None:
    """Accept an answer only if it is the page.

    Raises:
        PageUnreachable: it is not. Says what to do.
    """
    if status in _WITH_PAGE:
        return
    if 500 <= status < 600:
        raise PageUnreachable(_BROKEN.format(status=status))
    raise PageUnreachable(_SENTENCES.get(status, _OTHER).format(status=status))
