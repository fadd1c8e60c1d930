"""Keeps every answer of a door in its own format: programs cannot read error pages."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponseBase

from .errors import DoorError, form_of, response_of

_FIRST_ERROR = 400
_KEPT_HEADERS = ("Allow", "Retry-After")


class OwnFormMiddleware:
    """Replaces errors of other middlewares and of the framework at the addresses of doors."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        form = form_of(request.path)
        if form is None:
            return response
        if response.status_code >= _FIRST_ERROR and not getattr(response, "is_of_door", False):
            own = response_of(DoorError(response.status_code), form)
            for name in _KEPT_HEADERS:
                if name in response.headers:
                    own[name] = response.headers[name]
            response = own
        if not request.path.endswith("/docs"):
            response.headers.setdefault("Cache-Control", "private, no-store")
        return response
