"""Addresses for other programs. The views require keys: there is no session and no login page."""

from __future__ import annotations

from collections.abc import Iterable

from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, URLResolver, path
from django.views.decorators.csrf import csrf_exempt

from . import guard, languagetool
from .api.routes import api
from .errors import DoorError, form_of, plain, response_of


@csrf_exempt
def nothing_here(request: HttpRequest, rest: str = "") -> HttpResponse:
    """Answer unknown addresses of a door in its own format."""
    return response_of(DoorError(404), form_of(request.path) or plain)


def _without_login(patterns: Iterable[URLPattern | URLResolver]) -> None:
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            _without_login(pattern.url_patterns)
        else:
            pattern.callback.login_required = False  # type: ignore[attr-defined]


urlpatterns: list[URLPattern | URLResolver] = [
    path("api/v1/", api.urls),
    path("api/v1/<path:rest>", nothing_here),
    path("v2/check", languagetool.check),
    path("v2/languages", languagetool.languages),
    path("v2/healthcheck", languagetool.healthcheck),
    path("v2/<path:rest>", nothing_here),
    path("guard/v1/chat/completions", guard.chat_completions),
    path("guard/v1/models", guard.models),
    path("guard/v1/<path:rest>", nothing_here),
]
_without_login(urlpatterns)
