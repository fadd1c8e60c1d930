"""Log records as lines or as JSON, with the ids of request and check and never with a text."""

from __future__ import annotations

import logging
import re
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from django.http import HttpRequest, HttpResponseBase
from pythonjsonlogger.core import RESERVED_ATTRS

#: Allowed request ids of a proxy; others are replaced.
_REQUEST_ID = re.compile(r"[A-Za-z0-9-]{8,64}")
_SHARED = re.compile(r"(/shared/)[^/]+")
_HEADER = "X-Request-ID"

_request_id: ContextVar[str] = ContextVar("request_id", default="")
_row_id: ContextVar[str] = ContextVar("row_id", default="")


@contextmanager
def about(row_id: object) -> Iterator[None]:
    """Add the id of a check or source to every record logged inside."""
    token = _row_id.set(str(row_id))
    try:
        yield
    finally:
        _row_id.reset(token)


def without_links(path: str) -> str:
    """A path without the token of a share link, which a reader of the log could use."""
    return _SHARED.sub(r"\1[token]", path)


class ContextFilter(logging.Filter):
    """Adds the ids ``request`` and ``row`` to each record, "" if there is none. Removes share links from paths."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.request_id, record.row_id = _request_id.get(), _row_id.get()
        if isinstance(record.args, tuple) and record.name.startswith("django"):
            record.args = tuple(without_links(part) if isinstance(part, str) else part for part in record.args)
        record.ids = " ".join(f"[{value}]" for value in (_request_id.get(), _row_id.get()) if value)
        return True


class RequestLogMiddleware:
    """Give each request an id, or keep that of the proxy, and return it with the response."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        named = request.headers.get(_HEADER, "")
        request_id = named if _REQUEST_ID.fullmatch(named) else uuid.uuid4().hex
        token = _request_id.set(request_id)
        try:
            response = self.get_response(request)
        finally:
            _request_id.reset(token)
        response.headers[_HEADER] = request_id
        return response


class LineFormatter(logging.Formatter):
    """One line for each record, with further lines indented, so that no logged value can forge a record."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802  # logging's name
        return _printable(super().formatMessage(record))

    def formatException(self, ei: Any) -> str:  # noqa: N802
        return "\n".join(f"    {_printable(line)}" for line in super().formatException(ei).splitlines())


def _printable(text: str) -> str:
    return "".join(sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in text)


def configuration(log_format: str) -> dict[str, Any]:
    """The value of Django's LOGGING; ``log_format`` is ``line`` or ``json``."""
    fields = ["asctime", "levelname", "name", "message", "request_id", "row_id"]
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "filters": {"context": {"()": ContextFilter}},
        "formatters": {
            "line": {"()": LineFormatter, "fmt": "{asctime} {levelname} {name} {message} {ids}", "style": "{"},
            "json": {
                "()": "pythonjsonlogger.json.JsonFormatter",
                "fmt": fields,
                # These records contain the query of the request, which may contain words of its user.
                "reserved_attrs": [*RESERVED_ATTRS, "request", "ids"],
                "rename_fields": {"asctime": "time", "levelname": "level", "name": "logger"},
            },
        },
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": log_format, "filters": ["context"]}},
        "root": {"handlers": ["stderr"], "level": "WARNING"},
        "loggers": {
            "chatprotect_web": {"level": "INFO"},
            "detection": {"level": "INFO"},
            "django": {"level": "WARNING", "handlers": ["stderr"], "propagate": False},
        },
    }
