"""Errors in the format of each door, whether a view, a middleware or the framework raised them."""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from django.http import HttpResponse, JsonResponse

API, LANGUAGE_TOOL, GUARD = "/api/v1/", "/v2/", "/guard/v1/"

_DETAILS = {
    401: "A key is wanted: send “Authorization: Bearer <key>”. Keys are made on the settings page.",
    403: "This is not allowed.",
    404: "There is nothing here, or it is not yours.",
    405: "This address does not take this method.",
    413: "The request is too large.",
    429: "Too many requests in a short time. Wait a minute.",
    503: "The server could not store this. Try again in a few minutes.",
}


class DoorError(Exception):
    """A refused request of another program. ``detail`` is for its reader."""

    def __init__(
        self, status: int, detail: str = "", extra: dict[str, Any] | None = None, *, retry_after: int | None = None
    ) -> None:
        super().__init__(detail or _DETAILS.get(status, HTTPStatus(status).phrase))
        self.status = status
        self.extra = extra or {}
        self.retry_after = retry_after


Form = Callable[[int, str, dict[str, Any]], HttpResponse]


def problem(status: int, detail: str, extra: dict[str, Any]) -> HttpResponse:
    """Problem details (RFC 9457)."""
    body = {"type": "about:blank", "title": HTTPStatus(status).phrase, "status": status, "detail": detail, **extra}
    return JsonResponse(body, status=status, content_type="application/problem+json")


def plain(status: int, detail: str, extra: dict[str, Any]) -> HttpResponse:
    """A line of text, as LanguageTool answers and its clients show."""
    return HttpResponse(f"Error: {detail}", status=status, content_type="text/plain; charset=utf-8")


def openai(status: int, detail: str, extra: dict[str, Any]) -> HttpResponse:
    """The error format of the OpenAI API."""
    kinds = {401: "authentication_error", 403: "permission_error", 429: "rate_limit_error"}
    kind = kinds.get(status, "invalid_request_error" if status < 500 else "server_error")
    error = {"message": detail, "type": kind, "param": None, "code": None, **extra}
    return JsonResponse({"error": error}, status=status)


_FORMS: dict[str, Form] = {API: problem, LANGUAGE_TOOL: plain, GUARD: openai}


def form_of(path: str) -> Form | None:
    """The error format of the door at an address; None for a page."""
    return next((form for prefix, form in _FORMS.items() if path.startswith(prefix)), None)


def response_of(error: DoorError, form: Form) -> HttpResponse:
    """The error as a response."""
    response = form(error.status, str(error), error.extra)
    if error.retry_after is not None:
        response["Retry-After"] = str(error.retry_after)
    if error.status == HTTPStatus.UNAUTHORIZED:
        response["WWW-Authenticate"] = 'Bearer realm="ChatProtect"'
    response.is_of_door = True  # type: ignore[attr-defined]  # the middleware does not replace it
    return response
